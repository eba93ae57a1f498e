//! A skill's text about its state.

use crate::panics::catch;

/// A skill's text from [`Hooks::turn_context`](super::Hooks::turn_context).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnContext {
    /// The name of the skill's instance.
    pub skill: &'static str,
    /// The text, or the message of a panic.
    pub text: Result<String, String>,
}

impl TurnContext {
    pub(crate) fn of(skill: &'static str, text: impl FnOnce() -> Option<String>) -> Option<Self> {
        let text = catch(text).transpose()?;
        Some(Self { skill, text })
    }
}
