// The methods of a source are `async fn`, and `call` takes a name and arguments.
// Text of rustc, `E0053`: docs/toolbox.md has the cure.
use serde_json::{Value, json};
use skill_agent::ToolBuf;
use skill_agent::toolbox::ToolSource;

struct Clock;

impl ToolSource for Clock {
    async fn list(&self) -> Vec<ToolBuf> {
        vec![ToolBuf::new("time", "The time.", json!({ "type": "object" }))]
    }

    async fn call(&self, name: &str, arguments: Value) -> Result<String, String> {
        Ok("12:00".into())
    }
}

fn main() {}
