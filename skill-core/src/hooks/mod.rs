//! What a skill may do when a server runs its agent.

mod entry;
mod error;

pub use entry::HookEntry;
pub(crate) use entry::{HookAnswer, HookRequest};
pub use error::HookError;

use crate::context::Hook;
use crate::{ChildSpec, Context, Instruction, Route, Signal, Skill};
use serde_json::Value;

/// The hooks of a skill into a served agent; every one has a default that does nothing.
///
/// `#[derive(Skill)]` writes an empty implementation; with `#[skill(hooks)]` the skill writes its own. Pure code never
/// calls a hook (seed 001, "Callback Placement"). A hook that answers `Ignored` or `Err` has changed and queued nothing.
///
/// Of a skill that is mounted at run time only [`handle_signal`](Self::handle_signal) is called, and
/// [`restore`](Self::restore) where a store has an older state of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` declares `hooks` but has no `impl Hooks for {Self}`",
    label = "`Hooks` is not implemented",
    note = "write `impl Hooks for {Self} {{ ... }}`, or take `hooks` out"
)]
pub trait Hooks: Sized {
    /// Called once per start, after recovery; an error stops the start.
    ///
    /// # Errors
    /// Whatever makes the skill unusable.
    fn on_mount(&mut self, start: Start, cx: &mut Context<Self>) -> Result<(), HookError>
    where
        Self: Skill,
    {
        let _ = start;
        cx.default_hook = Some(Hook::Mount);
        Ok(())
    }

    /// Further routes, made from the configuration: which signals run which instructions.
    fn routes(config: &Self::Config) -> Vec<(Route, Instruction)>
    where
        Self: Skill,
    {
        let _ = config;
        Vec::new()
    }

    /// Sees a signal before it is routed; may rewrite or refuse it.
    ///
    /// # Errors
    /// Why the signal is refused.
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

    /// Handles a signal that no route matches; the first skill that does so ends the search.
    ///
    /// # Errors
    /// Why it could not be handled.
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

    /// Sees the result of a signal; may replace it, and emit.
    ///
    /// # Errors
    /// The error that the caller gets.
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

    /// The children that run beside the agent, made from the configuration: started in this order with the server, after
    /// the hooks `on_mount`, and stopped in the reverse order (seed 001, `child_spec/1`). Their ids are unique in an agent.
    fn child_specs(config: &Self::Config) -> Vec<ChildSpec>
    where
        Self: Skill,
    {
        let _ = config;
        Vec::new()
    }

    /// Makes the state from one that an older version of the skill left behind.
    ///
    /// # Errors
    /// When there is no way; the default knows none.
    fn restore(version: &str, state: Value) -> Result<Self, HookError>
    where
        Self: Skill,
    {
        let _ = state;
        Err(HookError::new(format!(
            "`{}` cannot read the state of its version {version}; implement `Hooks::restore`",
            Self::NAME
        )))
    }
}

/// Whether a start begins afresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Start {
    /// There was no stored state.
    Fresh,
    /// The state was recovered from a store.
    Restored,
}

/// Whether a skill took care of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handled {
    /// It did; nobody else is asked.
    Done,
    /// It did not; the next skill is asked.
    Ignored,
}
