//! An independent JSON Schema validator, from the `jsonschema` crate.

use jsonschema::Validator;
use serde_json::{Value, json};

/// A compiled schema.
pub struct SchemaValidator(Validator);

impl SchemaValidator {
    /// Compiles a schema of draft 2020-12. Panics if the schema is invalid.
    pub fn new(schema: &Value) -> Self {
        if let Err(error) = jsonschema::draft202012::meta::validate(schema) {
            panic!("not a schema of draft 2020-12: {error}\n{schema:#}");
        }
        Self(jsonschema::draft202012::new(schema).expect("a good schema compiles"))
    }

    /// Compiles a schema with explicit limits for integers.
    ///
    /// For integers of 32 bits and more, schemars writes the limits as a format (`uint32`), which a validator may ignore.
    /// serde always enforces them.
    pub fn with_integer_limits(schema: &Value) -> Self {
        let mut schema = schema.clone();
        limit_integers(&mut schema);
        Self::new(&schema)
    }

    pub fn accepts(&self, value: &Value) -> bool {
        self.0.is_valid(value)
    }

    /// Describes the result for a value, for failure messages.
    pub fn explain(&self, value: &Value) -> String {
        let errors: Vec<String> = self.0.iter_errors(value).map(|e| e.to_string()).collect();
        match &errors[..] {
            [] => "accepted".to_owned(),
            errors => format!("refused: {}", errors.join("; ")),
        }
    }
}

fn limit_integers(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(limit_integers),
        Value::Object(entries) => {
            let limits = match entries.get("format").and_then(Value::as_str) {
                Some("int32") => Some((json!(i32::MIN), json!(i32::MAX))),
                Some("int64" | "int") => Some((json!(i64::MIN), json!(i64::MAX))),
                Some("uint32") => Some((json!(u32::MIN), json!(u32::MAX))),
                Some("uint64" | "uint") => Some((json!(u64::MIN), json!(u64::MAX))),
                _ => None,
            };
            if let Some((least, greatest)) = limits {
                entries.entry("minimum").or_insert(least);
                entries.entry("maximum").or_insert(greatest);
            }
            entries.values_mut().for_each(limit_integers);
        }
        _ => {}
    }
}
