//! The tools of the suite that no action can be: those with other content than text, those with a schema by hand, and one that comes and
//! goes. The tools that ask for values are only listed here, and `Forms` answers their calls.

use crate::forms;
use serde_json::{Value, json};
use skill_agent::ToolBuf;
use skill_agent::toolbox::{
    BoxFuture, OutputPart, SourceCall, SourceError, SourceTool, ToolOutput, ToolSource,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// One red pixel, as PNG.
pub const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/// No sound, as WAV.
const SILENCE: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";
/// `{"test":"data","value":123}`, as base64.
const JSON: &str = "eyJ0ZXN0IjoiZGF0YSIsInZhbHVlIjoxMjN9";
/// `This is an embedded resource content.`, as base64.
const TEXT: &str = "VGhpcyBpcyBhbiBlbWJlZGRlZCByZXNvdXJjZSBjb250ZW50Lg==";

const NAMES: [&str; 6] = [
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_reconnection",
    "test_trigger_tool_change",
];

/// The source of these tools.
#[derive(Default)]
pub struct Pictures {
    /// Whether the list has one more tool.
    has_more: AtomicBool,
}

impl Pictures {
    fn output(&self, name: &str) -> ToolOutput {
        match name {
            "test_image_content" => image().into(),
            "test_audio_content" => file("silence.wav", "audio/wav", SILENCE).into(),
            "test_embedded_resource" => file("resource.txt", "text/plain", TEXT).into(),
            "test_multiple_content_types" => ToolOutput::new(vec![
                "Multiple content types test:".into(),
                image(),
                file("mixed.json", "application/json", JSON),
            ]),
            "test_trigger_tool_change" => {
                self.has_more.fetch_not(Ordering::SeqCst);
                "changed".into()
            }
            name => name.into(),
        }
    }
}

impl ToolSource for Pictures {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let more = self.has_more.load(Ordering::SeqCst).then_some("more");
        let names = NAMES.into_iter().chain(forms::TOOLS).chain(more);
        let tools = names.map(|name| (name, json!({ "type": "object", "properties": {} })));
        let tools = tools.chain([
            ("json_schema_2020_12_tool", schema()),
            ("test_header", with_header()),
        ]);
        let tools = tools.map(|(name, schema)| ToolBuf::new(name, "A tool.", schema).into());
        let tools = tools.collect();
        Box::pin(async { Ok(tools) })
    }

    fn call<'a>(&'a self, call: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        let output = self.output(call.name);
        Box::pin(async { Ok(output) })
    }
}

fn image() -> OutputPart {
    OutputPart::Image {
        media_type: "image/png".to_owned(),
        data: PIXEL.to_owned(),
    }
}

fn file(name: &str, media_type: &str, data: &str) -> OutputPart {
    OutputPart::File {
        name: Some(name.to_owned()),
        media_type: media_type.to_owned(),
        data: data.to_owned(),
    }
}

/// A schema with the keywords that the suite looks for.
fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
        } },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}

/// A schema with an argument that clients repeat in a header.
fn with_header() -> Value {
    let region = json!({ "type": "string", "x-mcp-header": "Region" });
    json!({ "type": "object", "properties": { "region": region } })
}
