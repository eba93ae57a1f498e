//! `genai` rewrites schemas of strict mode for their provider; ours stay as they are.

use genai::chat::{JsonSchemaDialect, sanitize_json_schema};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The tools that `decoders` wrote into the folder `TOOLS`, or those in tests/providers.
fn folder() -> PathBuf {
    let providers = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../providers");
    env::var_os("TOOLS").map_or_else(providers, PathBuf::from)
}

#[test]
fn genai_changes_no_schema_of_strict_mode() {
    let rows = [
        (
            "openai_strict",
            "/function/parameters",
            JsonSchemaDialect::OpenAiStrictTool,
        ),
        (
            "openai_responses_strict",
            "/parameters",
            JsonSchemaDialect::OpenAiStrictTool,
        ),
        (
            "anthropic_strict",
            "/input_schema",
            JsonSchemaDialect::AnthropicStructured,
        ),
    ];
    for (name, path, dialect) in rows {
        let text = fs::read_to_string(folder().join(name).with_extension("json")).unwrap();
        let tools: Vec<Value> = serde_json::from_str(&text).unwrap();
        assert!(!tools.is_empty(), "{name} has no tools");
        for tool in &tools {
            let schema = tool.pointer(path).unwrap();
            assert_eq!(
                sanitize_json_schema(schema, dialect),
                *schema,
                "{name} {tool}"
            );
        }
        println!("{name}: {} of {0} unchanged by genai", tools.len());
    }
}
