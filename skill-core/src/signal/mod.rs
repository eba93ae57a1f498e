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

/// A message with a type and data: [CloudEvents](https://cloudevents.io) 1.0.2. In pure code, a signal has no id, source or time.
/// A server [adds](Signal::stamp) the missing ones.
///
/// A signal is written and read as CloudEvents JSON in structured mode: one object that contains the data. If the JSON has no id
/// or source, neither has the signal. Reading refuses a missing or empty type, a `specversion` other than `1.0`, an empty id,
/// source or optional attribute, a time that is not RFC 3339, both `data` and `data_base64`, invalid base64, extensions that
/// CloudEvents does not allow, and repeated attributes. An attribute that is `null` is absent, but `data` that is `null` is data.
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
    /// The data, or `None` if there is no data or if it is binary.
    data: Option<Value>,
    subject: Option<String>,
    /// Rarely used attributes, boxed to keep a signal small. `None` if all of them are empty.
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
    /// Creates a signal of the type `ty`: segments of `[a-zA-Z0-9_-]` separated by `.`.
    ///
    /// An invalid type is not refused here. If an action tries to queue such a signal, its context queues a
    /// [`Directive::Error`](crate::Directive::Error) instead.
    pub fn new(ty: impl Into<String>, data: Value) -> Self {
        Self {
            data: Some(data),
            ..Self::without_data(ty)
        }
    }

    /// Creates a signal without data.
    pub fn without_data(ty: impl Into<String>) -> Self {
        Self {
            ty: ty.into(),
            data: None,
            subject: None,
            rare: None,
        }
    }

    /// Creates a signal with binary data, which is base64 in JSON. Set its media type with
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

    /// Sets the signal's type.
    #[must_use]
    pub fn with_type(mut self, ty: impl Into<String>) -> Self {
        self.ty = ty.into();
        self
    }

    /// Sets the data and removes binary data. The content type stays.
    #[must_use]
    pub fn with_data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self.change_rare(|rare| rare.binary = None);
        self
    }

    /// Sets the subject. CloudEvents has no empty attributes, so an empty string removes the subject. The other setters work in
    /// the same way.
    #[must_use]
    pub fn with_subject(mut self, subject: impl Into<String>) -> Self {
        self.subject = some(subject);
        self
    }

    /// Sets the data's media type.
    #[must_use]
    pub fn with_datacontenttype(mut self, datacontenttype: impl Into<String>) -> Self {
        let datacontenttype = some(datacontenttype);
        self.change_rare(|rare| rare.datacontenttype = datacontenttype);
        self
    }

    /// Sets the URI of the data's schema.
    #[must_use]
    pub fn with_dataschema(mut self, dataschema: impl Into<String>) -> Self {
        let dataschema = some(dataschema);
        self.change_rare(|rare| rare.dataschema = dataschema);
        self
    }

    /// Sets an extension attribute: a string, a boolean, or a 32-bit integer. `null` removes it.
    ///
    /// # Errors
    /// Fails if the name is not one or more of `a-z` and `0-9`, if CloudEvents defines an attribute with that name, or if the
    /// value has a different type.
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
    /// A time before the year 0 or after 9999 cannot be written. The nearest valid time is used instead.
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

    /// Replaces the id and the time.
    #[doc(hidden)]
    pub fn restamp(&mut self, id: impl Into<String>, time: SystemTime) {
        let rare = self.rare_mut();
        rare.id = some(id);
        rare.time = Some(time::nearest(time));
    }

    /// Returns the signal's type.
    pub fn ty(&self) -> &str {
        &self.ty
    }

    /// Returns the data. It is `null` if the signal has no data or binary data.
    pub fn data(&self) -> &Value {
        self.data.as_ref().unwrap_or(&NO_DATA)
    }

    /// Returns the binary data.
    pub fn binary_data(&self) -> Option<&[u8]> {
        self.rare()?.binary.as_deref()
    }

    /// Returns the subject: what the signal is about within its source.
    pub fn subject(&self) -> Option<&str> {
        self.subject.as_deref()
    }

    /// Returns the id, which is unique within the source.
    pub fn id(&self) -> Option<&str> {
        self.rare()?.id.as_deref()
    }

    /// Returns the source, a URI reference.
    pub fn source(&self) -> Option<&str> {
        self.rare()?.source.as_deref()
    }

    /// Returns the time when the signal was created.
    pub fn time(&self) -> Option<SystemTime> {
        self.rare()?.time
    }

    /// Returns the data's media type. Data without one is JSON.
    pub fn datacontenttype(&self) -> Option<&str> {
        self.rare()?.datacontenttype.as_deref()
    }

    /// Returns the URI of the data's schema.
    pub fn dataschema(&self) -> Option<&str> {
        self.rare()?.dataschema.as_deref()
    }

    /// Returns the extension attributes: strings, booleans and 32-bit integers.
    pub fn extensions(&self) -> &Map<String, Value> {
        self.rare().map_or(&NO_EXTENSIONS, |rare| &rare.extensions)
    }

    fn rare(&self) -> Option<&Rare> {
        self.rare.as_deref()
    }

    /// Returns the rare attributes, so that the caller can set one. The new value must not be empty.
    fn rare_mut(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    /// Changes the rare attributes, and removes them if all are empty, so that equality compares content only.
    fn change_rare(&mut self, change: impl FnOnce(&mut Rare)) {
        let mut rare = self.rare.take().unwrap_or_default();
        change(&mut rare);
        self.rare = (*rare != Rare::default()).then_some(rare);
    }
}

fn some(text: impl Into<String>) -> Option<String> {
    Some(text.into()).filter(|text| !text.is_empty())
}
