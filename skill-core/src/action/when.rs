//! The condition of an action, `#[action(when = …)]`.

use std::borrow::Cow;

/// Returns why an action cannot be called by name now.
pub type When<S> = fn(&S) -> Result<(), Cow<'static, str>>;

/// A function that can be the condition of the actions of the skill `S`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the condition of an action of `{S}`",
    label = "not a function of `&{S}` that returns a `Result<(), String>`",
    note = "write `fn not_empty(skill: &{S}) -> Result<(), String>`, or `Result<(), &'static str>`; the error is the reason that the caller reads"
)]
pub trait Condition<S> {
    /// Returns the reason if the action cannot be called now.
    fn check(&self, skill: &S) -> Result<(), Cow<'static, str>>;
}

#[diagnostic::do_not_recommend]
impl<S, E, F> Condition<S> for F
where
    E: Into<Cow<'static, str>>,
    F: Fn(&S) -> Result<(), E>,
{
    fn check(&self, skill: &S) -> Result<(), Cow<'static, str>> {
        self(skill).map_err(Into::into)
    }
}

/// Calls a condition. Generated code uses this function, so that rustc reports a wrong condition at its path.
///
/// # Errors
/// Returns the condition's reason.
pub fn check_condition<S, C: Condition<S>>(
    condition: C,
    skill: &S,
) -> Result<(), Cow<'static, str>> {
    condition.check(skill)
}
