//! [`Signal`]: a CloudEvents message.

mod extension;
mod read;
#[cfg(test)]
mod tests;
mod time;
mod write;

pub use extension::{ExtensionError, ExtensionFault};

use serde_json::{Map, Value};
use std::sync::LazyLock;
use std::time::SystemTime;

/// A message with a type and data: [CloudEvents](https://cloudevents.io) 1.0.2. In pure code it has no id, source and time;
/// a server [stamps](Signal::stamp) them where they are missing.
///
/// It is written and read as CloudEvents JSON in structured mode: one object that contains the data. A signal that was written
/// without id and source is read without them. Reading refuses a missing or empty type, a `specversion` other than `1.0`, an
/// empty id, source or optional attribute, a time that is not RFC 3339, both `data` and `data_base64`, invalid base64, extensions
/// that CloudEvents does not allow, and repeated attributes. An attribute that is `null` is absent; `data` that is `null` is
/// data.
///
/// ```
/// use serde_json::json;
/// use skill_core::Signal;
/// let signal = Signal::new("calculator.add", json!({ "a": 1 })).with_subject("sum-7");
/// assert_eq!((signal.ty(), signal.subject()), ("calculator.add", Some("sum-7")));
///
/// let text = serde_json::to_string(&signal)?;
/// assert_eq!(text, r#"{"specversion":"1.0","type":"calculator.add","subject":"sum-7","data":{"a":1}}"#);
/// assert_eq!(serde_json::from_str::<Signal>(&text)?, signal);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    ty: String,
    /// `None` without data, or if they are bytes.
    data: Option<Value>,
    subject: Option<String>,
    /// Attributes that few signals in pure code have, boxed to keep a signal small. Never present without content.
    rare: Option<Box<Rare>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Rare {
    id: Option<String>,
    source: Option<String>,
    time: Option<SystemTime>,
    datacontenttype: Option<String>,
    dataschema: Option<String>,
    extensions: Map<String, Value>,
    binary: Option<Vec<u8>>,
}

static NO_DATA: Value = Value::Null;
static NO_EXTENSIONS: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

impl Signal {
    /// A signal of the type `ty`: segments of `[a-zA-Z0-9_-]` divided by `.`.
    ///
    /// An invalid type is not refused here: a context that is to queue such a signal queues a
    /// [`Directive::Error`](crate::Directive::Error) instead.
    pub fn new(ty: impl Into<String>, data: Value) -> Self {
        Self {
            data: Some(data),
            ..Self::without_data(ty)
        }
    }

    /// A signal without data.
    pub fn without_data(ty: impl Into<String>) -> Self {
        Self {
            ty: ty.into(),
            data: None,
            subject: None,
            rare: None,
        }
    }

    /// A signal whose data are bytes; in JSON they are base64. Set their media type by
    /// [`with_datacontenttype`](Self::with_datacontenttype).
    ///
    /// ```
    /// use skill_core::Signal;
    /// let photo = Signal::binary("photo.taken", *b"\xff\xd8").with_datacontenttype("image/jpeg");
    /// assert_eq!((photo.data().is_null(), photo.binary_data()), (true, Some(&b"\xff\xd8"[..])));
    /// assert_eq!(serde_json::to_value(&photo).unwrap()["data_base64"], "/9g=");
    /// ```
    pub fn binary(ty: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        let mut signal = Self::without_data(ty);
        signal.rare_mut().binary = Some(bytes.into());
        signal
    }

    /// Sets the type.
    #[must_use]
    pub fn with_type(mut self, ty: impl Into<String>) -> Self {
        self.ty = ty.into();
        self
    }

    /// Sets the data, which replace bytes too. The content type stays.
    #[must_use]
    pub fn with_data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self.change_rare(|rare| rare.binary = None);
        self
    }

    /// Sets the subject. CloudEvents has no empty attributes, so an empty text removes it; the same holds for the other setters.
    #[must_use]
    pub fn with_subject(mut self, subject: impl Into<String>) -> Self {
        self.subject = some(subject);
        self
    }

    /// Sets the media type of the data.
    #[must_use]
    pub fn with_datacontenttype(mut self, datacontenttype: impl Into<String>) -> Self {
        let datacontenttype = some(datacontenttype);
        self.change_rare(|rare| rare.datacontenttype = datacontenttype);
        self
    }

    /// Sets the schema of the data, a URI.
    #[must_use]
    pub fn with_dataschema(mut self, dataschema: impl Into<String>) -> Self {
        let dataschema = some(dataschema);
        self.change_rare(|rare| rare.dataschema = dataschema);
        self
    }

    /// Sets an extension attribute: a text, `true` or `false`, or a whole number of 32 bits. `null` removes it.
    ///
    /// # Errors
    /// If the name is not one or more of `a-z` and `0-9`, if it is that of an attribute of CloudEvents, or if the value is of
    /// another type.
    pub fn with_extension(
        mut self,
        name: impl Into<String>,
        value: impl Into<Value>,
    ) -> Result<Self, ExtensionError> {
        let (name, value) = (name.into(), value.into());
        extension::check_name(&name)?;
        if value.is_null() {
            self.change_rare(|rare| rare.extensions.retain(|other, _| *other != name));
        } else {
            extension::check_value(&name, &value)?;
            self.rare_mut().extensions.insert(name, value);
        }
        Ok(self)
    }

    /// Sets the id, the source and the time, each only if it is missing.
    ///
    /// ```
    /// use skill_core::Signal;
    /// use std::time::SystemTime;
    /// let mut signal = Signal::without_data("clock.ticked");
    /// signal.stamp("1", "/clocks/7", SystemTime::UNIX_EPOCH);
    /// signal.stamp("2", "/clocks/8", SystemTime::now());
    /// assert_eq!((signal.id(), signal.source()), (Some("1"), Some("/clocks/7")));
    /// assert_eq!(serde_json::to_value(&signal).unwrap()["time"], "1970-01-01T00:00:00Z");
    /// ```
    ///
    /// A time before the year 0 or after 9999 cannot be written, so the nearest one that can is used.
    pub fn stamp(&mut self, id: impl Into<String>, source: impl Into<String>, time: SystemTime) {
        let rare = self.rare_mut();
        if rare.id.is_none() {
            rare.id = some(id);
        }
        if rare.source.is_none() {
            rare.source = some(source);
        }
        rare.time.get_or_insert_with(|| time::nearest(time));
    }

    /// The type.
    pub fn ty(&self) -> &str {
        &self.ty
    }

    /// The data; `null` without data, or if they are bytes.
    pub fn data(&self) -> &Value {
        self.data.as_ref().unwrap_or(&NO_DATA)
    }

    /// The data, if they are bytes.
    pub fn binary_data(&self) -> Option<&[u8]> {
        self.rare()?.binary.as_deref()
    }

    /// The subject.
    pub fn subject(&self) -> Option<&str> {
        self.subject.as_deref()
    }

    /// The id, which is unique within the source.
    pub fn id(&self) -> Option<&str> {
        self.rare()?.id.as_deref()
    }

    /// The source, a URI reference.
    pub fn source(&self) -> Option<&str> {
        self.rare()?.source.as_deref()
    }

    /// The time at which it was made.
    pub fn time(&self) -> Option<SystemTime> {
        self.rare()?.time
    }

    /// The media type of the data. Data without one are JSON.
    pub fn datacontenttype(&self) -> Option<&str> {
        self.rare()?.datacontenttype.as_deref()
    }

    /// The schema of the data, a URI.
    pub fn dataschema(&self) -> Option<&str> {
        self.rare()?.dataschema.as_deref()
    }

    /// The extension attributes: texts, `true` and `false`, whole numbers of 32 bits.
    pub fn extensions(&self) -> &Map<String, Value> {
        self.rare().map_or(&NO_EXTENSIONS, |rare| &rare.extensions)
    }

    fn rare(&self) -> Option<&Rare> {
        self.rare.as_deref()
    }

    /// The rare attributes, to set one that has content.
    fn rare_mut(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    /// Changes the rare attributes, and removes them if nothing is left: equality compares content only.
    fn change_rare(&mut self, change: impl FnOnce(&mut Rare)) {
        let mut rare = self.rare.take().unwrap_or_default();
        change(&mut rare);
        self.rare = (*rare != Rare::default()).then_some(rare);
    }
}

fn some(text: impl Into<String>) -> Option<String> {
    Some(text.into()).filter(|text| !text.is_empty())
}
