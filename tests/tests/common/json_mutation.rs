//! Generators of JSON that is nearly valid.
//!
//! JSON Schema and serde differ in ways that neither schemars nor this project can fix: `docs/schemas.md` has the list, and
//! `schema_limits.rs` shows each one. The generators avoid these:
//!
//! 1. Where serde buffers, `1.0` is no integer: no generated float is whole and fits an integer.
//! 2. serde's derives read a struct from an array of its fields: only an array is replaced by an array.
//! 3. serde's derives also read the variant `Red` from `{"Red": null}`: no key is the name of a variant.
//! 4. A set is read from repeated items, but its schema says `uniqueItems`: no array repeats an item.
//! 5. The keys of a map with numeric keys match `^\d+$`, but serde_json refuses `007`: there is no such key.
//! 6. An adjacently tagged unit variant may have any content according to schemars, and none according to serde: no tag
//!    becomes such a variant.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};

/// A proptest configuration with this many cases that writes no file of failures.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A change to one value in a document.
#[derive(Clone, Debug)]
pub enum Mutation {
    /// Replaces the value with the first, or an array with the second.
    Replace(Value, Vec<Value>),
    /// Removes one key or item.
    Remove(Index),
    /// Adds one key or item.
    Add(String, Value),
}

/// A scalar that some types accept and many refuse.
pub fn leaf() -> impl Strategy<Value = Value> {
    let numbers = vec![
        json!(0),
        json!(1),
        json!(3),
        json!(-1),
        json!(5),
        json!(6),
        json!(10),
        json!(-128),
        json!(-129),
        json!(255),
        json!(256),
        json!(65_536),
        json!(u32::MAX),
        json!(1_u64 << 32),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(0.5),
        json!(-0.5),
        json!(2.5),
        json!(1e30), // fits an `f32`; larger floats have their own test
    ];
    let texts = vec![
        "",
        "a",
        "ab",
        "abcd",
        "abcde",
        "A",
        "é",
        "日本",
        "red",
        "dark_green",
        "Point",
        "Card",
        "2024-01",
        "٢٠٢٤-٠١",
        "7",
        "true",
        "null",
    ];
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        prop::sample::select(numbers),
        prop::sample::select(texts).prop_map(Value::from),
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "a", "k", "size", "left", "street", "amount", "radius", "extra", "7", "x y"
        ])
        .prop_map(String::from),
        "[a-z]{1,3}",
    ]
}

/// A scalar or an object of scalars.
fn small() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => leaf(),
        1 => prop::collection::btree_map(key(), leaf(), 0..3).prop_map(|map| Value::Object(map.into_iter().collect())),
    ]
}

/// Any JSON with a few levels.
pub fn any_json() -> impl Strategy<Value = Value> {
    small().prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((key(), inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

pub fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        3 => (small(), prop::collection::vec(small(), 0..4)).prop_map(|(one, many)| Mutation::Replace(one, many)),
        2 => any::<Index>().prop_map(Mutation::Remove),
        1 => (key(), small()).prop_map(|(key, value)| Mutation::Add(key, value)),
    ]
}

/// A document with up to three mutations at any place.
pub fn mutated(
    document: impl Strategy<Value = Value>,
    mutation: impl Strategy<Value = Mutation>,
) -> impl Strategy<Value = Value> {
    let mutations = prop::collection::vec((any::<Index>(), mutation), 0..4);
    (document, mutations).prop_map(|(mut document, mutations)| {
        for (place, mutation) in mutations {
            let mut places = Vec::new();
            collect(&document, String::new(), &mut places);
            let place = &places[place.index(places.len())];
            apply(document.pointer_mut(place).expect("it was there"), mutation);
        }
        drop_repetitions(&mut document);
        document
    })
}

/// Collects the JSON pointer of every value.
pub fn collect(value: &Value, here: String, places: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, format!("{here}/{index}"), places);
            }
        }
        Value::Object(entries) => {
            for (key, entry) in entries {
                let key = key.replace('~', "~0").replace('/', "~1");
                collect(entry, format!("{here}/{key}"), places);
            }
        }
        _ => {}
    }
    places.push(here);
}

fn apply(value: &mut Value, mutation: Mutation) {
    match (value, mutation) {
        (value @ Value::Array(_), Mutation::Replace(one, many)) => {
            *value = match many.len() {
                0 => one,
                _ => Value::Array(many),
            }
        }
        (value, Mutation::Replace(one, _)) => *value = one,
        (Value::Array(items), Mutation::Remove(index)) if !items.is_empty() => {
            items.remove(index.index(items.len()));
        }
        (Value::Object(entries), Mutation::Remove(index)) if !entries.is_empty() => {
            let key = entries.keys().nth(index.index(entries.len())).cloned();
            entries.shift_remove(&key.expect("the index is one of theirs"));
        }
        (Value::Array(items), Mutation::Add(_, item)) => items.push(item),
        (Value::Object(entries), Mutation::Add(key, value)) => {
            entries.insert(key, value);
        }
        _ => {}
    }
}

fn drop_repetitions(value: &mut Value) {
    match value {
        Value::Array(items) => {
            items.iter_mut().for_each(drop_repetitions);
            let mut kept: Vec<Value> = Vec::new();
            for item in items.drain(..) {
                if !kept.contains(&item) {
                    kept.push(item);
                }
            }
            *items = kept;
        }
        Value::Object(entries) => entries.values_mut().for_each(drop_repetitions),
        _ => {}
    }
}
