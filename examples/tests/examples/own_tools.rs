//! A skill that describes its own tools.

use serde_json::json;
use skill_agent::prelude::*;
use skill_examples::worked::own_tools::{Arithmetic, Calculator, tools_for_agent};

#[test]
fn the_tools_of_an_agent_have_the_texts_of_its_skills() {
    let mut agent = Calculator::new();
    assert!(tools_for_agent(&agent).is_empty());
    agent.mounted_mut().mount::<Arithmetic>(&json!({})).unwrap();
    let tools = tools_for_agent(&agent);
    let texts: Vec<_> = tools
        .iter()
        .map(|tool| (tool.name, tool.description))
        .collect();
    assert_eq!(
        texts,
        [
            ("add", "Returns a + b."),
            ("subtract", "Returns a - b."),
            ("multiply", "Returns a * b."),
            ("divide", "Returns a / b."),
        ]
    );
    let divide = serde_json::to_value(tools[3]).unwrap();
    assert_eq!(divide["title"], "Exact division");
    assert_eq!(
        divide["input_schema"],
        json!({
            "type": "object",
            "properties": {
                "a": { "type": "number", "format": "double" },
                "b": { "type": "number", "format": "double", "description": "The divisor, which must not be 0." },
            },
            "required": ["a", "b"],
            "additionalProperties": false,
        })
    );
}

#[test]
fn a_call_is_read_by_the_schema_of_the_arguments() {
    let mut agent = Calculator::new();
    agent.mounted_mut().mount::<Arithmetic>(&json!({})).unwrap();
    let halved = agent.call_json("divide", r#"{"a":1,"b":2}"#).unwrap();
    assert_eq!(halved.output, "0.5");
    let error = agent.call_json("divide", r#"{"a":1,"b":0}"#).unwrap_err();
    assert!(error.to_string().contains("division by zero"), "{error}");
}
