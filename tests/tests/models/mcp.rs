//! The results of calls for clients of MCP.

use crate::common::schema_validator::SchemaValidator;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::models::{Provider, ToolCall, ToolsJson, mcp};
use skill_agent::prelude::*;

/// Places.
#[derive(Skill, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "places",
    actions(FindPlace, CountPlaces, ListPlaces, ForgetPlaces)
)]
struct Places {
    count: u32,
}

agent! {
    struct PlacesAgent {
        name: "places_agent",
        skills: [Places],
    }
}

/// A place, with those near it.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Place {
    name: String,
    degrees: f64,
    #[serde(default)]
    near: Vec<Place>,
}

/// Find a place.
#[action(read_only)]
fn find_place(_places: &Places, name: String) -> Result<Place, String> {
    if name.is_empty() {
        return Err("there is no such place".to_owned());
    }
    let near = |name: String, near| Place {
        name,
        degrees: 0.5,
        near,
    };
    let inner = near("c".into(), vec![near("d".into(), Vec::new())]);
    Ok(near(name, vec![near("b".into(), vec![inner])]))
}

/// Count the places.
#[action(read_only)]
fn count_places(places: &Places) -> u32 {
    places.count
}

/// List the places.
#[action(read_only)]
fn list_places(_places: &Places) -> Vec<Place> {
    Vec::new()
}

/// Forget the places.
#[action]
fn forget_places(places: &mut Places) {
    places.count = 0;
}

/// Checks a result as a client of MCP does: https://modelcontextprotocol.io/specification/2026-07-28/server/tools#output-schema
fn taken(tool: &Value, result: &Value) -> Result<(), String> {
    let blocks = result["content"].as_array().ok_or("no content")?;
    if blocks
        .iter()
        .any(|block| block["type"] != "text" || !block["text"].is_string())
    {
        return Err("a block that is not text".to_owned());
    }
    let structured = result.get("structuredContent");
    let Some(schema) = tool
        .get("outputSchema")
        .filter(|_| result["isError"] != true)
    else {
        return Ok(());
    };
    let structured = structured.ok_or("an output schema, and no structured content")?;
    let validator = SchemaValidator::new(schema);
    if validator.accepts(structured) {
        Ok(())
    } else {
        Err(validator.explain(structured))
    }
}

#[test]
fn a_client_takes_the_results_of_all_tools() {
    let tools = PlacesAgent::tools_json(Provider::MCP).unwrap();
    let tools: Vec<Value> = serde_json::from_str(tools).unwrap();
    let mut agent = PlacesAgent::new();
    let mut structured = 0;
    for (name, arguments) in [
        ("find_place", r#"{"name":"a"}"#),
        ("find_place", r#"{"name":""}"#),
        ("find_place", r#"{"nam":""}"#),
        ("count_places", "{}"),
        ("list_places", "{}"),
        ("forget_places", "{}"),
    ] {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        let call = ToolCall::new(name, arguments);
        let called = agent.call_json(name, arguments);
        let result = call.result(called.map(|called| called.output));
        let text = mcp::result(&result);
        let json: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(taken(tool, &json), Ok(()), "{name} {arguments}: {text}");
        assert_eq!(json["content"][0]["text"], result.content);
        assert_eq!(json.get("isError").is_some(), result.is_error);
        structured += usize::from(json.get("structuredContent").is_some());
        // text alone is what a client refuses
        let alone = json!({ "content": json["content"] });
        let is_refused = tool.get("outputSchema").is_some();
        assert_eq!(taken(tool, &alone).is_err(), is_refused, "{name}");
    }
    assert_eq!(structured, 4);
}

#[test]
fn structured_content_is_as_it_was_written() {
    let result = |output: &str| {
        mcp::result(&ToolCall::new("a", "{}").result(Ok::<_, String>(output.to_owned())))
    };
    let big = r#"{"n":340282366920938463463374607431768211455,"f": 1.50}"#;
    assert!(result(&format!(" {big}\n")).ends_with(&format!(r#""structuredContent":{big}}}"#)));
    for output in ["null", "[1]", "\"a\""] {
        let structured: Value = serde_json::from_str(output).unwrap();
        let json: Value = serde_json::from_str(&result(output)).unwrap();
        let content = json!([{ "type": "text", "text": output }]);
        assert_eq!(
            json,
            json!({ "content": content, "structuredContent": structured })
        );
    }
    for output in ["", "{", "{} {}", "done"] {
        let json: Value = serde_json::from_str(&result(output)).unwrap();
        assert_eq!(
            json,
            json!({ "content": [{ "type": "text", "text": output }] })
        );
    }
}
