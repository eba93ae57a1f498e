//! Tools of a source whose schemas other programs wrote.

use crate::hostile_schemas::hostile_schemas;
use crate::script::Script;
use crate::support::*;
use serde_json::{Value, json};
use skill_agent::ToolBuf;
use skill_agent::models::Provider;
use skill_agent::prelude::*;
use skill_agent::toolbox::{SourceTool, ToolSession, Toolbox};

fn tool(name: &str, schema: Value) -> SourceTool {
    ToolBuf::new(name, "A tool.", schema).into()
}

async fn session(tools: Vec<SourceTool>) -> ToolSession {
    let toolbox = Toolbox::builder().source("disk", Script::with(tools));
    let toolbox = toolbox.build().await.unwrap();
    toolbox.session(ForeignCaller::Model)
}

#[timed_test::test]
async fn a_schema_without_a_type_is_that_of_an_object() {
    let text = json!({ "properties": { "text": { "type": "string" } }, "required": ["text"] });
    let session = session(vec![
        tool("typeless", text),
        tool("bare", json!({})),
        tool("list", json!({ "items": {} })),
        tool("constant", json!({ "const": {} })),
    ])
    .await;
    let list = session.list().await;
    assert_eq!(names(&list), ["typeless", "bare"]);
    for &provider in Provider::ALL {
        let tools: Vec<_> = list
            .tools
            .iter()
            .map(|listed| listed.tool.as_tool())
            .collect();
        provider.tools(&tools).unwrap();
    }
    session.call("typeless", r#"{"text":"a"}"#).await.unwrap();
    let error = session.call("typeless", "{}").await.unwrap_err();
    assert!(
        error.to_string().contains("missing field `text`"),
        "{error}"
    );
    session.call("bare", "{}").await.unwrap();
}

/// `#` means the part with the `$id`, whose `X` is another one than that of the whole.
#[timed_test::test]
async fn arguments_below_an_inner_id_are_for_the_tool_to_check() {
    let inner = json!({
        "$id": "https://example.com/a",
        "type": "object",
        "properties": { "n": { "$ref": "#/$defs/X" } },
        "$defs": { "X": { "type": "integer" } },
    });
    let schema = json!({ "type": "object", "properties": { "a": inner }, "$defs": { "X": { "type": "string" } } });
    let session = session(vec![tool("inner", schema)]).await;
    session.call("inner", r#"{"a":{"n":1}}"#).await.unwrap();
}

#[timed_test::test]
async fn tools_with_hostile_schemas_are_listed_and_called() {
    let schemas = hostile_schemas();
    let tools = schemas.iter().enumerate();
    let tools = tools.map(|(index, (_, schema))| tool(&format!("tool_{index}"), schema.clone()));
    let session = session(tools.collect()).await;
    let list = session.list().await;
    assert_eq!(list.tools.len(), schemas.len());
    for (listed, (name, _)) in list.tools.iter().zip(&schemas) {
        for arguments in [
            "{}",
            r#"{"a":{"a":{"b":{"n":null}},"k":[]},"b":1}"#,
            r#"{"a":["a",2,{}],"p1":"a","__proto__":"a","":"a","a/b":"a","a~b":1}"#,
            r#"{"a":null}"#,
        ] {
            // the call succeeds, or its error says why
            if let Err(error) = session.call(&listed.tool.name, arguments).await {
                let text = error.to_string();
                assert!(
                    text.starts_with("the arguments of `tool_"),
                    "{name}: {text}"
                );
            }
        }
    }
}

#[timed_test::test]
async fn a_tool_that_requires_a_property_it_does_not_have_is_withheld() {
    let schema = |required: &str, more: Value| {
        let mut schema = json!({ "type": "object", "properties": { "town": { "type": "string" } }, "required": [required] });
        let more = more.as_object().unwrap().clone();
        schema.as_object_mut().unwrap().extend(more);
        schema
    };
    let closed = || json!({ "additionalProperties": false });
    let bare = json!({ "type": "object", "required": ["town"], "additionalProperties": false });
    let patterns = json!({ "additionalProperties": false, "patternProperties": { "^t": {} } });
    let session = session(vec![
        tool("misspelt", schema("twon", closed())),
        tool("unlike", schema("zone", closed())),
        tool("bare", bare),
        // other properties are allowed, or may be
        tool("open", schema("twon", json!({}))),
        tool("patterns", schema("twon", patterns)),
        tool("right", schema("town", closed())),
    ])
    .await;
    let list = session.list().await;
    assert_eq!(names(&list), ["open", "patterns", "right"]);
    let hints = [
        ("misspelt", "twon", "; did you mean `town`?"),
        ("unlike", "zone", ""),
        ("bare", "town", ""),
    ];
    for (withheld, (tool, name, hint)) in list.withheld.iter().zip(hints) {
        let reason = format!(
            "`required` of its input schema names `{name}`, which is not in `properties`, and `additionalProperties` is `false`, so \
             that no arguments fit{hint}"
        );
        assert_eq!(
            (withheld.tool.as_deref(), &withheld.reason),
            (Some(tool), &reason)
        );
    }
    session.call("open", r#"{"twon":1}"#).await.unwrap();
    session.call("right", r#"{"town":"Bonn"}"#).await.unwrap();
}
