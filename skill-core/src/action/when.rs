//! The condition of an action, `#[action(when = …)]`.

use std::borrow::Cow;

/// Returns why an action cannot be called by name now.
pub type When<S> = fn(&S) -> Result<(), Cow<'static, str>>;

/// The result of a condition, `#[action(when = …)]`: `Result<(), E>`, where `E` is a `String` or another text.
#[diagnostic::on_unimplemented(
    message = "the condition of an action returns a `Result<(), String>`, not `{Self}`",
    label = "returns `{Self}`, which gives the caller no reason",
    note = "write `fn not_empty(cart: &Cart) -> Result<(), String>`, or `Result<(), &'static str>`: the error is the reason that the caller reads"
)]
pub trait ConditionResult {
    /// Returns the reason for a refusal as text.
    fn into_reason(self) -> Result<(), Cow<'static, str>>;
}

#[diagnostic::do_not_recommend]
impl<E: Into<Cow<'static, str>>> ConditionResult for Result<(), E> {
    fn into_reason(self) -> Result<(), Cow<'static, str>> {
        self.map_err(Into::into)
    }
}
