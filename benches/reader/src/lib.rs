//! The same reading of arguments by three readers. Generated crates call these functions, so that each of them compiles the
//! reader for every type.

use serde::de::DeserializeOwned;
use serde_json::Value;
use skill_core::bounds::ActionArguments;

/// Arguments that `skill-core` reads too.
pub trait Arguments: DeserializeOwned + ActionArguments {}
impl<T: DeserializeOwned + ActionArguments> Arguments for T {}

/// `serde_json` alone: an error has a line and a column, but no path.
pub fn serde_json_alone<T: Arguments>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// The reader of `skill-core/schema`: `read/cursor.rs` and `read/access.rs`.
pub fn skill_core<T: Arguments>(text: &str) -> Result<T, String> {
    T::__read(text, no_schema).map_err(|error| error.to_string())
}

/// The other readers name the first mistake alone, and need no schema for it.
fn no_schema() -> &'static Value {
    const { &Value::Null }
}

/// `serde_json`, and `serde_path_to_error` over the value when it fails.
pub fn path_to_error<T: Arguments>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| explain(text, &error, probe::<T>))
}

/// As [`path_to_error`], with `serde_ignored` in between, which notes unknown keys: state documents need both.
pub fn both_crates<T: Arguments>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| explain(text, &error, probe_with_unread::<T>))
}

#[cold]
#[inline(never)]
fn explain(text: &str, error: &serde_json::Error, probe: fn(&Value) -> Option<String>) -> String {
    let document: Result<Value, _> = serde_json::from_str(text);
    let explained = document.ok().and_then(|document| probe(&document));
    explained.unwrap_or_else(|| error.to_string())
}

#[cold]
#[inline(never)]
fn probe<T: Arguments>(document: &Value) -> Option<String> {
    let error = serde_path_to_error::deserialize::<_, T>(document).err()?;
    Some(format!("`{}`: {}", error.path(), error.inner()))
}

#[cold]
#[inline(never)]
fn probe_with_unread<T: Arguments>(document: &Value) -> Option<String> {
    let mut unread = Vec::new();
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(document, &mut track);
    let read = serde_ignored::deserialize::<_, _, T>(tracked, |path| unread.push(path.to_string()));
    let error = read.err()?;
    Some(format!("`{}`: {error}; unread: {unread:?}", track.path()))
}
