//! Tests the expected forms that `format` errors name.

use crate::schema::formats::steps;
use crate::value::path::{Step, below};
use crate::{Sent, read, read_value, schema_by, with_all_mistakes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::Ipv4Addr;

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Ping {
    host: Ipv4Addr,
    #[serde(default)]
    hops: Vec<Option<Ipv4Addr>>,
    #[serde(default)]
    names: BTreeMap<String, Ipv4Addr>,
}

fn message(arguments: Value) -> String {
    let schema = schema_by(Ping::json_schema).into();
    let text = arguments.to_string();
    let by_text = read::<Ping>(&text).unwrap_err();
    let by_value = read_value::<Ping>(&arguments).unwrap_err();
    assert_eq!(by_text, by_value);
    let by_text = with_all_mistakes::<Ping>(by_text, Sent::Text(&text), &schema);
    let by_value = with_all_mistakes::<Ping>(by_value, Sent::Value(&arguments), &schema);
    assert_eq!(by_text, by_value);
    by_text.to_string()
}

#[test]
fn an_error_in_a_format_names_the_form_with_an_example() {
    let help = "expected an IPv4 address, such as `192.0.2.1`";
    assert_eq!(
        message(json!({ "host": "here" })),
        format!("`host`: invalid IPv4 address syntax; {help}")
    );
    let hops = json!({ "host": "192.0.2.1", "hops": [null, "there"] });
    assert!(message(hops).ends_with(help));
    for name in ["router", "a.b", "a]\"["] {
        let names = json!({ "host": "192.0.2.1", "names": { (name): "?" } });
        assert!(message(names).ends_with(help), "{name}");
    }
}

#[test]
fn an_error_that_says_what_is_expected_is_left_as_it_is() {
    let missing = message(json!({}));
    assert_eq!(missing, "at the top level: missing field `host`");
    let unknown = message(json!({ "host": "192.0.2.1", "port": 1 }));
    assert!(!unknown.contains("such as"), "{unknown}");
}

#[test]
fn a_path_is_read_as_it_is_written() {
    for keys in [
        vec![Step::Key("a".into()), Step::Index(3), Step::Key("b".into())],
        vec![Step::Key("a.b".into()), Step::Key("\"]".into())],
        vec![Step::Index(0), Step::Index(12)],
        vec![],
    ] {
        assert_eq!(steps(&below("", &keys)), Some(keys));
    }
    assert_eq!(steps("a[x]"), None);
    assert_eq!(steps("a[0"), None);
}
