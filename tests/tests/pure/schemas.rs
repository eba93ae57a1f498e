//! The input schemas of tools: one file for each kind of argument in `schemas/`, and rules for all of them.
//!
//! `BLESS=1 cargo test -p skill-tests --test pure schemas` rewrites the files. Review the diff.

use crate::common::argument_cases;
use crate::common::argument_kinds::ArgumentAgent;
use crate::common::schema_validator::SchemaValidator;
use serde_json::{Value, json};
use skill_agent::core::Tool;
use skill_agent::prelude::*;
use skill_agent_schema::{Branch, Descend, visit_schema};
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("schemas")
}

fn tool(name: &str) -> &'static Tool<'static> {
    let tool = ArgumentAgent::tools().iter().find(|tool| tool.name == name);
    tool.unwrap_or_else(|| panic!("no tool {name}"))
}

#[test]
fn the_schemas_equal_their_files() {
    let bless = env::var_os("BLESS").is_some_and(|value| value == "1");
    for tool in ArgumentAgent::tools() {
        let path = folder().join(format!("{}.json", tool.name));
        let text = format!("{:#}\n", tool.input_schema());
        if bless {
            fs::write(&path, &text).expect("a blessed schema can be written");
        }
        let file = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            file == text,
            "the schema of {} differs from its file; if that is intended, run BLESS=1 cargo test -p skill-tests --test \
             schemas\n--- file\n{file}\n--- now\n{text}",
            tool.name
        );
    }
}

#[test]
fn every_action_has_a_schema_file_and_test_cases() {
    let actions: BTreeSet<String> = ArgumentAgent::tools()
        .iter()
        .map(|tool| tool.name.to_owned())
        .collect();
    let files: BTreeSet<String> = fs::read_dir(folder())
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry can be read").path())
        .map(|path| {
            path.file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    let calls: BTreeSet<String> = argument_cases::all()
        .iter()
        .map(|case| case.action.to_owned())
        .collect();
    assert_eq!(files, actions);
    assert_eq!(calls, actions);
}

#[test]
fn schema_and_reader_accept_valid_arguments_and_refuse_invalid_ones() {
    for case in argument_cases::all() {
        let validator = SchemaValidator::new(tool(case.action).input_schema());
        for valid in &case.valid {
            assert!(
                validator.accepts(valid),
                "{}: {valid}: {}",
                case.action,
                validator.explain(valid)
            );
            if let Err(error) = ArgumentAgent::new().call_json(case.action, &valid.to_string()) {
                panic!("{}: {valid}: {error}", case.action);
            }
        }
        for invalid in &case.invalid {
            assert!(
                !validator.accepts(invalid),
                "{}: the schema accepts {invalid}",
                case.action
            );
            let answer = ArgumentAgent::new().call_json(case.action, &invalid.to_string());
            assert!(
                matches!(answer, Err(CallError::Arguments { .. })),
                "{}: the reader accepts {invalid}",
                case.action
            );
        }
    }
}

#[test]
fn every_default_and_example_is_valid_by_its_schema() {
    for tool in ArgumentAgent::tools() {
        let properties = tool.input_schema()["properties"].as_object();
        for (name, schema) in properties.expect("properties are an object") {
            let mut alone = schema.clone();
            if let Some(definitions) = tool.input_schema().get("$defs") {
                alone["$defs"] = definitions.clone();
            }
            let validator = SchemaValidator::new(&alone);
            let examples = schema["examples"].as_array().into_iter().flatten();
            for value in examples.chain(schema.get("default")) {
                assert!(
                    validator.accepts(value),
                    "{}: {name}: {}",
                    tool.name,
                    validator.explain(value)
                );
            }
        }
    }
}

#[test]
fn every_schema_has_the_structure_that_decoders_rely_on() {
    let outputs = ArgumentAgent::tools()
        .iter()
        .filter_map(Tool::output_schema);
    for schema in ArgumentAgent::tools()
        .iter()
        .map(Tool::input_schema)
        .chain(outputs)
    {
        SchemaValidator::new(schema);
        assert_eq!(
            schema.get("$ref"),
            None,
            "no reference at the root: {schema:#}"
        );
        visit_schema(schema, &mut |path, node| {
            let schema = node.value();
            // decoders support a boolean `additionalProperties`
            if path.branch() == Some(Branch::Only("additionalProperties")) && schema.is_boolean() {
                return Descend::Past;
            }
            assert!(schema.is_object(), "{path} is the boolean `{schema}`");
            if schema["type"] == "object" || schema["type"] == json!(["object", "null"]) {
                assert!(
                    schema["properties"].is_object(),
                    "{path} has no `properties`"
                );
            }
            Descend::Into
        });
    }
    for tool in ArgumentAgent::tools() {
        let schema = tool.input_schema();
        assert_eq!(schema["type"], "object", "{}", tool.name);
        assert_eq!(schema["additionalProperties"], false, "{}", tool.name);
        assert!(schema["properties"].is_object(), "{}", tool.name);
    }
}

#[test]
fn a_schema_does_not_repeat_the_description_of_its_tool() {
    for tool in ArgumentAgent::tools() {
        let schema = tool.input_schema();
        assert_eq!(schema.get("description"), None, "{}", tool.name);
    }
}

#[test]
fn every_reference_has_a_target() {
    let mut count = 0;
    for tool in ArgumentAgent::tools() {
        let schema = tool.input_schema();
        for reference in references(schema) {
            let target =
                schema.pointer(reference.strip_prefix('#').expect("references stay within"));
            assert!(target.is_some(), "{}: {reference} has no target", tool.name);
            count += 1;
        }
    }
    assert!(count > 0, "a recursive type needs a reference");
}

fn references(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    visit_schema(schema, &mut |_, node| {
        found.extend(
            node.keyword("$ref")
                .and_then(Value::as_str)
                .map(str::to_owned),
        );
        Descend::Into
    });
    found
}

#[test]
fn the_doc_comment_of_an_argument_is_its_description() {
    let text = &tool("texts").input_schema()["properties"]["text"];
    assert_eq!(text["description"], "Any text.\n\nAlso an empty one.");
    let tree = &tool("recursive").input_schema()["properties"]["tree"];
    assert_eq!(tree["description"], "The first tree.");
    let count = &tool("by_serde").input_schema()["properties"]["number"];
    assert_eq!(
        count["description"],
        "A range checked after serde's attributes."
    );
    let colour = &tool("enums").input_schema()["properties"]["colour"];
    assert_eq!(colour["description"], "The colour of the line.");
}

#[test]
fn arguments_are_required_unless_they_are_optional_or_have_a_default() {
    let required = |name| tool(name).input_schema().get("required").cloned();
    assert_eq!(required("options"), None);
    assert_eq!(required("defaults"), None);
    assert_eq!(required("no_arguments"), None);
    assert_eq!(required("by_serde"), Some(json!(["number"])));
    assert_eq!(required("rename-it"), Some(json!(["type", "from-date"])));
    assert_eq!(
        required("ranges"),
        Some(json!(["stars", "count", "digit", "offset"]))
    );
    assert_eq!(
        required("tuples"),
        Some(json!(["pair", "triple", "height", "nothing"]))
    );
}

#[test]
fn properties_have_the_order_of_the_parameters() {
    let names = |name| -> Vec<&str> {
        let properties = tool(name).input_schema()["properties"].as_object();
        properties
            .expect("properties are an object")
            .keys()
            .map(String::as_str)
            .collect()
    };
    assert_eq!(names("rename-it"), ["type", "from-date", "in"]);
    assert_eq!(names("by_serde"), ["note", "number", "other"]);
    assert_eq!(names("twenty").concat(), "abcdefghijklmnopqrst");
}

#[test]
fn a_schema_is_created_once() {
    for tool in ArgumentAgent::tools() {
        assert!(std::ptr::eq(tool.input_schema(), tool.input_schema()));
        let action = ArgumentAgent::actions()
            .iter()
            .find(|action| action.name == tool.name);
        assert!(std::ptr::eq(
            tool.input_schema(),
            action.expect("an action for each tool").input_schema()
        ));
    }
    assert!(std::ptr::eq(
        ArgumentAgent::schema(),
        ArgumentAgent::schema()
    ));
}
