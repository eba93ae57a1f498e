//! Reads signals from CloudEvents JSON.

use super::{Rare, Signal, extension, time};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Unexpected, Visitor};
use serde_json::Value;
use skill_agent_schema::shorten_name;
use std::fmt;

impl<'de> Deserialize<'de> for Signal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SignalVisitor)
    }
}

struct SignalVisitor;

impl<'de> Visitor<'de> for SignalVisitor {
    type Value = Signal;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a signal: an object with `specversion` and `type`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Signal, A::Error> {
        let mut read = Read::default();
        while let Some(name) = map.next_key::<String>()? {
            read.member(&name, &mut map)?;
        }
        read.finish()
    }
}

/// The attributes read so far. An attribute that is `null` is absent, and may be repeated.
#[derive(Default)]
struct Read {
    version: Option<()>,
    ty: Option<String>,
    subject: Option<String>,
    data: Option<Value>,
    rare: Rare,
}

impl Read {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        let rare = &mut self.rare;
        match name {
            "specversion" => set(&mut self.version, "specversion", map, VERSION, version),
            "type" => set(&mut self.ty, "type", map, TEXT, text),
            "id" => set(&mut rare.id, "id", map, TEXT, text),
            "source" => set(&mut rare.source, "source", map, TEXT, text),
            "subject" => set(&mut self.subject, "subject", map, TEXT, text),
            "datacontenttype" => {
                let place = &mut rare.datacontenttype;
                set(place, "datacontenttype", map, TEXT, text)
            }
            "dataschema" => set(&mut rare.dataschema, "dataschema", map, TEXT, text),
            "time" => set(&mut rare.time, "time", map, TIME, |text| {
                time::read(&text).ok_or(text)
            }),
            "data" if self.data.is_some() => Err(A::Error::duplicate_field("data")),
            "data" => {
                self.data = Some(map.next_value()?);
                self.one_kind_of_data()
            }
            "data_base64" => {
                set(&mut rare.binary, "data_base64", map, BASE64, |text| {
                    BASE64_STANDARD.decode(&text).map_err(|_| text)
                })?;
                self.one_kind_of_data()
            }
            name => {
                extension::check_name(name).map_err(A::Error::custom)?;
                self.extension(name, map.next_value()?)
            }
        }
    }

    /// Accepts `data: null` next to `data_base64`, because some writers add it.
    fn one_kind_of_data<E: Error>(&mut self) -> Result<(), E> {
        if self.rare.binary.is_some() {
            self.data.take_if(|data| data.is_null());
            if self.data.is_some() {
                return Err(E::custom("a signal has `data` or `data_base64`, not both"));
            }
        }
        Ok(())
    }

    fn extension<E: Error>(&mut self, name: &str, value: Value) -> Result<(), E> {
        if value.is_null() {
            return Ok(());
        }
        extension::check_value(name, &value).map_err(E::custom)?;
        match self.rare.extensions.insert(name.to_owned(), value) {
            None => Ok(()),
            Some(_) => Err(E::custom(format_args!(
                "duplicate field `{}`",
                shorten_name(name)
            ))),
        }
    }

    fn finish<E: Error>(self) -> Result<Signal, E> {
        if self.version.is_none() {
            return Err(E::missing_field("specversion"));
        }
        let ty = self.ty.ok_or_else(|| E::missing_field("type"))?;
        Ok(Signal {
            ty,
            data: self.data,
            subject: self.subject,
            rare: (self.rare != Rare::default()).then(|| Box::new(self.rare)),
        })
    }
}

const TEXT: &str = "a text that is not empty";
const VERSION: &str = "the version \"1.0\" of CloudEvents";
const TIME: &str = "a time of RFC 3339 like \"2026-01-02T03:04:05Z\"";
const BASE64: &str = "padded base64 of RFC 4648";

fn text(text: String) -> Result<String, String> {
    if text.is_empty() { Err(text) } else { Ok(text) }
}

fn version(text: String) -> Result<(), String> {
    if text == "1.0" { Ok(()) } else { Err(text) }
}

/// Reads an attribute written as a string. `read` returns the string as an error if it does not have the `expected` form.
fn set<'de, T, A: MapAccess<'de>>(
    place: &mut Option<T>,
    name: &'static str,
    map: &mut A,
    expected: &str,
    read: impl FnOnce(String) -> Result<T, String>,
) -> Result<(), A::Error> {
    if place.is_some() {
        return Err(A::Error::duplicate_field(name));
    }
    let expected = || format!("{expected} as `{name}`");
    let unexpected = match map.next_value()? {
        Value::Null => return Ok(()),
        Value::String(text) => match read(text) {
            Ok(value) => {
                *place = Some(value);
                return Ok(());
            }
            Err(text) => {
                let shown = shorten_name(&text);
                return Err(A::Error::invalid_value(
                    Unexpected::Str(&shown),
                    &&*expected(),
                ));
            }
        },
        Value::Bool(it) => Unexpected::Bool(it),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Unexpected::Signed(whole),
            None => Unexpected::Other("number"),
        },
        Value::Array(_) => Unexpected::Seq,
        Value::Object(_) => Unexpected::Map,
    };
    Err(A::Error::invalid_type(unexpected, &&*expected()))
}
