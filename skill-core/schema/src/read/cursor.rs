//! A deserializer over a borrowed [`Value`] that knows the path of the value.
//!
//! serde_json's deserializer over `&Value` reports what is wrong but not where. This deserializer records the path of an error
//! and the unknown keys in a [`ReadLog`], and can return floats that JSON cannot represent. The path is a linked list on the
//! stack, so reading a valid document allocates nothing.
//!
//! `Cursor` is one concrete type, and mistakes in JSON text are found by reading the parsed value. Each user type is therefore
//! compiled for only two deserializers: this one, and serde_json's for text. The crates serde_path_to_error and serde_ignored
//! would wrap a deserializer in more types. `benches/RESULTS.md` compares the two approaches.

use std::convert::Infallible;
use std::fmt;

use serde::de::{Deserializer, Expected, Visitor};
use serde_json::{Error, Number, Value};

use crate::read::access::{Elements, Entries, Variant};
use crate::read::log::ReadLog;
use crate::value::path::PathNode;

/// A value to be read, with its path.
pub(crate) struct Cursor<'de, 'c> {
    pub(crate) value: &'de Value,
    pub(crate) node: PathNode<'c>,
    pub(crate) log: &'c ReadLog<'c>,
}

impl<'de: 'c, 'c> Cursor<'de, 'c> {
    pub(crate) fn new(value: &'de Value, log: &'c ReadLog<'c>) -> Self {
        Self {
            value,
            node: PathNode::Root,
            log,
        }
    }

    /// Reads an array or an object part by part, if the type expects one.
    fn parts<V: Visitor<'de>, const ARRAY: bool, const OBJECT: bool, const MAP: bool>(
        self,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (node, log) = (self.node, self.log);
        let result = match self.value {
            Value::Array(items) if ARRAY => Elements::visit(items, &node, log, visitor),
            Value::Object(entries) if OBJECT => Entries::<MAP>::visit(entries, &node, log, visitor),
            value => Err(refused(value, &visitor)),
        };
        log.note(&node, false, result)
    }

    /// Reads a value without parts.
    fn whole<V: Visitor<'de>>(
        self,
        visitor: V,
        read: impl FnOnce(&'de Value, V) -> Result<V::Value, Error>,
    ) -> Result<V::Value, Error> {
        let result = match self.log.float(self.value) {
            Some(float) => visitor.visit_f64(float),
            None => read(self.value, visitor),
        };
        self.log.note(&self.node, false, result)
    }
}

/// Reads integers with serde_json, except integers that are written like `2.0` or `1e3`.
macro_rules! integers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.whole(visitor, |value, visitor| match value {
                Value::Number(number) if number.is_f64() => {
                    integer_of(number)?.$method(visitor)
                }
                value => value.$method(visitor),
            })
        }
    )*};
}

/// Reads values without parts with serde_json.
macro_rules! whole {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.whole(visitor, |value, visitor| value.$method(visitor))
        }
    )*};
}

impl<'de: 'c, 'c> Deserializer<'de> for Cursor<'de, 'c> {
    type Error = Error;

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128 deserialize_u8
        deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    whole! {
        deserialize_bool deserialize_f64 deserialize_char deserialize_str deserialize_string deserialize_unit deserialize_identifier
    }

    /// Refuses a number too large for an `f32`. Serde would turn it into infinity.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.whole(visitor, |value, visitor| match value.as_f64() {
            Some(number) if number.is_finite() && (number as f32).is_infinite() => {
                let message = format_args!("{value} is out of range, expected f32");
                Err(serde::de::Error::custom(message))
            }
            _ => value.deserialize_f32(visitor),
        })
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if let Value::Array(_) | Value::Object(_) = self.value {
            return self.parts::<V, true, true, true>(visitor);
        }
        self.whole(visitor, |value, visitor| match value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(truth) => visitor.visit_bool(*truth),
            Value::Number(number) => number.deserialize_any(visitor),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(_) | Value::Object(_) => Err(refused(value, &visitor)),
        })
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::String(_) => self.deserialize_str(visitor),
            _ => self.parts::<V, true, false, true>(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.is_null() && self.log.float(self.value).is_none() {
            return visitor.visit_none();
        }
        let (node, log) = (self.node, self.log);
        log.note(&node, false, visitor.visit_some(self))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (node, log) = (self.node, self.log);
        log.note(&node, false, visitor.visit_newtype_struct(self))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.parts::<V, true, false, true>(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.parts::<V, false, true, true>(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.log.enter_struct(&self.node);
        self.parts::<V, true, true, false>(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (node, log) = (self.node, self.log);
        let result = match Variant::of(self.value, &node, log) {
            Some(variant) => visitor.visit_enum(variant),
            None => Err(no_variant(self.value, &visitor)),
        };
        log.note(&node, false, result)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.log.skip(&self.node);
        visitor.visit_unit()
    }
}

/// 2^53. Up to this bound, a float can represent every integer.
const MOST_IN_FLOAT: f64 = 9_007_199_254_740_992.0;

/// Converts a float with an integral value to an integer, as JSON Schema defines it.
#[cold]
fn integer_of(number: &Number) -> Result<Number, Error> {
    match number.as_f64() {
        Some(float) if float.fract() != 0.0 => Ok(number.clone()),
        Some(float) if float.abs() <= MOST_IN_FLOAT => Ok(Number::from(float as i64)),
        _ => Err(serde::de::Error::custom(format_args!(
            "{number} is beyond 2^53, where a float may be another integer than the one that was meant; write its digits"
        ))),
    }
}

/// Returns serde_json's error for a value that a visitor does not expect.
#[cold]
fn refused(value: &Value, expected: &dyn Expected) -> Error {
    let Err(error) = value.deserialize_any(Refusing(expected));
    error
}

/// Returns serde_json's error for a value that cannot be an enum variant.
#[cold]
fn no_variant(value: &Value, expected: &dyn Expected) -> Error {
    let Err(error) = value.deserialize_enum("", &[], Refusing(expected));
    error
}

/// A visitor that accepts nothing and describes what another visitor expects. If the other visitor itself were passed,
/// serde_json's whole value deserializer would be compiled for its type.
struct Refusing<'a>(&'a dyn Expected);

impl Visitor<'_> for Refusing<'_> {
    type Value = Infallible;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
