//! The feature `ordered-json`. CI runs these tests with it and without it.

use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::tests::{Shape, Tagged};
use crate::{fingerprint, read_document, schema_of, write_value};

/// Its fields are not in alphabetical order.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Window {
    width: f64,
    height: f64,
    depth: Option<u8>,
}

const WINDOW: Window = Window {
    width: 1.0,
    height: 2.0,
    depth: None,
};

/// The field names of `Window` in the order of object keys.
const FIELDS: [&str; 3] = if cfg!(feature = "ordered-json") {
    ["width", "height", "depth"]
} else {
    ["depth", "height", "width"]
};

fn keys(object: &Value) -> Vec<&String> {
    object.as_object().unwrap().keys().collect()
}

#[test]
fn the_properties_of_a_schema_are_in_the_order_of_the_fields_or_of_their_names() {
    let schema = schema_of::<Window>();
    assert_eq!(keys(&schema.as_value()["properties"]), FIELDS);
}

#[test]
fn the_keys_of_an_object_are_in_the_order_of_the_text_or_of_their_names() {
    let read = read_document(r#"{"width":1,"height":2,"depth":3}"#, 100).unwrap();
    assert_eq!(keys(&read), FIELDS);
    assert_eq!(keys(&write_value(&WINDOW).unwrap()), FIELDS);
}

#[test]
fn text_is_written_in_the_order_of_the_fields() {
    let text = crate::write(&WINDOW).unwrap();
    assert_eq!(text, r#"{"width":1.0,"height":2.0,"depth":null}"#);
}

#[test]
fn a_float_is_read_back_exactly_or_as_a_neighbour() {
    let float = 31.245270191439438_f64; // the example in serde_json's documentation of `float_roundtrip`
    let read: f64 = serde_json::from_str(&float.to_string()).unwrap();
    if cfg!(feature = "ordered-json") {
        assert_eq!(read, float);
    } else {
        assert_eq!(read, float.next_up());
    }
}

/// Stores contain fingerprints, and the program that opens a store may be built without the feature.
#[test]
fn the_order_does_not_change_a_fingerprint() {
    fn describe(generator: &mut SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<(Window, Shape, Tagged)>()
    }
    assert_eq!(fingerprint(describe), 10_261_972_764_588_105_929);
}
