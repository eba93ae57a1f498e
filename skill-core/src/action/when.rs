//! The condition of an action, `#[action(when = …)]`.

use std::borrow::Cow;

/// Returns why an action cannot be called by name now.
pub type When<S> = fn(&S) -> Result<(), Cow<'static, str>>;

/// The type that a condition returns.
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

/// Calls a condition. The skill comes first, so that rustc reports a condition of another skill at its path.
///
/// # Errors
/// Returns the condition's reason.
pub fn check_condition<S, R: ConditionResult>(
    skill: &S,
    condition: fn(&S) -> R,
) -> Result<(), Cow<'static, str>> {
    condition(skill).into_reason()
}
