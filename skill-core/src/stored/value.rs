//! A stored value as a tree.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Number, Value, json};
use std::fmt;

/// A value in any self-describing format. The order of map entries has no meaning.
#[derive(Clone, Debug)]
pub enum StoredValue {
    /// A missing value: `None` or unit.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer of up to 128 bits.
    Integer(i128),
    /// A float, which may be NaN or infinite.
    Float(f64),
    /// A string.
    Text(String),
    /// A byte string.
    Bytes(Vec<u8>),
    /// A list, a tuple or a set.
    List(Vec<Self>),
    /// A map or a struct.
    Map(Vec<(Self, Self)>),
}

impl StoredValue {
    /// Converts the value to JSON as serde_json does: map keys are strings, bytes are a list, and non-finite floats are `null`. A
    /// map with a key that JSON cannot represent becomes a list of pairs.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Integer(value) => Number::from_i128(*value).map_or(Value::Null, Value::Number),
            Self::Float(value) => Number::from_f64(*value).map_or(Value::Null, Value::Number),
            Self::Text(text) => Value::String(text.clone()),
            Self::Bytes(bytes) => Value::from(bytes.clone()),
            Self::List(items) => items.iter().map(Self::to_json).collect(),
            Self::Map(entries) => object_of(entries).unwrap_or_else(|| {
                let pair = |(key, value): &(Self, Self)| json!([key.to_json(), value.to_json()]);
                entries.iter().map(pair).collect()
            }),
        }
    }

    /// Returns the value at the end of `steps`, which are map keys and list indices.
    pub fn at(&self, steps: &[Self]) -> Option<&Self> {
        steps.iter().try_fold(self, |value, step| match value {
            Self::List(items) => items.get(step.as_index()?),
            Self::Map(entries) => {
                let mut entries = entries.iter();
                entries.find_map(|(key, value)| key.is_same(step).then_some(value))
            }
            _ => None,
        })
    }

    /// Returns the value at the end of `steps`, which are map keys and list indices, mutably.
    pub fn at_mut(&mut self, steps: &[Self]) -> Option<&mut Self> {
        steps.iter().try_fold(self, |value, step| match value {
            Self::List(items) => items.get_mut(step.as_index()?),
            Self::Map(entries) => {
                let mut entries = entries.iter_mut();
                entries.find_map(|(key, value)| key.is_same(step).then_some(value))
            }
            _ => None,
        })
    }

    /// Returns the map entry whose key is the string `key`.
    pub fn entry(&self, key: &str) -> Option<&Self> {
        let Self::Map(entries) = self else {
            return None;
        };
        let mut entries = entries.iter();
        entries.find_map(|(name, value)| (name.as_text() == Some(key)).then_some(value))
    }

    /// Returns the string, or `None` if the value is not a string.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    fn as_index(&self) -> Option<usize> {
        match self {
            Self::Integer(index) => usize::try_from(*index).ok(),
            _ => None,
        }
    }

    /// Removes the value at `path`, which consists of map keys joined by dots. Returns whether it existed.
    pub fn remove(&mut self, path: &str) -> bool {
        let Self::Map(entries) = self else {
            return false;
        };
        let rest_of = |key: &Self| match key {
            Self::Text(key) => path.strip_prefix(key.as_str()),
            _ => None,
        };
        if let Some(at) = entries.iter().position(|(key, _)| rest_of(key) == Some("")) {
            entries.remove(at);
            return true;
        }
        // A key may itself contain dots.
        entries.iter_mut().any(|(key, value)| {
            let rest = rest_of(key).and_then(|rest| rest.strip_prefix('.'));
            rest.is_some_and(|rest| value.remove(rest))
        })
    }
}

/// Converts map entries to a JSON object. Returns `None` if JSON cannot represent a key as a string, or if two keys become the
/// same string.
fn object_of(entries: &[(StoredValue, StoredValue)]) -> Option<Value> {
    let mut object = Map::new();
    for (key, value) in entries {
        let key = match key {
            StoredValue::Text(_) | StoredValue::Integer(_) | StoredValue::Bool(_) => {
                key.to_string()
            }
            StoredValue::Float(float) if float.is_finite() => key.to_string(),
            _ => return None,
        };
        if object.insert(key, value.to_json()).is_some() {
            return None;
        }
    }
    Some(Value::Object(object))
}

/// Writes a short description for people.
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
    use serde_json::{from_value, to_value};

    fn stored(value: Value) -> StoredValue {
        from_value(value).unwrap()
    }

    #[test]
    fn a_stored_value_becomes_the_json_that_serde_json_makes_of_it() {
        let state = json!({ "a": [1, -2, 0.5, null, true, u64::MAX], "b": { "c": "d" } });
        assert_eq!(stored(state.clone()).to_json(), state);
        assert_eq!(to_value(stored(state.clone())).unwrap(), state);
        let (text, number) = (StoredValue::Text("x".into()), StoredValue::Integer(-1));
        let numbered = StoredValue::Map(vec![
            (number.clone(), text),
            (StoredValue::Bool(true), number),
        ]);
        assert_eq!(numbered.to_json(), json!({ "-1": "x", "true": -1 }));
    }

    #[test]
    fn a_stored_value_that_json_cannot_represent_is_null_or_a_list_of_pairs() {
        let floats = [f64::NAN, f64::INFINITY].map(StoredValue::Float);
        assert_eq!(
            StoredValue::List(floats.to_vec()).to_json(),
            json!([null, null])
        );
        let text = |text: &str| StoredValue::Text(text.into());
        let odd = StoredValue::Map(vec![
            (StoredValue::List(vec![StoredValue::Integer(1)]), text("x")),
            (text("b"), text("y")),
        ]);
        assert_eq!(odd.to_json(), json!([[[1], "x"], ["b", "y"]]));
        // Two keys may become the same string.
        let same = StoredValue::Map(vec![
            (StoredValue::Integer(1), text("x")),
            (text("1"), text("y")),
        ]);
        assert_eq!(same.to_json(), json!([[1, "x"], ["1", "y"]]));
    }

    #[test]
    fn a_field_is_removed_by_its_path() {
        let mut state = stored(json!({ "a": { "b": 1, "c.d": { "x.y": 2 }, "e": 3 }, "f": [0] }));
        for path in ["a.x", "f.0", "x", "a.b.c", "a.c", "", "a."] {
            assert!(!state.remove(path), "{path}");
        }
        assert!(state.remove("a.c.d.x.y") && state.remove("a.b") && state.remove("f"));
        assert_eq!(state.to_json(), json!({ "a": { "c.d": {}, "e": 3 } }));
    }
}
