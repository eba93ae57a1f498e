//! Detects repeated keys in objects. serde_json silently keeps the last one.
//!
//! Repeated keys are detected by counting: every entry of an object has one colon. If the value has fewer entries than the text
//! has colons, the text is read key by key to find the path.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Error, Value};

use crate::read::log::ReadLog;
use crate::value::depth::outside_strings;
use crate::value::path::{PathNode, shorten_name};

/// Returns whether `value`, read from `text`, lacks entries because keys were repeated.
pub(crate) fn lost_entries(text: &str, value: &Value) -> bool {
    let written = outside_strings(text).filter(|byte| *byte == b':').count();
    entries(value) != written
}

fn entries(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(entries).sum(),
        Value::Object(object) => object.len() + object.values().map(entries).sum::<usize>(),
        _ => 0,
    }
}

/// Finds the first repeated key, or another reason why `text` cannot be read as a value, and records its path in `log`.
#[cold]
pub(crate) fn inspect(text: &str, log: &ReadLog<'_>) -> Result<(), Error> {
    let node = PathNode::Root;
    let reader = ValueReader { node: &node, log };
    let result = reader.deserialize(&mut serde_json::Deserializer::from_str(text));
    log.note(&node, false, result)
}

/// Reads a value at a path and discards it.
struct ValueReader<'c> {
    node: &'c PathNode<'c>,
    log: &'c ReadLog<'c>,
}

impl<'de> DeserializeSeed<'de> for ValueReader<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

macro_rules! no_keys_in {
    ($($method:ident($type:ty))*) => {$(
        fn $method<E>(self, _: $type) -> Result<(), E> {
            Ok(())
        }
    )*};
}

impl<'de> Visitor<'de> for ValueReader<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    no_keys_in! {
        visit_bool(bool) visit_i64(i64) visit_u64(u64) visit_f64(f64) visit_str(&str)
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        let log = self.log;
        let mut index = 0;
        loop {
            let node = PathNode::Index(self.node, index);
            let reader = ValueReader { node: &node, log };
            let element = elements.next_element_seed(reader);
            if log.note(&node, false, element)?.is_none() {
                return Ok(());
            }
            index += 1;
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let log = self.log;
        let mut seen = HashSet::new();
        while let Some(key) = entries.next_key::<String>()? {
            let node = PathNode::Key(self.node, &key);
            if seen.contains(&key) {
                let key = shorten_name(&key);
                let error = A::Error::custom(format_args!("the key `{key}` is given twice"));
                return log.note(&node, true, Err(error));
            }
            let reader = ValueReader { node: &node, log };
            log.note(&node, false, entries.next_value_seed(reader))?;
            seen.insert(key);
        }
        Ok(())
    }
}
