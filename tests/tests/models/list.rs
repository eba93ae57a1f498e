//! The list of an agent's tools as text, and the tables of providers.

use crate::common::argument_kinds::ArgumentAgent;
use crate::shop_agent::ShopAgent;
use serde_json::Value;
use skill_agent::Agent;
use skill_agent::models::{Provider, SchemaDialect, Shape, ToolsJson, dialects, shapes};
use skill_agent::testing::assert_tools_fit;
use std::collections::HashSet;

#[test]
fn a_list_is_made_once_for_each_agent_and_provider() {
    let mut texts = HashSet::new();
    for &provider in Provider::ALL {
        let text = ShopAgent::tools_json(provider).unwrap();
        assert!(std::ptr::eq(text, ShopAgent::tools_json(provider).unwrap()));
        let tools: Vec<Value> = serde_json::from_str(text).unwrap();
        assert_eq!(tools.len(), ShopAgent::tools().len());
        texts.insert(text.as_ptr());
    }
    assert_eq!(texts.len(), Provider::ALL.len());
}

#[test]
fn threads_get_the_same_text() {
    let provider = Provider::OPENAI_RESPONSES;
    let threads: Vec<_> = (0..8)
        .map(|_| {
            std::thread::spawn(move || ShopAgent::tools_json(provider).unwrap().as_ptr() as usize)
        })
        .collect();
    let texts: HashSet<usize> = threads
        .into_iter()
        .map(|thread| thread.join().unwrap())
        .collect();
    assert_eq!(texts.len(), 1);
}

#[test]
fn the_arguments_keep_their_order() {
    for &provider in Provider::ALL {
        let text = ShopAgent::tools_json(provider).unwrap();
        let at = |name: &str| text.find(&format!("\"{name}\":")).unwrap();
        let places = ["items", "payment", "day", "tip", "note"].map(at);
        assert!(places.is_sorted(), "{provider:?}: {places:?}");
    }
}

#[test]
fn an_agent_that_does_not_fit_is_an_error_with_all_reasons() {
    let error = ArgumentAgent::tools_json(Provider::OPENAI_STRICT)
        .unwrap_err()
        .to_string();
    let expected = [
        "the tool `lengths`: `/properties/map`: OpenAI strict cannot express a map; use a list of structs with the key and the value",
        "the tool `maps`: `/properties/prices`: OpenAI strict",
        "the tool `maps`: `/properties/by_number`: OpenAI strict",
        "the tool `maps`: `/properties/people`: OpenAI strict",
        "the tool `free`: `/properties/value`: OpenAI strict cannot express a value of any type",
        "the tool `free`: `/properties/values/items`: OpenAI strict",
    ];
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{error}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(expected), "{line}");
    }
}

#[test]
fn a_test_can_assert_that_the_tools_of_an_agent_fit() {
    assert_tools_fit::<ShopAgent>(Provider::ALL);
    let panic = std::panic::catch_unwind(|| {
        assert_tools_fit::<ArgumentAgent>(&[Provider::MCP, Provider::GEMINI_LEGACY]);
    });
    let message = *panic.unwrap_err().downcast::<String>().unwrap();
    assert!(
        message.contains("the tools of `argument_agent` do not fit:\nProvider::GEMINI_LEGACY\n"),
        "{message}"
    );
    assert!(!message.contains("MCP"), "{message}");
}

static DIALECT: SchemaDialect = SchemaDialect::JSON_SCHEMA.with_type_lists(false);
static SAME_DIALECT: SchemaDialect = SchemaDialect::JSON_SCHEMA.with_type_lists(false);
static SHAPE: Shape = Shape::PLAIN.with_schema("input");

#[test]
fn a_program_can_add_a_provider_and_tables_are_compared_by_address() {
    let ours = Provider {
        dialect: &DIALECT,
        shape: &SHAPE,
    };
    assert_eq!(
        ours,
        Provider {
            dialect: &DIALECT,
            shape: &SHAPE
        }
    );
    assert_ne!(
        ours,
        Provider {
            dialect: &SAME_DIALECT,
            shape: &SHAPE
        }
    );
    assert_eq!(
        Provider {
            dialect: &dialects::MCP,
            shape: &shapes::MCP
        },
        Provider::MCP
    );
    assert_eq!(
        format!("{:?} {ours:?}", Provider::MCP),
        "Provider::MCP Provider(JSON Schema)"
    );
    let tools = ShopAgent::tools_json(ours).unwrap();
    assert!(tools.contains(r#""input":{"type":"object""#), "{tools}");
    assert!(!tools.contains(r#"["string","null"]"#), "{tools}");
}

#[test]
fn only_openai_strict_turns_parallel_calls_off() {
    for &provider in Provider::ALL {
        let is_strict =
            [Provider::OPENAI_STRICT, Provider::OPENAI_RESPONSES_STRICT].contains(&provider);
        assert_eq!(provider.parallel_calls(), !is_strict, "{provider:?}");
    }
}
