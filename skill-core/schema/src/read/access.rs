//! The parts of a value under a [`Cursor`]: elements, entries, keys and variants.
//!
//! This module accepts the same values as serde_json, and refuses all others with the same messages. The only addition is the
//! path.

use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Map, Number, Value, map};

use crate::read::cursor::Cursor;
use crate::read::log::ReadLog;
use crate::value::path::PathNode;

/// The elements of an array.
pub(crate) struct Elements<'de, 'c> {
    items: std::slice::Iter<'de, Value>,
    index: usize,
    node: &'c PathNode<'c>,
    log: &'c ReadLog<'c>,
}

impl<'de: 'c, 'c> Elements<'de, 'c> {
    pub(crate) fn visit<V: Visitor<'de>>(
        items: &'de [Value],
        node: &'c PathNode<'c>,
        log: &'c ReadLog<'c>,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let mut elements = Self {
            items: items.iter(),
            index: 0,
            node,
            log,
        };
        let value = visitor.visit_seq(&mut elements)?;
        match elements.items.len() {
            0 => Ok(value),
            _ => Err(de::Error::invalid_length(
                items.len(),
                &"fewer elements in array",
            )),
        }
    }
}

impl<'de: 'c, 'c> SeqAccess<'de> for Elements<'de, 'c> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some(value) = self.items.next() else {
            return Ok(None);
        };
        let node = PathNode::Index(self.node, self.index);
        let log = self.log;
        self.index += 1;
        let result = seed.deserialize(Cursor { value, node, log });
        log.note(&node, false, result).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// The entries of an object. If `MAP` is set, entries to be removed are skipped.
pub(crate) struct Entries<'de, 'c, const MAP: bool> {
    entries: map::Iter<'de>,
    current: Option<(&'de str, &'de Value)>,
    node: &'c PathNode<'c>,
    log: &'c ReadLog<'c>,
}

impl<'de: 'c, 'c, const MAP: bool> Entries<'de, 'c, MAP> {
    pub(crate) fn visit<V: Visitor<'de>>(
        object: &'de Map<String, Value>,
        node: &'c PathNode<'c>,
        log: &'c ReadLog<'c>,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let mut entries = Self {
            entries: object.iter(),
            current: None,
            node,
            log,
        };
        let value = visitor.visit_map(&mut entries)?;
        match entries.entries.len() {
            0 => Ok(value),
            _ => Err(de::Error::invalid_length(
                object.len(),
                &"fewer elements in map",
            )),
        }
    }
}

impl<'de: 'c, 'c, const MAP: bool> MapAccess<'de> for Entries<'de, 'c, MAP> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let next = if MAP {
            let log = self.log;
            self.entries.find(|(_, value)| !log.is_removal(value))
        } else {
            self.entries.next()
        };
        let Some((key, value)) = next else {
            return Ok(None);
        };
        self.current = Some((key, value));
        let result = seed.deserialize(Key(key));
        let node = PathNode::Key(self.node, key);
        self.log.note(&node, true, result).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        let Some((key, value)) = self.current.take() else {
            return Err(de::Error::custom("value is missing"));
        };
        let node = PathNode::Key(self.node, key);
        let log = self.log;
        let result = seed.deserialize(Cursor { value, node, log });
        log.note(&node, false, result)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

/// The key of an entry. If the key type is a number or a boolean, the string is parsed.
struct Key<'de>(&'de str);

macro_rules! numeric {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.0.parse::<Number>() {
                Ok(number) => number.$method(visitor),
                Err(_) => Err(de::Error::custom("expected key to be a number in quotes")),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = Error;

    numeric! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128 deserialize_u8
        deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            other => Err(de::Error::invalid_type(Unexpected::Str(other), &visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(de::value::BorrowedStrDeserializer::new(self.0))
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}

/// An enum variant: either only its name, or `{ name: contents }`.
pub(crate) struct Variant<'de, 'c> {
    name: &'de str,
    contents: Option<&'de Value>,
    node: &'c PathNode<'c>,
    log: &'c ReadLog<'c>,
}

impl<'de: 'c, 'c> Variant<'de, 'c> {
    pub(crate) fn of(
        value: &'de Value,
        node: &'c PathNode<'c>,
        log: &'c ReadLog<'c>,
    ) -> Option<Self> {
        let (name, contents) = match value {
            Value::String(name) => (&name[..], None),
            Value::Object(entries) if entries.len() == 1 => {
                let (name, contents) = entries.iter().next()?;
                (&name[..], Some(contents))
            }
            _ => return None,
        };
        Some(Self {
            name,
            contents,
            node,
            log,
        })
    }

    /// Returns the contents, or an error if the variant is written as only a name.
    fn contents(&self, expected: &str) -> Result<Cursor<'de, 'c>, Error> {
        let Some(value) = self.contents else {
            return Err(de::Error::invalid_type(Unexpected::UnitVariant, &expected));
        };
        Ok(Cursor {
            value,
            node: PathNode::Key(self.node, self.name),
            log: self.log,
        })
    }
}

impl<'de: 'c, 'c> EnumAccess<'de> for Variant<'de, 'c> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let name: de::value::StrDeserializer<'_, Error> = self.name.into_deserializer();
        let result = seed.deserialize(name);
        let variant = self.log.note(self.node, false, result)?;
        Ok((variant, self))
    }
}

impl<'de: 'c, 'c> VariantAccess<'de> for Variant<'de, 'c> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.contents {
            None => Ok(()),
            Some(_) => Deserialize::deserialize(self.contents("unit variant")?),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        let cursor = self.contents("newtype variant")?;
        let node = cursor.node;
        self.log.note(&node, false, seed.deserialize(cursor))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, Error> {
        self.contents("tuple variant")?.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.contents("struct variant")?
            .deserialize_struct("", fields, visitor)
    }
}
