//! The process layer's questions about directives. Each question is one match without a wildcard, so a variant without an answer
//! does not compile.

use super::{Directive, Effect, Origin, Reply, Schedule, Spawn};
use crate::{Instruction, Signal};
use std::borrow::Cow;

/// Facts about a directive that the process layer needs before executing it.
///
/// [`facts`](Directive::facts) matches without a wildcard, so a variant without facts does not compile.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct DirectiveFacts<'d> {
    /// Whether the directive causes another command at once.
    pub runs_command: bool,
    /// The signal that the directive schedules.
    pub schedules: Option<&'d Effect<Schedule>>,
    /// The key of the scheduled signal that the directive cancels.
    pub cancels: Option<&'d str>,
    /// The action that the next server takes if this server stops before it has executed the directive.
    pub after_restart: AfterRestart,
}

/// The action that a server takes for a directive that the previous server recorded but did not execute.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterRestart {
    /// Execute the directive before the startup hooks.
    Execute,
    /// Execute the directive after the startup hooks.
    ExecuteAfterHooks,
    /// Do nothing, because the restart has the same effect.
    Skip,
}

/// A directive's signal. Signals are stamped before they are recorded.
#[doc(hidden)]
#[derive(Debug)]
pub enum SignalOf<'d> {
    /// A signal that leaves the agent.
    Published(&'d mut Signal),
    /// A signal that is delivered back to the agent.
    Delivered(&'d mut Signal),
    /// The directive has no signal.
    None,
}

/// Executes directives: one method per variant of [`Directive`].
///
/// A handler outside this crate could only match the enum with a wildcard, which would silently swallow new variants.
/// [`handle_with`](Directive::handle_with) matches on behalf of the handler, so a variant without a method does not compile.
#[doc(hidden)]
pub trait DirectiveHandler {
    /// Handles [`Directive::Emit`].
    fn emit(&mut self, emit: Effect<Signal>);

    /// Handles [`Directive::Run`].
    fn run(&mut self, run: Effect<Instruction>);

    /// Handles [`Directive::Reply`].
    fn reply(&mut self, reply: Effect<Reply>);

    /// Handles [`Directive::RegisterAction`].
    fn register_action(&mut self, skill: &str, action: &str, origin: Origin);

    /// Handles [`Directive::DeregisterAction`].
    fn deregister_action(&mut self, skill: &str, action: &str, origin: Origin);

    /// Handles [`Directive::Schedule`].
    fn schedule(&mut self, schedule: Effect<Schedule>);

    /// Handles [`Directive::Cancel`].
    fn cancel(&mut self, key: String, origin: Origin);

    /// Handles [`Directive::Spawn`].
    fn spawn(&mut self, spawn: Effect<Spawn>);

    /// Handles [`Directive::Stop`].
    fn stop(&mut self, reason: Cow<'static, str>, origin: Origin);

    /// Handles [`Directive::Error`].
    fn error(&mut self, message: String, origin: Origin);
}

impl Directive {
    /// Returns the variant's name as it is serialized.
    #[doc(hidden)]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Emit(_) => "emit",
            Self::Run(_) => "run",
            Self::Reply(_) => "reply",
            Self::RegisterAction { .. } => "register_action",
            Self::DeregisterAction { .. } => "deregister_action",
            Self::Schedule(_) => "schedule",
            Self::Cancel { .. } => "cancel",
            Self::Spawn(_) => "spawn",
            Self::Stop { .. } => "stop",
            Self::Error { .. } => "error",
        }
    }

    /// Returns the facts about the directive.
    #[doc(hidden)]
    pub fn facts(&self) -> DirectiveFacts<'_> {
        let facts = DirectiveFacts {
            runs_command: false,
            schedules: None,
            cancels: None,
            after_restart: AfterRestart::Execute,
        };
        match self {
            Self::Run(_) => DirectiveFacts {
                runs_command: true,
                ..facts
            },
            Self::Schedule(schedule) => DirectiveFacts {
                schedules: Some(schedule),
                ..facts
            },
            Self::Cancel { key, .. } => DirectiveFacts {
                cancels: Some(key),
                ..facts
            },
            Self::Spawn(_) => DirectiveFacts {
                after_restart: AfterRestart::ExecuteAfterHooks,
                ..facts
            },
            Self::Stop { .. } => DirectiveFacts {
                after_restart: AfterRestart::Skip,
                ..facts
            },
            Self::Emit(_)
            | Self::Reply(_)
            | Self::RegisterAction { .. }
            | Self::DeregisterAction { .. }
            | Self::Error { .. } => facts,
        }
    }

    /// Returns the directive's signal.
    #[doc(hidden)]
    pub fn signal_mut(&mut self) -> SignalOf<'_> {
        match self {
            Self::Emit(emit) => SignalOf::Published(&mut emit.effect),
            Self::Reply(reply) => SignalOf::Published(&mut reply.effect.signal),
            Self::Schedule(schedule) => SignalOf::Delivered(&mut schedule.effect.signal),
            Self::Run(_)
            | Self::RegisterAction { .. }
            | Self::DeregisterAction { .. }
            | Self::Cancel { .. }
            | Self::Spawn(_)
            | Self::Stop { .. }
            | Self::Error { .. } => SignalOf::None,
        }
    }

    /// Calls the method of `handler` for this variant.
    #[doc(hidden)]
    pub fn handle_with(self, handler: &mut impl DirectiveHandler) {
        match self {
            Self::Emit(emit) => handler.emit(emit),
            Self::Run(run) => handler.run(run),
            Self::Reply(reply) => handler.reply(reply),
            Self::RegisterAction {
                skill,
                action,
                origin,
            } => handler.register_action(&skill, &action, origin),
            Self::DeregisterAction {
                skill,
                action,
                origin,
            } => handler.deregister_action(&skill, &action, origin),
            Self::Schedule(schedule) => handler.schedule(schedule),
            Self::Cancel { key, origin } => handler.cancel(key, origin),
            Self::Spawn(spawn) => handler.spawn(spawn),
            Self::Stop { reason, origin } => handler.stop(reason, origin),
            Self::Error { message, origin } => handler.error(message, origin),
        }
    }
}
