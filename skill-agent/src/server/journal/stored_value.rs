//! Stored states as trees, to compare them.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::cmp::Ordering;
use std::fmt;

/// A value of the store's encoding. The order of the entries of a map has no meaning.
#[derive(Clone, Debug)]
pub(super) enum StoredValue {
    Null,
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    List(Vec<Self>),
    Map(Vec<(Self, Self)>),
}

/// Which differences matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Exact,
    /// The value that is read may have more fields, need not have those that are stored as `null`, and may have a float in the place
    /// of an integer.
    MayHaveMore,
}

/// The first difference between a stored value and the one that is read from it.
#[derive(Debug)]
pub(super) struct Difference {
    /// The path of the value, such as `stock.pen` or `lines.3`.
    pub(super) path: String,
    /// `None` if only the other has a value there.
    pub(super) stored: Option<StoredValue>,
    pub(super) read: Option<StoredValue>,
}

impl StoredValue {
    /// Compares a stored value with the one that is read from it. Lists with the same items in another order are equal, because
    /// sets and heaps are lists here.
    pub(super) fn difference(&self, read: &Self, comparison: Comparison) -> Option<Difference> {
        let (stored, read) = (self.sorted(), read.sorted());
        let mut found = stored.first_difference(&read, comparison)?;
        found.path = found.path.trim_start_matches('.').to_owned();
        Some(found)
    }

    /// Removes the value at a path of keys. Returns whether there was one.
    pub(super) fn remove(&mut self, path: &str) -> bool {
        let Self::Map(entries) = self else {
            return false;
        };
        let is_key = |key: &Self, name: &str| matches!(key, Self::Text(key) if key == name);
        if let Some(at) = entries.iter().position(|(key, _)| is_key(key, path)) {
            entries.remove(at);
            return true;
        }
        let Some((first, rest)) = path.split_once('.') else {
            return false;
        };
        let mut entries = entries.iter_mut();
        let entry = entries.find(|(key, _)| is_key(key, first));
        entry.is_some_and(|(_, value)| value.remove(rest))
    }

    fn first_difference(&self, read: &Self, comparison: Comparison) -> Option<Difference> {
        match (self, read) {
            (Self::Map(stored), Self::Map(read)) => map_difference(stored, read, comparison),
            (Self::List(stored), Self::List(read)) => list_difference(stored, read, comparison),
            (Self::Integer(_), Self::Float(_)) | (Self::Float(_), Self::Integer(_))
                if comparison == Comparison::Exact =>
            {
                Some(Difference::of(Some(self), Some(read)))
            }
            (stored, read) if stored.order(read).is_eq() => None,
            (stored, read) => Some(Difference::of(Some(stored), Some(read))),
        }
    }

    /// The value with the entries of all maps in order.
    fn sorted(&self) -> Self {
        match self {
            Self::List(items) => Self::List(items.iter().map(Self::sorted).collect()),
            Self::Map(entries) => {
                let entries = entries.iter();
                let mut entries: Vec<_> = entries
                    .map(|(key, value)| (key.sorted(), value.sorted()))
                    .collect();
                entries.sort_by(|(left, _), (right, _)| left.order(right));
                Self::Map(entries)
            }
            value => value.clone(),
        }
    }

    /// A total order of sorted values, in which an integer equals the same float.
    fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(left), Self::Bool(right)) => left.cmp(right),
            (Self::Integer(left), Self::Integer(right)) => left.cmp(right),
            (Self::Float(left), Self::Float(right)) => float_order(*left, *right),
            (Self::Integer(left), Self::Float(right)) => integer_order(*left, *right),
            (Self::Float(left), Self::Integer(right)) => integer_order(*right, *left).reverse(),
            (Self::Text(left), Self::Text(right)) => left.cmp(right),
            (Self::Bytes(left), Self::Bytes(right)) => left.cmp(right),
            (Self::List(left), Self::List(right)) => {
                let mut pairs = left.iter().zip(right);
                let first =
                    pairs.find_map(|(left, right)| Some(left.order(right)).filter(|o| o.is_ne()));
                first.unwrap_or_else(|| left.len().cmp(&right.len()))
            }
            (Self::Map(left), Self::Map(right)) => {
                let mut pairs = left.iter().zip(right);
                let first = pairs.find_map(|(left, right)| {
                    let order = left.0.order(&right.0).then_with(|| left.1.order(&right.1));
                    Some(order).filter(|order| order.is_ne())
                });
                first.unwrap_or_else(|| left.len().cmp(&right.len()))
            }
            _ => self.kind().cmp(&other.kind()),
        }
    }

    fn kind(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Bool(_) => 1,
            Self::Integer(_) | Self::Float(_) => 2,
            Self::Text(_) => 3,
            Self::Bytes(_) => 4,
            Self::List(_) => 5,
            Self::Map(_) => 6,
        }
    }
}

/// An integer equals a float only if both are the same number.
fn integer_order(integer: i128, float: f64) -> Ordering {
    // A float beyond `i128` becomes its end, and NaN comes last.
    let rounded = if float.is_nan() {
        i128::MAX
    } else {
        float as i128
    };
    integer
        .cmp(&rounded)
        .then_with(|| float_order(rounded as f64, float))
}

/// NaN equals itself, and zero its negative.
fn float_order(left: f64, right: f64) -> Ordering {
    left.partial_cmp(&right)
        .unwrap_or_else(|| left.total_cmp(&right))
}

/// The first difference of sorted maps.
fn map_difference(
    stored: &[(StoredValue, StoredValue)],
    read: &[(StoredValue, StoredValue)],
    comparison: Comparison,
) -> Option<Difference> {
    let (mut stored, mut read) = (stored.iter().peekable(), read.iter().peekable());
    let is_needed = |value: &StoredValue| {
        comparison == Comparison::Exact || !matches!(value, StoredValue::Null)
    };
    loop {
        let order = match (stored.peek(), read.peek()) {
            (None, None) => return None,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((left, _)), Some((right, _))) => left.order(right),
        };
        let found = match order {
            Ordering::Less => {
                let (key, value) = stored.next()?;
                let lost = is_needed(value).then(|| Difference::of(Some(value), None));
                lost.map(|found| found.below(key))
            }
            Ordering::Greater => {
                let (key, value) = read.next()?;
                let added = comparison == Comparison::Exact;
                added.then(|| Difference::of(None, Some(value)).below(key))
            }
            Ordering::Equal => {
                let ((key, stored), (_, read)) = (stored.next()?, read.next()?);
                let found = stored.first_difference(read, comparison);
                found.map(|found| found.below(key))
            }
        };
        if found.is_some() {
            return found;
        }
    }
}

fn list_difference(
    stored: &[StoredValue],
    read: &[StoredValue],
    comparison: Comparison,
) -> Option<Difference> {
    let found = item_difference(stored, read, comparison)?;
    let (mut stored, mut read) = (stored.to_vec(), read.to_vec());
    stored.sort_by(StoredValue::order);
    read.sort_by(StoredValue::order);
    item_difference(&stored, &read, comparison)?;
    Some(found)
}

fn item_difference(
    stored: &[StoredValue],
    read: &[StoredValue],
    comparison: Comparison,
) -> Option<Difference> {
    (0..stored.len().max(read.len())).find_map(|index| {
        let found = match (stored.get(index), read.get(index)) {
            (Some(stored), Some(read)) => stored.first_difference(read, comparison)?,
            (stored, read) => Difference::of(stored, read),
        };
        Some(found.below(&StoredValue::Integer(index as i128)))
    })
}

impl Difference {
    fn of(stored: Option<&StoredValue>, read: Option<&StoredValue>) -> Self {
        Self {
            path: String::new(),
            stored: stored.cloned(),
            read: read.cloned(),
        }
    }

    fn below(self, key: &StoredValue) -> Self {
        let path = format!(".{key}{}", self.path);
        Self { path, ..self }
    }
}

/// As JSON would show it; only for people.
impl fmt::Display for StoredValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
            Self::Text(text) => f.write_str(text),
            Self::Bytes(bytes) => write!(f, "{} bytes", bytes.len()),
            Self::List(items) => write!(f, "a list of {}", items.len()),
            Self::Map(entries) => write!(f, "a map of {}", entries.len()),
        }
    }
}

impl Serialize for StoredValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => match i64::try_from(*value) {
                Ok(value) => serializer.serialize_i64(value),
                Err(_) => serializer.serialize_u64(*value as u64),
            },
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Self::List(items) => items.serialize(serializer),
            Self::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for StoredValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StoredValueVisitor)
    }
}

struct StoredValueVisitor;

impl<'de> Visitor<'de> for StoredValueVisitor {
    type Value = StoredValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a stored value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<StoredValue, E> {
        Ok(StoredValue::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<StoredValue, E> {
        Ok(StoredValue::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<StoredValue, E> {
        Ok(StoredValue::Integer(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<StoredValue, E> {
        Ok(StoredValue::Float(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<StoredValue, E> {
        Ok(StoredValue::Text(text.to_owned()))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<StoredValue, E> {
        Ok(StoredValue::Bytes(bytes.to_vec()))
    }

    fn visit_unit<E>(self) -> Result<StoredValue, E> {
        Ok(StoredValue::Null)
    }

    fn visit_none<E>(self) -> Result<StoredValue, E> {
        Ok(StoredValue::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<StoredValue, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<StoredValue, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(StoredValue::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<StoredValue, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(StoredValue::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{decode, encode};
    use serde_json::{Value, json};
    use std::collections::{BTreeMap, HashSet};

    fn stored(value: &(impl Serialize + ?Sized)) -> StoredValue {
        decode(&encode(value).unwrap()).unwrap()
    }

    fn paths(left: &Value, right: &Value) -> [Option<String>; 2] {
        [Comparison::Exact, Comparison::MayHaveMore].map(|comparison| {
            let found = stored(left).difference(&stored(right), comparison);
            found.map(|found| found.path)
        })
    }

    #[test]
    fn values_differ_at_their_first_path() {
        let state = json!({ "a": 1, "b": { "c": [1, { "d": "x" }], "e": null } });
        let same = json!({ "b": { "e": null, "c": [1, { "d": "x" }] }, "a": 1 });
        assert_eq!(paths(&state, &same), [None, None]);
        let float = json!({ "b": { "e": null, "c": [1, { "d": "x" }] }, "a": 1.0 });
        assert_eq!(paths(&state, &float), [Some("a".to_owned()), None]);
        let at = |path: &str| [Some(path.to_owned()), Some(path.to_owned())];
        let other = json!({ "a": 1, "b": { "c": [1, { "d": "y" }], "e": null } });
        assert_eq!(paths(&state, &other), at("b.c.1.d"));
        let other = json!({ "a": 1, "b": { "c": [1], "e": null } });
        assert_eq!(paths(&state, &other), at("b.c.1"));
        let other = json!({ "b": { "c": [1, { "d": "x" }], "e": null } });
        assert_eq!(paths(&state, &other), at("a"));
        let more = json!({ "a": 1, "f": 0, "b": { "c": [1, { "d": "x", "g": 0 }] } });
        assert_eq!(paths(&state, &more), [Some("b.c.1.g".to_owned()), None]);
    }

    #[test]
    fn sets_maps_and_floats_are_compared_by_their_values() {
        let left: HashSet<String> = (0..50).map(|n| n.to_string()).collect();
        let right: HashSet<String> = (0..50).rev().map(|n| n.to_string()).collect();
        let equal = |left: &StoredValue, right: &StoredValue| {
            left.difference(right, Comparison::Exact).is_none()
        };
        assert!(equal(&stored(&left), &stored(&right)));
        assert!(!equal(
            &stored(&left),
            &stored(&right.iter().skip(1).collect::<Vec<_>>())
        ));
        let floats = [f64::NAN, f64::INFINITY, -0.0];
        assert!(equal(
            &stored(&floats),
            &stored(&[f64::NAN, f64::INFINITY, 0.0])
        ));
        assert!(!equal(
            &stored(&floats),
            &stored(&[0.0, f64::INFINITY, 0.0])
        ));
        let long = 9_007_199_254_740_993_u64;
        for (integer, float, is_same) in
            [(long, long as f64, false), (5, 5.0, true), (5, 5.5, false)]
        {
            let found = stored(&integer).difference(&stored(&float), Comparison::MayHaveMore);
            assert_eq!(found.is_none(), is_same, "{integer} and {float}");
        }
        let numbered = BTreeMap::from([(1, 'a'), (2, 'b')]);
        assert!(equal(&stored(&numbered), &stored(&numbered)));
        assert!(!equal(
            &stored(&json!({ "1": "a", "2": "b" })),
            &stored(&numbered)
        ));
        assert!(!equal(&stored("1"), &stored(&1)));
    }

    #[test]
    fn a_field_is_removed_by_its_path() {
        let mut state = stored(&json!({ "a": { "b": 1, "c.d": 2, "e": 3 }, "f": [0] }));
        for path in ["a.x", "f.0", "x", "a.b.c"] {
            assert!(!state.remove(path), "{path}");
        }
        assert!(state.remove("a.b") && state.remove("a.c.d") && state.remove("f"));
        let rest: Value = decode(&encode(&state).unwrap()).unwrap();
        assert_eq!(rest, json!({ "a": { "e": 3 } }));
        let numbers = json!([u64::MAX, i64::MIN, -1, 1.5]);
        let again: Value = decode(&encode(&stored(&numbers)).unwrap()).unwrap();
        assert_eq!(again, numbers);
    }
}
