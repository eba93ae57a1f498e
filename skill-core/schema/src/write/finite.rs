//! A serializer that writes nothing and records the paths of floats that a JSON value does not represent exactly.
//!
//! serde_json writes NaN and the infinities as `null`, which a reader takes for an absent value. In a JSON value, serde_json
//! stores an `f32` as the equal `f64`, such as 0.10000000149011612. In JSON text, it writes the shortest number, 0.1.

use std::borrow::Cow;
use std::fmt;

use serde::ser::{
    self, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::Value;

use crate::value::path::{Path, Step};

/// Returns the first `most` non-finite floats in `value`, each with its path in the JSON form.
#[cold]
#[inline(never)]
pub(crate) fn not_finite<T: Serialize + ?Sized>(value: &T, most: usize) -> Vec<(Path, f64)> {
    search(value, Wanted::NotFinite, most)
}

/// Finds each `f32` in `value` that JSON text writes differently from the equal `f64`, for example as 0.1. Returns its path and
/// the number in the text.
#[cold]
#[inline(never)]
pub(crate) fn singles<T: Serialize + ?Sized>(value: &T) -> Vec<(Path, f64)> {
    search(value, Wanted::Singles, usize::MAX)
}

/// Returns the path of the first map in `value` with a key that is not a string in JSON.
#[cold]
#[inline(never)]
pub(crate) fn map_without_texts<T: Serialize + ?Sized>(value: &T) -> Option<Path> {
    let mut search = Search::new(Wanted::Keys, 1);
    // When the search ends early, `path` still contains the steps to the map.
    let is_found = value.serialize(&mut search).is_err();
    is_found.then_some(search.path)
}

fn search<T: Serialize + ?Sized>(value: &T, wanted: Wanted, most: usize) -> Vec<(Path, f64)> {
    let mut search = Search::new(wanted, most);
    // The search ends early when enough floats are found. If serializing `value` itself fails, the floats found so far count.
    let _ = value.serialize(&mut search);
    search.found
}

/// The values to search for: floats or keys.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    NotFinite,
    Singles,
    /// Map keys that JSON cannot represent as strings.
    Keys,
}

struct Search {
    path: Path,
    found: Vec<(Path, f64)>,
    wanted: Wanted,
    most: usize,
}

impl Search {
    fn new(wanted: Wanted, most: usize) -> Self {
        Self {
            path: Path::new(),
            found: Vec::new(),
            wanted,
            most,
        }
    }

    fn float(&mut self, float: f64) -> Result<(), Enough> {
        if self.wanted != Wanted::NotFinite || float.is_finite() {
            return Ok(());
        }
        self.add(float)
    }

    fn single(&mut self, float: f32) -> Result<(), Enough> {
        if self.wanted != Wanted::Singles {
            return self.float(float.into());
        }
        match float.to_string().parse::<f64>() {
            Ok(written) if float.is_finite() && written != f64::from(float) => self.add(written),
            _ => Ok(()),
        }
    }

    fn add(&mut self, float: f64) -> Result<(), Enough> {
        self.found.push((self.path.clone(), float));
        if self.found.len() < self.most {
            Ok(())
        } else {
            Err(Enough)
        }
    }

    fn below<T: Serialize + ?Sized>(&mut self, step: Step, value: &T) -> Result<(), Enough> {
        self.path.push(step);
        value.serialize(&mut *self)?;
        self.path.pop();
        Ok(())
    }

    fn parts(&mut self) -> Parts<'_> {
        Parts {
            search: self,
            index: 0,
            key: None,
            in_variant: false,
        }
    }

    fn variant(&mut self, variant: &'static str) -> Parts<'_> {
        self.path.push(Step::Key(Cow::Borrowed(variant)));
        Parts {
            in_variant: true,
            ..self.parts()
        }
    }
}

/// The error that ends the search early.
#[derive(Debug)]
struct Enough;

impl fmt::Display for Enough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the search is over")
    }
}

impl std::error::Error for Enough {}

impl ser::Error for Enough {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

macro_rules! nothing_in {
    ($($method:ident($type:ty))*) => {$(
        fn $method(self, _: $type) -> Result<(), Enough> {
            Ok(())
        }
    )*};
}

impl<'a> Serializer for &'a mut Search {
    type Ok = ();
    type Error = Enough;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Parts<'a>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

    nothing_in! {
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_i128(i128) serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
        serialize_u128(u128) serialize_char(char) serialize_str(&str) serialize_bytes(&[u8])
        serialize_unit_struct(&'static str)
    }

    fn serialize_f32(self, value: f32) -> Result<(), Enough> {
        self.single(value)
    }

    fn serialize_f64(self, value: f64) -> Result<(), Enough> {
        self.float(value)
    }

    fn serialize_none(self) -> Result<(), Enough> {
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), Enough> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Enough> {
        value.serialize(self)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
    ) -> Result<(), Enough> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Enough> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Enough> {
        self.below(Step::Key(Cow::Borrowed(variant)), value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'a>, Enough> {
        Ok(self.parts())
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'a>, Enough> {
        Ok(self.parts())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, Enough> {
        Ok(self.parts())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Enough> {
        Ok(self.variant(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'a>, Enough> {
        Ok(self.parts())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, Enough> {
        Ok(self.parts())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Enough> {
        Ok(self.variant(variant))
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, _: &T) -> Result<(), Enough> {
        Ok(())
    }
}

/// Walks the parts of an array or an object in order.
struct Parts<'a> {
    search: &'a mut Search,
    index: usize,
    key: Option<String>,
    in_variant: bool,
}

impl Parts<'_> {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Enough> {
        let step = Step::Index(self.index);
        self.index += 1;
        self.search.below(step, value)
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Enough> {
        self.search.below(Step::Key(Cow::Borrowed(key)), value)
    }

    fn done(self) -> Result<(), Enough> {
        if self.in_variant {
            self.search.path.pop();
        }
        Ok(())
    }
}

macro_rules! parts {
    ($($trait:ident $method:ident $by:ident ($($key:ident)?);)*) => {$(
        impl $trait for Parts<'_> {
            type Ok = ();
            type Error = Enough;

            fn $method<T: Serialize + ?Sized>(
                &mut self,
                $($key: &'static str,)?
                value: &T,
            ) -> Result<(), Enough> {
                self.$by($($key,)? value)
            }

            fn end(self) -> Result<(), Enough> {
                self.done()
            }
        }
    )*};
}

parts! {
    SerializeSeq serialize_element element ();
    SerializeTuple serialize_element element ();
    SerializeTupleStruct serialize_field element ();
    SerializeTupleVariant serialize_field element ();
    SerializeStruct serialize_field field (key);
    SerializeStructVariant serialize_field field (key);
}

impl SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Enough;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Enough> {
        // JSON has no name for a key that is NaN, so the path of the map is recorded.
        key.serialize(&mut *self.search)?;
        self.key = match serde_json::to_value(key) {
            Ok(Value::String(text)) => Some(text),
            Ok(Value::Null | Value::Array(_) | Value::Object(_))
                if self.search.wanted == Wanted::Keys =>
            {
                return Err(Enough);
            }
            Ok(other) => Some(other.to_string()),
            Err(_) => None,
        };
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Enough> {
        let key = self.key.take().unwrap_or_default();
        self.search.below(Step::Key(Cow::Owned(key)), value)
    }

    fn end(self) -> Result<(), Enough> {
        self.done()
    }
}
