//! An action's output and error.

use schemars::JsonSchema;
use serde::ser::Serialize;
use serde_json::Value;
use skill_agent_schema::{self as json, WriteError};
use std::any::Any;
use std::error::Error as StdError;

/// An action's output: `Serialize + JsonSchema + Send + 'static`.
///
/// Implemented for every such type. Do not implement it yourself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the answer of an action: it lacks one or more derives",
    label = "cannot be written as JSON and described to a model",
    note = "an answer needs `#[derive(Serialize, JsonSchema)]`; an action that can fail returns `Result<Answer, Error>`",
    note = "`Serialize` comes from serde 1, and `JsonSchema` from schemars 1. A type of another crate needs the feature `serde` of its crate and a feature of schemars, such as `chrono04`, `uuid1`, `url2`, `jiff02` or `rust_decimal1`"
)]
pub trait Answer: Sized + Send + 'static {
    /// Writes the output as JSON text. `is_json_safe` is [`Action::JSON_SAFE`](crate::Action::JSON_SAFE).
    #[doc(hidden)]
    fn __write(&self, is_json_safe: bool) -> Result<String, WriteError>;
    #[doc(hidden)]
    fn __schema() -> Value;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema + Send + 'static> Answer for T {
    #[inline]
    fn __write(&self, is_json_safe: bool) -> Result<String, WriteError> {
        if is_json_safe {
            json::write_json_safe(self)
        } else {
            json::write(self)
        }
    }
    fn __schema() -> Value {
        let mut schema = json::answer_schema_of::<T>().into();
        json::remove_repeated_descriptions(&mut schema, "");
        schema
    }
}

/// An action's error: any [`std::error::Error`], or a type that converts to one (`String`, `anyhow::Error`), that is
/// `Send + Sync + 'static`.
///
/// Implemented for every such type. Do not implement it yourself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of an action",
    label = "not an error that can be sent",
    note = "an action fails with a type that has `#[derive(Debug, thiserror::Error)]`, with a `String`, or with a `Box<dyn std::error::Error + Send + Sync>`"
)]
pub trait ActionError: Sized {
    #[doc(hidden)]
    fn __boxed(self) -> Box<dyn StdError + Send + Sync>;
    #[doc(hidden)]
    fn __any(self) -> Box<dyn Any + Send>;
}

#[diagnostic::do_not_recommend]
impl<T: Into<Box<dyn StdError + Send + Sync>> + Send + 'static> ActionError for T {
    fn __boxed(self) -> Box<dyn StdError + Send + Sync> {
        self.into()
    }
    fn __any(self) -> Box<dyn Any + Send> {
        Box::new(self)
    }
}
