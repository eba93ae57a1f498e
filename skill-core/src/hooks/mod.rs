//! Hooks: methods of a skill that a server calls.

mod entry;
mod error;
mod turn_context;

pub use entry::HookEntry;
pub(crate) use entry::{HookAnswer, HookFns, HookRequest};
pub use error::HookError;
pub(crate) use error::{NoRestore, restore_if_implemented};
pub use turn_context::TurnContext;

use crate::context::Hook;
use crate::{ChildSpec, Context, Instruction, Route, Signal, Skill};
use serde_json::Value;
use std::borrow::Cow;

/// Methods of a skill that a server calls at startup or for a signal. The defaults do nothing.
///
/// `#[derive(Skill)]` implements the trait with the defaults; with `#[skill(hooks)]` you implement it yourself. Typed commands
/// and calls never call a hook. If a hook returns `Ignored` or `Err`, its changes and queued effects are dropped.
///
/// For a skill mounted at run time, only two hooks are called: [`handle_signal`](Self::handle_signal), and
/// [`restore`](Self::restore) if a store has a state of an older version.
#[diagnostic::on_unimplemented(
    message = "`{Self}` declares `hooks` but has no `impl Hooks for {Self}`",
    label = "`Hooks` is not implemented",
    note = "write `impl Hooks for {Self} {{ ... }}`, or remove `hooks`"
)]
pub trait Hooks: Sized {
    /// Runs once per start, after recovery. An error aborts the start.
    ///
    /// # Errors
    /// Fails if the skill cannot work.
    fn on_mount(&mut self, start: Start, cx: &mut Context<Self>) -> Result<(), HookError>
    where
        Self: Skill,
    {
        let _ = start;
        cx.default_hook = Some(Hook::Mount);
        Ok(())
    }

    /// Returns additional routes, which may depend on the configuration, each with the instruction that it runs.
    ///
    /// The action's arguments are those in the instruction plus the fields of the signal's data. If a field is in both, that is
    /// an error. A [lenient](Route::lenient) route drops data fields that are not arguments.
    fn routes(config: &Self::Config) -> Vec<(Route, Instruction)>
    where
        Self: Skill,
    {
        let _ = config;
        Vec::new()
    }

    /// Receives each signal before it is routed. May change or refuse the signal.
    ///
    /// # Errors
    /// Fails if the signal is refused.
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

    /// Receives each signal that no route matches, until one skill handles it.
    ///
    /// # Errors
    /// Fails if the signal cannot be handled.
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

    /// Receives the result of a signal. May replace the result and queue effects.
    ///
    /// # Errors
    /// Returns the error that the caller should get.
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

    /// Returns the children that a server runs for the skill. They may depend on the configuration. They are started in this
    /// order after all `on_mount` hooks, and stopped in reverse order. Their ids must be unique in an agent.
    fn child_specs(config: &Self::Config) -> Vec<ChildSpec>
    where
        Self: Skill,
    {
        let _ = config;
        Vec::new()
    }

    /// Returns a text about the state for the model of a chat, such as the contents of a cart. Returns `None` if there is nothing
    /// to say.
    ///
    /// A chat adds the text to each message of the user, unless the model has already read the same text as the last one of the
    /// skill. Every model whose toolbox has the server reads the text; the guard is not asked. Do not include secrets. A server calls the hook after each change has been
    /// stored, and the hook cannot change the state.
    ///
    /// ```
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// use skill_core::{Context, Hooks, Skill};
    /// use std::borrow::Cow;
    ///
    /// /// A cart.
    /// #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    /// #[serde(default)]
    /// #[skill(name = "cart", hooks)]
    /// pub struct Cart {
    ///     items: Vec<String>,
    /// }
    ///
    /// impl Hooks for Cart {
    ///     fn turn_context<'a>(&'a self, _: &'a Context<Self>) -> Option<Cow<'a, str>> {
    ///         let items = self.items.join(", ");
    ///         (!items.is_empty()).then(|| format!("In the cart: {items}").into())
    ///     }
    /// }
    ///
    /// let cart = Cart { items: vec!["tea".into()] };
    /// let cx = Context::for_test(Default::default());
    /// assert_eq!(cart.turn_context(&cx).as_deref(), Some("In the cart: tea"));
    /// ```
    fn turn_context<'a>(&'a self, cx: &'a Context<Self>) -> Option<Cow<'a, str>>
    where
        Self: Skill,
    {
        let _ = cx;
        None
    }

    /// Converts a stored state that does not fit the current type, or that was stored by an incompatible version of the skill,
    /// even if that version had the same schema. A fitting state of a compatible version needs no conversion, even if it lacks
    /// fields with a default or violates a constraint.
    ///
    /// If a field keeps its type but changes its meaning, such as from euros to cents, raise the version to an incompatible one:
    /// 2.0.0 after 1.0.0, or 0.2.0 after 0.1.0. With 1.1.0 after 1.0.0, a state that fits is used unchanged, without this hook.
    ///
    /// In the state, a non-finite float is `null`, and a map whose keys JSON cannot represent, such as tuples, is a list of
    /// pairs: `[[[1, 2], "rook"]]`.
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
    /// Fails if the state cannot be converted. The default always fails.
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
    /// The skill handled the signal, so no other skill is asked.
    Done,
    /// The skill did not handle the signal, so the next skill is asked.
    Ignored,
}
