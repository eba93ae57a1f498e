// `call_json` takes the arguments as text and gets a JSON value.
use fixture_ui::calculator::Calculator;
use skill_agent::prelude::*;

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator],
    }
}

fn main() {
    let arguments = serde_json::json!({ "a": 1.0, "b": 2.0 });
    MathAgent::new().call_json("add", arguments).unwrap();
}
