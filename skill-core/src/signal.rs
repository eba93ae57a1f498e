//! A CloudEvents message, as far as pure code knows it.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// A message with a type and data: CloudEvents 1.0 without what only the world can give. A server stamps `id`, `source`
/// and `time` where they are missing.
///
/// ```
/// use serde_json::json;
/// use skill_core::Signal;
/// let signal = Signal::new("calculator.add", json!({ "a": 1 })).with_subject("sum-7");
/// assert_eq!((signal.ty(), signal.subject()), ("calculator.add", Some("sum-7")));
/// assert_eq!(serde_json::to_value(&signal).unwrap()["specversion"], "1.0");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    ty: Cow<'static, str>,
    data: Value,
    subject: Option<String>,
    extensions: Map<String, Value>,
}

/// What CloudEvents 1.0 defines itself.
const ATTRIBUTES: [&str; 9] = [
    "id",
    "source",
    "specversion",
    "type",
    "datacontenttype",
    "dataschema",
    "subject",
    "time",
    "data",
];

/// A name that no extension attribute of CloudEvents can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{name}` cannot be an extension of a signal: a name has `a-z` and `0-9`, and is none of CloudEvents' own"
)]
#[non_exhaustive]
pub struct ExtensionError {
    /// The name.
    pub name: String,
}

impl Signal {
    /// A signal of the type `ty`: segments of `[a-zA-Z0-9_-]` divided by `.`.
    pub fn new(ty: impl Into<Cow<'static, str>>, data: Value) -> Self {
        Self {
            ty: ty.into(),
            data,
            subject: None,
            extensions: Map::new(),
        }
    }

    /// Says what it is about.
    #[must_use]
    pub fn with_subject(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// Sets an extension attribute.
    ///
    /// # Errors
    /// When the name is not one or more of `a-z` and `0-9`, or is that of an attribute of CloudEvents.
    pub fn with_extension(
        mut self,
        name: impl Into<String>,
        value: impl Into<Value>,
    ) -> Result<Self, ExtensionError> {
        let name = name.into();
        let spelled = name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if name.is_empty() || !spelled || ATTRIBUTES.contains(&&*name) {
            return Err(ExtensionError { name });
        }
        self.extensions.insert(name, value.into());
        Ok(self)
    }

    /// Its type.
    pub fn ty(&self) -> &str {
        &self.ty
    }

    /// What it carries.
    pub fn data(&self) -> &Value {
        &self.data
    }

    /// What it is about.
    pub fn subject(&self) -> Option<&str> {
        self.subject.as_deref()
    }

    /// Its extension attributes.
    pub fn extensions(&self) -> &Map<String, Value> {
        &self.extensions
    }

    pub(crate) fn set_ty(&mut self, ty: String) {
        self.ty = Cow::Owned(ty);
    }
}

impl Serialize for Signal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("specversion", "1.0")?;
        map.serialize_entry("type", &self.ty)?;
        if let Some(subject) = &self.subject {
            map.serialize_entry("subject", subject)?;
        }
        for (name, value) in &self.extensions {
            map.serialize_entry(name, value)?;
        }
        map.serialize_entry("data", &self.data)?;
        map.end()
    }
}
