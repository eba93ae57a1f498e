//! The schemas of a state and of a configuration: what an agent shows, and what it refuses.

use serde_json::{Value, json};
use skill_agent::prelude::*;
use skill_examples::worked::schemas::{
    Add, Calculator, CalculatorConfig, MathAgent, Mode, Stats, StatsConfig,
};

#[test]
fn a_new_agent_has_the_defaults_of_the_document() {
    let mut agent = MathAgent::new();
    assert_eq!(
        agent.state_value().unwrap(),
        json!({
            "mode": "interactive",
            "calculator": { "precision": 2, "last_result": 0.0 },
            "stats": { "window": 100, "samples": [] },
        })
    );
    agent.cmd(Add { a: 1.5, b: 2.5 }).unwrap();
    let max_value = 1_000_000;
    assert_eq!(
        *MathAgent::skill_config::<Calculator>(),
        CalculatorConfig { max_value }
    );
    assert_eq!(
        *agent.skill_state::<Calculator>(),
        Calculator {
            precision: 2,
            last_result: 4.0
        }
    );
    assert_eq!(agent.state().mode, Mode::Interactive);
}

#[test]
fn the_schema_is_that_of_the_base_with_those_of_the_skills() {
    let schema = MathAgent::schema().as_value();
    let at = |path: &str| schema.pointer(path).cloned().unwrap_or_default();
    let properties = schema["properties"].as_object().unwrap();
    let keys: Vec<&String> = properties.keys().collect();
    assert_eq!(keys, ["mode", "calculator", "stats"]);
    let calculator = "/properties/calculator/properties";
    assert_eq!(at(&format!("{calculator}/precision/default")), 2);
    assert_eq!(at(&format!("{calculator}/precision/maximum")), 15);
    assert_eq!(at("/properties/stats/properties/window/default"), 100);
    let configuration = MathAgent::skills()[0].config_schema.unwrap()();
    assert_eq!(configuration["properties"]["max_value"]["minimum"], 1);
}

#[test]
fn a_state_outside_of_its_schema_is_refused_wherever_it_is_read() {
    for (state, problem) in [
        (
            json!({ "calculator": { "precision": "2" } }),
            "`calculator.precision`: invalid type: string \"2\", expected a non-negative integer",
        ),
        (
            json!({ "calculator": { "precision": 16 } }),
            "`calculator.precision`: 16 is out of range, expected 0..=15",
        ),
        (
            json!({ "stats": { "window": 0 } }),
            "`stats.window`: 0 is out of range, expected 1..",
        ),
        (
            json!({ "mode": "idle" }),
            "`mode`: unknown variant `idle`, expected `interactive` or `batch`",
        ),
        (
            json!({ "stats": { "windw": 7 } }),
            "`stats.windw`: unknown field `windw`, expected `window` or `samples`; did you mean `window`?",
        ),
    ] {
        let mut agent = MathAgent::new();
        let errors = [
            MathAgent::validate(&state).unwrap_err(),
            MathAgent::from_state_json(&state.to_string()).unwrap_err(),
            agent.set(&state).unwrap_err(),
        ];
        for error in errors {
            assert_eq!(error.to_string(), problem);
        }
        assert_eq!(agent, MathAgent::new());
    }
}

/// The document raises "Invalid skill config".
#[test]
fn a_configuration_outside_of_its_schema_is_refused() {
    let refused = |config: Value| {
        let builder = MathAgent::builder().config_value(&config);
        builder.map(drop).unwrap_err().to_string()
    };
    assert_eq!(
        refused(json!({ "stats": { "window": 0 }, "calculator": { "max_value": -1 } })),
        "2 problems\n  `stats.window`: 0 is out of range, expected 1..\n  `calculator.max_value`: -1 is out of range, expected 1.."
    );
    assert_eq!(
        refused(json!({ "stats": { "window": "all" } })),
        "`stats.window`: invalid type: string \"all\", expected a non-negative integer"
    );
    let typed = MathAgent::builder().config::<Stats>(StatsConfig { window: 0 });
    assert_eq!(
        typed.build().unwrap_err().to_string(),
        "`stats.window`: 0 is out of range, expected 1.."
    );
}
