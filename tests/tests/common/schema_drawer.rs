//! Draws values from a JSON schema, and changes them.
//!
//! Serde reads some values that no schema of schemars shows. `docs/schemas.md` has a row for each, and these are never drawn: an
//! array in the place of a struct, an object in the place of a variant without content, and keys such as `007` of a map whose
//! keys are numbers.

use super::json_mutation::collect;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::string::string_regex;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// From this depth on, everything that may be left out is left out.
const DEEP: usize = 4;

pub struct Drawer<'s> {
    root: &'s Value,
    runner: TestRunner,
}

impl<'s> Drawer<'s> {
    /// A drawer of values of a schema that draws the same values in each run.
    pub fn new(root: &'s Value) -> Self {
        Self {
            root,
            runner: TestRunner::deterministic(),
        }
    }

    /// Draws a value of the schema. It may violate what only a combination of keywords says.
    pub fn value(&mut self) -> Value {
        self.draw(self.root, 0)
    }

    /// Changes one part of a value.
    pub fn change(&mut self, value: &mut Value) {
        let mut places = Vec::new();
        collect(value, String::new(), &mut places);
        let place = &places[self.below(places.len())];
        let part = value.pointer_mut(place).expect("it was collected");
        self.change_part(part);
    }

    fn below(&mut self, end: usize) -> usize {
        self.runner.rng().random_range(0..end)
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }

    fn draw(&mut self, schema: &'s Value, depth: usize) -> Value {
        if let Some(constant) = schema.get("const") {
            return constant.clone();
        }
        if let Some(listed) = schema.get("enum").and_then(Value::as_array) {
            return self.pick(listed);
        }
        let mut parts = Vec::new();
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let target = self.root.pointer(reference.trim_start_matches('#'));
            parts.push(self.draw(target.expect("a reference has a target"), depth));
        }
        for keyword in ["oneOf", "anyOf"] {
            if let Some(branches) = schema.get(keyword).and_then(Value::as_array) {
                let branch = self.branch(branches, depth);
                parts.push(self.draw(branch, depth + 1));
            }
        }
        for part in schema
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            parts.push(self.draw(part, depth));
        }
        match schema.get("type") {
            Some(Value::String(kind)) => parts.push(self.draw_kind(schema, kind, depth)),
            Some(Value::Array(kinds)) => {
                let kind = self.pick(kinds);
                let kind = kind.as_str().expect("a type is text");
                parts.push(self.draw_kind(schema, kind, depth));
            }
            _ if parts.is_empty() => parts.push(self.anything()),
            _ => {}
        }
        merged(parts)
    }

    /// One of the branches; in the depth one that ends.
    fn branch(&mut self, branches: &'s [Value], depth: usize) -> &'s Value {
        let ends = |branch: &&Value| {
            let is_short = branch["type"] == "null" || branch["type"] == "string";
            is_short || branch.get("const").is_some()
        };
        match branches.iter().find(ends) {
            Some(branch) if depth > DEEP => branch,
            _ => &branches[self.below(branches.len())],
        }
    }

    fn draw_kind(&mut self, schema: &'s Value, kind: &str, depth: usize) -> Value {
        match kind {
            "null" => Value::Null,
            "boolean" => json!(self.one_in(2)),
            "integer" => self.integer(schema),
            "number" => self.number(schema),
            "string" => json!(self.text(schema)),
            "array" => self.array(schema, depth),
            "object" => self.object(schema, depth),
            other => panic!("no value of the type {other}"),
        }
    }

    fn integer(&mut self, schema: &Value) -> Value {
        let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_number)?.as_i128();
        let (least, greatest) = limits_of_format(schema);
        let above = limit("exclusiveMinimum").map(|limit| limit + 1);
        let below = limit("exclusiveMaximum").map(|limit| limit - 1);
        let least = limit("minimum").or(above).unwrap_or(least);
        let greatest = limit("maximum").or(below).unwrap_or(greatest);
        let near = self
            .runner
            .rng()
            .random_range(-40..40)
            .clamp(least, greatest);
        let any = self.runner.rng().random_range(least..=greatest);
        let drawn = self.pick(&[least, greatest, near, near, any]);
        // `2.0` is an integer, up to 2^53
        if self.one_in(8) && drawn.unsigned_abs() <= 1 << 53 {
            return json!(drawn as f64);
        }
        match u64::try_from(drawn) {
            Ok(drawn) => json!(drawn),
            Err(_) => json!(i64::try_from(drawn).expect("a `Value` has 64 bits")),
        }
    }

    fn number(&mut self, schema: &Value) -> Value {
        let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
        let least = limit("minimum").or(limit("exclusiveMinimum"));
        let greatest = limit("maximum").or(limit("exclusiveMaximum"));
        let free = [0.0, -0.0, 0.5, -2.5, 1e-30, 3.0, 1e30, -1e30, 0.1];
        let drawn = match (least, greatest) {
            (None, None) => self.pick(&free),
            (Some(end), None) | (None, Some(end)) => end,
            (Some(least), Some(greatest)) => {
                let share = self.pick(&[0.0, 0.25, 0.5, 1.0]);
                least + (greatest - least) * share
            }
        };
        if self.one_in(4) && drawn.fract() == 0.0 && drawn.abs() < 1e15 {
            return json!(drawn as i64);
        }
        json!(drawn)
    }

    fn text(&mut self, schema: &Value) -> String {
        match schema.get("format").and_then(Value::as_str) {
            Some("ip") if self.one_in(2) => return IpAddr::V6(self.ipv6()).to_string(),
            Some("ip" | "ipv4") => {
                return Ipv4Addr::from_bits(self.below(1 << 32) as u32).to_string();
            }
            Some("ipv6") => return self.ipv6().to_string(),
            _ => {}
        }
        let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
        if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
            let inner = pattern.trim_start_matches('^').trim_end_matches('$');
            let texts = string_regex(inner).expect("the pattern is a regular expression");
            let text = texts
                .new_tree(&mut self.runner)
                .expect("it has texts")
                .current();
            let greatest = limit("maxLength").unwrap_or(u64::MAX) as usize;
            return text.chars().take(greatest).collect();
        }
        let least = limit("minLength").unwrap_or(0) as usize;
        let greatest = limit("maxLength").map_or(least + 4, |limit| limit as usize);
        let length = self.runner.rng().random_range(least..=greatest);
        let letters = ['a', 'B', '7', ' ', 'é', '日', '"', '\u{0}', '\u{1f600}'];
        (0..length).map(|_| self.pick(&letters)).collect()
    }

    fn ipv6(&mut self) -> Ipv6Addr {
        Ipv6Addr::from_bits(self.runner.rng().random())
    }

    fn array(&mut self, schema: &'s Value, depth: usize) -> Value {
        let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
        let first = schema.get("prefixItems").and_then(Value::as_array);
        let mut items: Vec<Value> = Vec::new();
        for schema in first.into_iter().flatten() {
            items.push(self.draw(schema, depth + 1));
        }
        let Some(rest) = schema.get("items") else {
            return Value::Array(items);
        };
        let least = limit("minItems").unwrap_or(0) as usize;
        let more = if depth > DEEP { 0 } else { 3 };
        let greatest = limit("maxItems").map_or(least + more, |limit| limit as usize);
        let length = self.runner.rng().random_range(least..=greatest);
        let is_set = schema["uniqueItems"] == true;
        // a set may have fewer values than that
        for _ in items.len()..length {
            let item = self.draw(rest, depth + 1);
            if !is_set || !items.contains(&item) {
                items.push(item);
            }
        }
        Value::Array(items)
    }

    fn object(&mut self, schema: &'s Value, depth: usize) -> Value {
        let mut entries = Map::new();
        let required = schema.get("required").and_then(Value::as_array);
        let required: Vec<&Value> = required.into_iter().flatten().collect();
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            let is_required = required.iter().any(|required| *required == name);
            if is_required || (depth <= DEEP && !self.one_in(3)) {
                entries.insert(name.clone(), self.draw(property, depth + 1));
            }
        }
        let named = ["a", "k", "", "x y", "é", "more"].map(str::to_owned);
        let numbers = ["0", "7", "42", "-3"].map(str::to_owned);
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        let by_pattern = patterns.into_iter().flatten();
        let by_pattern = by_pattern.map(|(_, entry)| (&numbers[..], entry));
        let others = schema
            .get("additionalProperties")
            .map(|others| (&named[..], others));
        let (most, any) = (if depth > DEEP { 1 } else { 3 }, &Value::Bool(true));
        let open = others.is_none().then_some((&named[5..], any));
        for (keys, entry) in by_pattern.chain(others).chain(open) {
            if entry == &Value::Bool(false) {
                continue;
            }
            for _ in 0..self.below(most) {
                let key = self.pick(keys);
                if !entries.contains_key(&key) {
                    entries.insert(key, self.draw(entry, depth + 1));
                }
            }
        }
        Value::Object(entries)
    }

    /// Any JSON, without an array or object that a struct or a variant could be read from.
    fn anything(&mut self) -> Value {
        self.pick(&[
            Value::Null,
            json!(true),
            json!(-1),
            json!(0),
            json!(300),
            json!(70_000),
            json!(1_u64 << 40),
            json!(u64::MAX),
            json!(i64::MIN),
            json!(0.5),
            json!(1e30),
            json!(""),
            json!("no"),
            json!("1"),
            json!([{}]),
            json!({ "odd": [] }),
        ])
    }

    fn change_part(&mut self, part: &mut Value) {
        let is_object = part.is_object();
        match part {
            Value::Number(number) if self.one_in(2) => {
                let by = self.pick(&[-1.5, -0.5, 0.5, 256.0, -1000.0]);
                *part = match number.as_i64() {
                    Some(number) if self.one_in(2) => json!(number.saturating_add(by as i64)),
                    _ => json!(number.as_f64().unwrap_or(0.0) + by),
                };
            }
            Value::String(text) if self.one_in(2) => match self.below(3) {
                0 => text.clear(),
                1 => text.push_str("zzz"),
                _ => text.insert(0, 'é'),
            },
            Value::Array(items) if self.one_in(2) => match self.below(3) {
                0 => drop(items.pop()),
                1 => items.extend(items.first().cloned()),
                _ => items.push(self.anything()),
            },
            Value::Object(entries) if !entries.is_empty() && !self.one_in(3) => {
                let keys: Vec<String> = entries.keys().cloned().collect();
                let entry = entries.shift_remove(&self.pick(&keys));
                match self.below(3) {
                    0 => {}
                    1 => drop(entries.insert("unknown".to_owned(), Value::Null)),
                    _ => drop(entries.insert("unknown".to_owned(), entry.unwrap_or_default())),
                }
            }
            _ => *part = self.anything(),
        }
        if is_object && part.is_array() {
            *part = json!("no object");
        }
    }
}

/// The limits that serde checks and schemars writes as a format.
fn limits_of_format(schema: &Value) -> (i128, i128) {
    match schema.get("format").and_then(Value::as_str) {
        Some("int32") => (i32::MIN.into(), i32::MAX.into()),
        Some("uint32") => (0, u32::MAX.into()),
        Some("uint64" | "uint") => (0, u64::MAX.into()),
        Some("int128") => (i64::MIN.into(), u64::MAX.into()),
        Some("uint128") => (0, u64::MAX.into()),
        _ => (i64::MIN.into(), i64::MAX.into()),
    }
}

/// The parts that several keywords describe: objects together have the entries of all.
fn merged(parts: Vec<Value>) -> Value {
    let merge = |one: Value, other: Value| match (one, other) {
        (Value::Object(mut one), Value::Object(other)) => {
            one.extend(other);
            Value::Object(one)
        }
        (one, _) => one,
    };
    parts.into_iter().reduce(merge).unwrap_or_default()
}
