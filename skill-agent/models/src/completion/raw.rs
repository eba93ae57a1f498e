//! The parts of JSON text as written. A `Value` would lose repeated keys, the digits of numbers and the order of keys.
//!
//! serde_json's `RawValue` can do this too, but needs a feature that would affect the program's whole build.

use std::ops::Range;

use skill_agent_schema::{behind_string, is_equal};
use skill_core::serde::de::IgnoredAny;
use skill_core::serde_json::{Error, Value, from_str};

/// A JSON value, without surrounding whitespace, within text that is known to be valid JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a> {
    text: &'a str,
    /// The byte offset of the value in the text.
    start: usize,
    end: usize,
}

/// The type of a JSON value.
#[allow(missing_docs, reason = "JSON defines them")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

/// An entry of an object, whose place extends from the key's opening quote to the end of the value.
pub struct Entry<'a> {
    /// The unescaped key, empty if it contains half of a surrogate pair.
    pub key: String,
    /// The value as written.
    pub value: Raw<'a>,
    pub(crate) place: Range<usize>,
}

/// An edit to text: a range, and its replacement.
pub(crate) type Edit = (Range<usize>, String);

impl<'a> Raw<'a> {
    /// Parses text as a single value.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        from_str::<IgnoredAny>(text)?;
        let start = text.len() - text.trim_ascii_start().len();
        let end = text.trim_ascii_end().len();
        Ok(Self { text, start, end })
    }

    /// Returns the value at a place in text that is known to be valid JSON.
    pub fn within(text: &'a str, place: Range<usize>) -> Self {
        Self {
            text,
            start: place.start,
            end: place.end,
        }
    }

    /// Returns the value's text.
    pub fn text(self) -> &'a str {
        &self.text[self.start..self.end]
    }

    /// Returns the type, which the first byte determines.
    pub fn kind(self) -> Kind {
        match self.text().as_bytes().first() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Boolean,
            Some(b'n') => Kind::Null,
            _ => Kind::Number,
        }
    }

    /// Returns whether the value is `null`.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// Returns the unescaped string, or `None` for any other type and for a string with half of a surrogate pair.
    pub fn string(self) -> Option<String> {
        from_str(self.text()).ok()
    }

    /// Returns the value for a key of an object. If the key is repeated, the last value counts, as in other JSON parsers.
    pub fn get(self, key: &str) -> Option<Self> {
        let entries = self.entries().filter(|entry| entry.key == key);
        entries.last().map(|entry| entry.value)
    }

    /// Returns the entries of an object, or an empty list for any other type.
    pub fn entries(self) -> impl Iterator<Item = Entry<'a>> {
        let mut parts = self.parts(Kind::Object);
        std::iter::from_fn(move || {
            let key = parts.next()?;
            let value = parts.next()?;
            Some(Entry {
                key: key.string().unwrap_or_default(),
                value,
                place: key.start..value.end,
            })
        })
    }

    /// Returns the items of an array, or an empty list for any other type.
    pub fn items(self) -> impl Iterator<Item = Self> {
        self.parts(Kind::Array)
    }

    /// Returns whether this is the JSON form of `value`.
    pub(crate) fn equals(self, value: &Value) -> bool {
        from_str::<Value>(self.text()).is_ok_and(|read| is_equal(&read, value))
    }

    /// Returns the value's byte range in the text.
    pub fn place(self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the edit that sets the string under a key of an object, replacing an existing value.
    pub(crate) fn put(self, key: &str, string: &str) -> Edit {
        let string = Value::from(string);
        if let Some(value) = self.get(key) {
            return (value.place(), string.to_string());
        }
        let comma = self.entries().next().map_or("", |_| ",");
        let entry = format!("{}:{string}{comma}", Value::from(key));
        (self.start + 1..self.start + 1, entry)
    }

    /// Returns the object's text with JSON values set under keys, replacing existing values.
    pub fn with<'k>(self, changes: impl IntoIterator<Item = (&'k str, String)>) -> String {
        let (mut edits, mut added) = (Vec::new(), String::new());
        for (key, json) in changes {
            if let Some(value) = self.get(key) {
                edits.push((value.place(), json));
                continue;
            }
            let comma = if added.is_empty() { "" } else { "," };
            added.push_str(&format!("{comma}{}:{json}", Value::from(key)));
        }
        if !added.is_empty() {
            let comma = self.entries().next().map_or("", |_| ",");
            edits.push((self.start + 1..self.start + 1, added + comma));
        }
        self.edited(edits)
    }

    /// Returns the value's text with edits applied, which must not overlap.
    pub(crate) fn edited(self, mut edits: Vec<Edit>) -> String {
        edits.sort_by_key(|(place, _)| place.start);
        let (mut text, mut from) = (String::new(), self.start);
        for (place, put) in edits {
            text.push_str(&self.text[from..place.start]);
            text.push_str(&put);
            from = place.end;
        }
        text.push_str(&self.text[from..self.end]);
        text
    }

    /// Returns an array's items, or an object's keys and values alternately.
    fn parts(self, kind: Kind) -> impl Iterator<Item = Self> {
        let mut at = if self.kind() == kind {
            self.start + 1
        } else {
            self.end
        };
        std::iter::from_fn(move || {
            let bytes = self.text.as_bytes();
            let is_between = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b':');
            while at < self.end && is_between(bytes[at]) {
                at += 1;
            }
            // only the closing bracket is left
            if at + 1 >= self.end {
                return None;
            }
            let start = at;
            at = end_of(bytes, start);
            Some(Self {
                text: self.text,
                start,
                end: at,
            })
        })
    }
}

/// Returns the end of the value at `start`, without recursion.
fn end_of(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0usize);
    loop {
        match bytes[at] {
            b'"' => at = bytes.len() - behind_string(&bytes[at + 1..]).len(),
            b'[' | b'{' => {
                depth += 1;
                at += 1;
            }
            b']' | b'}' => {
                depth -= 1;
                at += 1;
            }
            _ => at += 1,
        }
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || b",:]}".contains(byte);
        let ended = matches!(bytes[at - 1], b'"' | b']' | b'}');
        if depth == 0 && (ended || bytes.get(at).is_none_or(is_end)) {
            return at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Map, to_string_pretty};

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            r#"[\[\]{}:,"\\ ]{0,4}"#.prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            let key = prop_oneof![any::<String>(), r#"["\\{}]{0,2}"#];
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(key, inner, 0..4)
                    .prop_map(|entries| Value::from(Map::from_iter(entries))),
            ]
        })
    }

    /// Reads the value again, part by part.
    fn read(raw: Raw<'_>) -> Value {
        match raw.kind() {
            Kind::Array => raw.items().map(read).collect(),
            Kind::Object => {
                let entries = raw.entries().map(|entry| (entry.key, read(entry.value)));
                Value::from(Map::from_iter(entries))
            }
            _ => from_str(raw.text()).unwrap(),
        }
    }

    proptest! {
        #[test]
        fn the_parts_are_those_of_serde_json(value in json()) {
            for text in [value.to_string(), to_string_pretty(&value).unwrap()] {
                let expected: Value = from_str(&text).unwrap();
                prop_assert_eq!(read(Raw::parse(&text).unwrap()), expected);
            }
        }
    }

    #[test]
    fn parts_are_found_as_they_were_written() {
        let text = " { \"a\\\"b\" : [1, \"]}\\\\\", {}, [ ] ,-2.50e+3,null] ,\"c\":{\"d\":true},\"c\":\"\\u00e9\"}\n";
        let raw = Raw::parse(text).unwrap();
        let keys: Vec<String> = raw.entries().map(|entry| entry.key).collect();
        assert_eq!(keys, ["a\"b", "c", "c"]);
        let list = raw.get("a\"b").unwrap();
        let items: Vec<&str> = list.items().map(Raw::text).collect();
        assert_eq!(items, ["1", "\"]}\\\\\"", "{}", "[ ]", "-2.50e+3", "null"]);
        assert_eq!(raw.get("c").unwrap().string().as_deref(), Some("é"));
        let second = raw.entries().nth(1).unwrap();
        assert_eq!(second.value.get("d").unwrap().kind(), Kind::Boolean);
        assert_eq!(&text[second.place], "\"c\":{\"d\":true}");
    }

    #[test]
    fn a_string_is_put_into_an_object() {
        for (text, edited) in [
            ("{}", r#"{"k":"\"v"}"#),
            (" { \"a\":1} ", r#"{"k":"\"v", "a":1}"#),
            (r#"{"k":1,"k": [] }"#, r#"{"k":1,"k": "\"v" }"#),
        ] {
            let raw = Raw::parse(text).unwrap();
            assert_eq!(raw.edited(vec![raw.put("k", "\"v")]), edited);
        }
        let raw = Raw::parse(r#"[{"a":1}, {}]"#).unwrap();
        let edits = raw.items().map(|item| item.put("b", "")).collect();
        assert_eq!(raw.edited(edits), r#"[{"b":"","a":1}, {"b":""}]"#);
    }

    #[test]
    fn an_object_has_other_values_and_more_keys() {
        let with = |text: &str| {
            let changes = [("a", "1"), ("b", "[2]"), ("c", "{}")];
            let changes = changes.map(|(key, json)| (key, json.to_owned()));
            Raw::parse(text).unwrap().with(changes)
        };
        assert_eq!(with("{}"), r#"{"a":1,"b":[2],"c":{}}"#);
        assert_eq!(
            with(r#" {"c" : 0, "d":7} "#),
            r#"{"a":1,"b":[2],"c" : {}, "d":7}"#
        );
        assert_eq!(with(r#"{"c":0,"b":0,"a":0}"#), r#"{"c":{},"b":[2],"a":1}"#);
    }

    #[test]
    fn values_without_parts_have_none() {
        for text in ["{}", "[]", " [ ] ", "1", "\"[1]\"", "null", "true"] {
            let raw = Raw::parse(text).unwrap();
            assert_eq!(
                (raw.items().count(), raw.entries().count()),
                (0, 0),
                "{text}"
            );
            assert_eq!(raw.text(), text.trim());
        }
        assert!(Raw::parse("{\"a\":1").is_err());
        assert!(Raw::parse("").is_err());
    }

    #[test]
    fn nesting_of_any_depth_is_passed_over() {
        let deep = format!("[{}{}, 7]", "[".repeat(100_000), "]".repeat(100_000));
        let raw = Raw::parse(&deep).unwrap();
        assert_eq!(raw.items().nth(1).unwrap().text(), "7");
    }
}
