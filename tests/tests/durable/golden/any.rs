use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A value of any type, for printing.
pub struct Any(String);

impl fmt::Debug for Any {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyVisitor)
    }
}

struct AnyVisitor;

macro_rules! print {
    ($($method:ident($ty:ty);)*) => {$(
        fn $method<E>(self, value: $ty) -> Result<Any, E> {
            Ok(Any(format!("{value:?}")))
        }
    )*};
}

impl<'de> Visitor<'de> for AnyVisitor {
    type Value = Any;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    print! {
        visit_bool(bool);
        visit_i64(i64);
        visit_u64(u64);
        visit_f64(f64);
        visit_str(&str);
        visit_bytes(&[u8]);
    }

    fn visit_none<E>(self) -> Result<Any, E> {
        Ok(Any("null".to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Any, E> {
        Ok(Any("null".to_owned()))
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<Any, D::Error> {
        Any::deserialize(value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Any, A::Error> {
        let mut shown = Vec::new();
        while let Some(Any(item)) = list.next_element()? {
            shown.push(item);
        }
        Ok(Any(format!("[{}]", shown.join(", "))))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Any, A::Error> {
        let mut shown = Vec::new();
        while let Some((Any(key), Any(value))) = map.next_entry()? {
            shown.push(format!("{key}: {value}"));
        }
        Ok(Any(format!("{{{}}}", shown.join(", "))))
    }
}
