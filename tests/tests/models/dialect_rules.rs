//! The rules of each provider, written a second time from its documentation.

use serde_json::Value;
use skill_agent::models::Provider;

/// The mistakes of a schema for a provider.
pub(crate) fn mistakes(provider: Provider, schema: &Value) -> Vec<String> {
    let mut mistakes = Vec::new();
    Check {
        provider,
        mistakes: &mut mistakes,
    }
    .schema(schema, "");
    if schema["type"] != "object" {
        mistakes.push("the root is no object".to_owned());
    }
    mistakes
}

const STRUCTURE: [&str; 11] = [
    "type",
    "description",
    "title",
    "properties",
    "required",
    "items",
    "enum",
    "anyOf",
    "$defs",
    "$ref",
    "format",
];

struct Check<'a> {
    provider: Provider,
    mistakes: &'a mut Vec<String>,
}

impl Check<'_> {
    fn is(&self, providers: &[Provider]) -> bool {
        providers.contains(&self.provider)
    }

    fn openai_strict(&self) -> bool {
        self.is(&[Provider::OPENAI_STRICT, Provider::OPENAI_RESPONSES_STRICT])
    }

    fn strict(&self) -> bool {
        self.openai_strict() || self.is(&[Provider::ANTHROPIC_STRICT])
    }

    fn allows(&self, keyword: &str) -> bool {
        if self.is(&[Provider::GEMINI_LEGACY]) {
            let other = [
                "nullable",
                "minItems",
                "maxItems",
                "minProperties",
                "maxProperties",
                "minLength",
                "maxLength",
                "pattern",
                "minimum",
                "maximum",
                "propertyOrdering",
            ];
            return other.contains(&keyword)
                || (STRUCTURE.contains(&keyword) && !keyword.starts_with('$'));
        }
        let other: &[&str] = if self.openai_strict() {
            &[
                "additionalProperties",
                "const",
                "pattern",
                "multipleOf",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "minItems",
                "maxItems",
            ]
        } else if self.is(&[Provider::ANTHROPIC_STRICT]) {
            &["additionalProperties", "const", "minItems"]
        } else if self.is(&[Provider::GEMINI]) {
            &[
                "additionalProperties",
                "oneOf",
                "prefixItems",
                "minItems",
                "maxItems",
                "minimum",
                "maximum",
                "propertyOrdering",
            ]
        } else if self.is(&[Provider::OPENAI_CHAT, Provider::OPENAI_RESPONSES]) {
            return keyword != "prefixItems";
        } else if self.is(&[Provider::MCP]) {
            return keyword == "$schema" || !keyword.starts_with('$');
        } else {
            return true;
        };
        other.contains(&keyword) || STRUCTURE.contains(&keyword)
    }

    fn wrong(&mut self, path: &str, mistake: impl Into<String>) {
        self.mistakes.push(format!("{path}: {}", mistake.into()));
    }

    fn schema(&mut self, schema: &Value, path: &str) {
        let Some(object) = schema.as_object() else {
            return self.wrong(path, "a bare boolean");
        };
        for keyword in object.keys() {
            if !self.allows(keyword) {
                self.wrong(path, format!("`{keyword}`"));
            }
        }
        self.keywords(schema, path);
        for (keyword, value) in object {
            let at = format!("{path}/{keyword}");
            match (keyword.as_str(), value) {
                ("properties" | "$defs" | "patternProperties", Value::Object(named)) => {
                    for (name, part) in named {
                        self.schema(part, &format!("{at}/{name}"));
                    }
                }
                ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(list)) => {
                    for (index, part) in list.iter().enumerate() {
                        self.schema(part, &format!("{at}/{index}"));
                    }
                }
                ("items", part) => self.schema(part, &at),
                ("additionalProperties", part) if part.is_object() => self.schema(part, &at),
                _ => {}
            }
        }
    }

    fn keywords(&mut self, schema: &Value, path: &str) {
        let object = schema.as_object().unwrap();
        let says_type = ["type", "enum", "const", "$ref", "anyOf", "oneOf"]
            .iter()
            .any(|keyword| object.contains_key(*keyword));
        if !says_type && (self.strict() || self.is(&[Provider::GEMINI_LEGACY])) {
            self.wrong(path, "no type");
        }
        let lists_types = schema["type"].is_array();
        let no_lists = [
            Provider::ANTHROPIC_STRICT,
            Provider::GEMINI_LEGACY,
            Provider::MCP,
        ];
        if lists_types && self.is(&no_lists) {
            self.wrong(path, "a list of types");
        }
        let has_siblings =
            object.contains_key("$ref") && object.keys().any(|key| !key.starts_with('$'));
        if has_siblings && (self.openai_strict() || self.is(&[Provider::GEMINI])) {
            self.wrong(path, "keywords beside a reference");
        }
        if self.is(&[Provider::GEMINI_LEGACY]) && object.contains_key("anyOf") && object.len() > 1 {
            self.wrong(path, "keywords beside a choice");
        }
        let is_object = schema["type"] == "object";
        if is_object && self.strict() && schema["additionalProperties"] != false {
            self.wrong(path, "an open object");
        }
        if is_object && self.openai_strict() {
            let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
            if schema["required"] != serde_json::json!(names) {
                self.wrong(path, "an optional property");
            }
        }
        if schema["type"] == "array" && !schema["items"].is_object() && !self.allows("prefixItems")
        {
            self.wrong(path, "an array without items");
        }
        if self.is(&[Provider::ANTHROPIC_STRICT]) && schema["minItems"].as_u64() > Some(1) {
            self.wrong(path, "`minItems` above 1");
        }
        let values = schema["enum"].as_array().cloned().unwrap_or_default();
        let is_refused = |value: &Value| {
            (self.strict() && (value.is_object() || value.is_array()))
                || (self.is(&[Provider::GEMINI]) && !value.is_string() && !value.is_number())
                || (self.is(&[Provider::GEMINI_LEGACY]) && !value.is_string())
        };
        if values.iter().any(is_refused) {
            self.wrong(path, "a value of an enum");
        }
        let names = schema["required"].as_array().into_iter().flatten();
        let closes = self.strict() || self.is(&[Provider::GEMINI, Provider::GEMINI_LEGACY]);
        for name in names.filter_map(Value::as_str) {
            if closes && schema["properties"].get(name).is_none() {
                self.wrong(path, format!("no property `{name}`"));
            }
        }
        let reads_all = self.is(&[Provider::ANTHROPIC, Provider::MCP]);
        let unread = ["(?=", "(?!", "(?<", r"\p", r"\P", r"\1", r"\0"];
        let pattern = schema["pattern"].as_str().unwrap_or_default();
        if !reads_all && unread.iter().any(|part| pattern.contains(part)) {
            self.wrong(path, format!("the pattern {pattern}"));
        }
        self.format(schema, path);
    }

    fn format(&mut self, schema: &Value, path: &str) {
        let Some(format) = schema.get("format").and_then(Value::as_str) else {
            return;
        };
        let texts = [
            "date-time",
            "time",
            "date",
            "duration",
            "email",
            "hostname",
            "ipv4",
            "ipv6",
            "uuid",
        ];
        let is_allowed = if self.openai_strict() {
            texts.contains(&format)
        } else if self.is(&[Provider::ANTHROPIC_STRICT]) {
            texts.contains(&format) || format == "uri"
        } else if self.is(&[Provider::GEMINI_LEGACY]) {
            ["enum", "date-time", "int32", "int64", "float", "double"].contains(&format)
        } else {
            true
        };
        if !is_allowed {
            self.wrong(path, format!("the format {format}"));
        }
    }
}
