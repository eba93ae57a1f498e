//! Hooks: methods of a skill that a server calls.

mod entry;
mod error;

pub use entry::HookEntry;
pub(crate) use entry::{HookAnswer, HookRequest};
pub use error::HookError;
pub(crate) use error::{NoRestore, restore_if_implemented};

use crate::context::Hook;
use crate::{ChildSpec, Context, Instruction, Route, Signal, Skill};
use serde_json::Value;

/// The methods of a skill that a server calls at a start or for a signal. The defaults do nothing.
///
/// `#[derive(Skill)]` implements the trait with the defaults; with `#[skill(hooks)]` you implement it yourself. Typed commands
/// and calls never call a hook. If a hook returns `Ignored` or `Err`, its changes and queued effects are dropped.
///
/// For a skill that was mounted at run time only [`handle_signal`](Self::handle_signal) is called, and
/// [`restore`](Self::restore) if a store has a state of an older version.
#[diagnostic::on_unimplemented(
    message = "`{Self}` declares `hooks` but has no `impl Hooks for {Self}`",
    label = "`Hooks` is not implemented",
    note = "write `impl Hooks for {Self} {{ ... }}`, or remove `hooks`"
)]
pub trait Hooks: Sized {
    /// Called once per start, after recovery; an error stops the start.
    ///
    /// # Errors
    /// If the skill cannot work.
    fn on_mount(&mut self, start: Start, cx: &mut Context<Self>) -> Result<(), HookError>
    where
        Self: Skill,
    {
        let _ = start;
        cx.default_hook = Some(Hook::Mount);
        Ok(())
    }

    /// Returns additional routes that depend on the configuration, each with the instruction that it runs.
    ///
    /// The arguments of the action are those of the instruction and the data of the signal; one that both have is an error. A
    /// [lenient](Route::lenient) route leaves fields of the data out that are no arguments.
    fn routes(config: &Self::Config) -> Vec<(Route, Instruction)>
    where
        Self: Skill,
    {
        let _ = config;
        Vec::new()
    }

    /// Called with each signal before it is routed; may change or refuse it.
    ///
    /// # Errors
    /// If the signal is refused.
    fn prepare_signal(
        &mut self,
        signal: Signal,
        cx: &mut Context<Self>,
    ) -> Result<Signal, HookError>
    where
        Self: Skill,
    {
        cx.default_hook = Some(Hook::Prepare);
        Ok(signal)
    }

    /// Called with each signal that no route matches, until one skill handles it.
    ///
    /// # Errors
    /// If the signal cannot be handled.
    fn handle_signal(
        &mut self,
        signal: &Signal,
        cx: &mut Context<Self>,
    ) -> Result<Handled, HookError>
    where
        Self: Skill,
    {
        let _ = signal;
        cx.default_hook = Some(Hook::Handle);
        Ok(Handled::Ignored)
    }

    /// Called with the result of a signal; may replace it and queue effects.
    ///
    /// # Errors
    /// Returns the error for the caller.
    fn transform_result(
        &mut self,
        signal: &Signal,
        result: Result<Value, HookError>,
        cx: &mut Context<Self>,
    ) -> Result<Value, HookError>
    where
        Self: Skill,
    {
        let _ = signal;
        cx.default_hook = Some(Hook::Transform);
        result
    }

    /// Returns the children that a server runs for the skill; they may depend on the configuration. They are started in this
    /// order after all `on_mount` hooks, and stopped in reverse order. Their ids must be unique in an agent.
    fn child_specs(config: &Self::Config) -> Vec<ChildSpec>
    where
        Self: Skill,
    {
        let _ = config;
        Vec::new()
    }

    /// Converts a stored state that does not fit the present type, or that an incompatible version of the skill has stored, even with
    /// the same schema. A state of a compatible version that fits needs no conversion, even if it lacks fields with a default, or violates
    /// a constraint.
    ///
    /// In the state, a float that is not finite is `null`, and a map with keys that JSON cannot have, such as tuples, is a list of pairs:
    /// `[[[1, 2], "rook"]]`.
    ///
    /// ```
    /// use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    /// use serde_json::{Value, json};
    /// use skill_core::{HookError, Hooks, Skill};
    ///
    /// /// A counter; version 1 kept its count as a text.
    /// #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    /// #[serde(default)]
    /// #[skill(name = "counter", version = "2.0.0", hooks)]
    /// pub struct Counter {
    ///     count: u64,
    /// }
    ///
    /// impl Hooks for Counter {
    ///     fn restore(version: &str, state: Value) -> Result<Self, HookError> {
    ///         let count = state["count"].as_str().and_then(|count| count.parse().ok());
    ///         let count = count.ok_or_else(|| HookError::new(format!("no count in version {version}")))?;
    ///         Ok(Self { count })
    ///     }
    /// }
    ///
    /// assert_eq!(Counter::restore("1.4.0", json!({ "count": "7" })).unwrap().count, 7);
    /// assert!(Counter::restore("1.4.0", json!({})).is_err());
    /// ```
    ///
    /// # Errors
    /// If the state cannot be converted. The default always fails.
    fn restore(version: &str, state: Value) -> Result<Self, HookError>
    where
        Self: Skill,
    {
        let _ = state;
        let (skill, version) = (Self::NAME, version.to_owned());
        Err(HookError::from(NoRestore { skill, version }))
    }
}

/// Whether an agent starts with a stored state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Start {
    /// There was no stored state.
    Fresh,
    /// The state was recovered from a store.
    Restored,
}

/// Whether a skill handled a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handled {
    /// It did, so no other skill is asked.
    Done,
    /// It did not, so the next skill is asked.
    Ignored,
}
