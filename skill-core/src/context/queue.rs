//! The methods of a context that queue effects.

use super::{Context, MountOp, QueuedMount};
use crate::command::instruction::IntoInstruction;
use crate::directive::{Effect, Origin, Reply, SKILL_TAG, Schedule, Spawn};
use crate::{Directive, Signal, Skill};
use serde_json::Value;
use skill_agent_grammar::is_signal_type;
use skill_agent_schema::shorten_type;
use std::borrow::Cow;
use std::time::Duration;

impl<S: Skill> Context<S> {
    /// Queues a signal to publish. This and the methods below replace a signal with an invalid type by a [`Directive::Error`],
    /// because a stored signal must be readable again.
    pub fn emit(&mut self, signal: Signal) {
        if let Some(signal) = self.renamed_signal("emitted", signal) {
            let effect = self.effect(signal);
            self.queued.directives.push(Directive::Emit(effect));
        }
    }

    /// Queues a reply to the request that led to this command.
    pub fn reply(&mut self, signal: Signal) {
        if let Some(signal) = self.renamed_signal("replied", signal) {
            let to = self.reply_to().map(str::to_owned);
            let effect = self.effect(Reply { to, signal });
            self.queued.directives.push(Directive::Reply(effect));
        }
    }

    /// Queues an action to run after this command. Names of the skill's own actions refer to this instance.
    ///
    /// The instruction has the action by name; an action by its type is queued with [`then`](Self::then).
    pub fn run(&mut self, instruction: impl IntoInstruction) {
        let mut instruction = instruction.into_instruction();
        self.instance.rename_instruction::<S>(&mut instruction);
        let mut effect = self.effect(instruction);
        // The base fields are the agent's own.
        if !self.instance.key.is_empty() {
            effect.origin.tags.push(SKILL_TAG.into());
        }
        self.queued.directives.push(Directive::Run(effect));
    }

    /// Queues a signal to deliver to the agent later.
    pub fn schedule(&mut self, after: Duration, signal: Signal) {
        if let Some(signal) = self.renamed_signal("scheduled", signal) {
            let effect = self.effect(Schedule::new(after, signal));
            self.queued.directives.push(Directive::Schedule(effect));
        }
    }

    /// Like [`schedule`](Self::schedule), but with a key: a later schedule with that key replaces it, and
    /// [`cancel`](Self::cancel) cancels it. Each instance has keys of its own.
    pub fn schedule_as(&mut self, key: &str, after: Duration, signal: Signal) {
        if let Some(signal) = self.renamed_signal("scheduled", signal) {
            let schedule = Schedule::new(after, signal).with_key(self.qualified_name(key));
            let effect = self.effect(schedule);
            self.queued.directives.push(Directive::Schedule(effect));
        }
    }

    /// Cancels the signal that was scheduled with a key, if there is one.
    pub fn cancel(&mut self, key: &str) {
        let (key, origin) = (self.qualified_name(key), self.origin());
        self.queued
            .directives
            .push(Directive::Cancel { key, origin });
    }

    /// Queues the start of a child of the skill; see [`Hooks::child_specs`](crate::Hooks::child_specs).
    pub fn spawn(&mut self, child: impl Into<Cow<'static, str>>, params: Value) {
        let mut child = child.into();
        if self.instance.aliased {
            child = Cow::Owned(self.qualified_name(&child));
        }
        let effect = self.effect(Spawn::new(child, params));
        self.queued.directives.push(Directive::Spawn(effect));
    }

    /// Prefixes a name with the name of the instance: `feed` of `calc` is `calc.feed`.
    fn qualified_name(&self, name: &str) -> String {
        format!("{}.{name}", self.instance.name)
    }

    /// Mounts a skill of the agent's `mounted: [...]` with options, or a registered document, when the action or hook has
    /// succeeded. This is part of the same command, and the registrations are added to its directives.
    ///
    /// Either all mount operations that an action or hook queues are performed, or the command fails and changes nothing: with
    /// [`CallError::Mount`](crate::CallError::Mount) by name, and with an error of the server. An error of [`Agent::cmd`](crate::Agent::cmd)
    /// is one of the action itself, so the outcome has a [`Directive::Error`] with the reason there, and the action is applied
    /// without its mounts; the same is true of [`Mounted::call_json`](crate::Mounted::call_json).
    pub fn mount(&mut self, skill: impl Into<String>, options: &Value) {
        let (skill, options) = (skill.into(), options.clone());
        self.queue_mount(MountOp::Mount { skill, options });
    }

    /// Mounts several skills and documents together with those that they require, in the order of their requirements, when the
    /// action or hook has succeeded. `options` is an object with the options of skills by state key. See [`mount`](Self::mount).
    pub fn mount_all(
        &mut self,
        skills: impl IntoIterator<Item = impl Into<String>>,
        options: &Value,
    ) {
        self.queue_mount(MountOp::mount_all(skills, options.clone()));
    }

    /// Replaces the skill or document that is mounted under a name by the one of the registry, when the action or hook has
    /// succeeded: the skill has a new state with these options, and is enabled. See [`mount`](Self::mount).
    pub fn replace(&mut self, skill: impl Into<String>, options: &Value) {
        let (skill, options) = (skill.into(), options.clone());
        self.queue_mount(MountOp::Replace { skill, options });
    }

    /// Unmounts a skill when the action or hook has succeeded. See [`mount`](Self::mount).
    pub fn unmount(&mut self, skill: impl Into<String>) {
        let skill = skill.into();
        self.queue_mount(MountOp::Unmount { skill });
    }

    /// Enables a disabled skill or document when the action or hook has succeeded. See [`mount`](Self::mount).
    pub fn enable(&mut self, skill: impl Into<String>) {
        let skill = skill.into();
        self.queue_mount(MountOp::Enable { skill });
    }

    /// Disables a mounted skill or document and keeps its state, when the action or hook has succeeded. See
    /// [`Mounted::disable`](crate::Mounted::disable) for what that means, and [`mount`](Self::mount).
    pub fn disable(&mut self, skill: impl Into<String>) {
        let skill = skill.into();
        self.queue_mount(MountOp::Disable { skill });
    }

    fn queue_mount(&mut self, op: MountOp) {
        let origin = self.origin();
        self.queued.push_mount(QueuedMount { op, origin });
    }

    /// Queues stopping the agent.
    pub fn stop(&mut self, reason: impl Into<Cow<'static, str>>) {
        let origin = self.origin();
        let reason = reason.into();
        self.queued
            .directives
            .push(Directive::Stop { reason, origin });
    }

    fn effect<T>(&self, effect: T) -> Effect<T> {
        Effect {
            effect,
            origin: self.origin(),
        }
    }

    pub(crate) fn origin(&self) -> Origin {
        Origin {
            skill: Cow::Borrowed(self.instance.name),
            cause: self.id().map(str::to_owned),
            tags: Vec::new(),
        }
    }

    /// Renames the type of a signal for this instance. If the type is invalid, queues a [`Directive::Error`] and returns `None`.
    fn renamed_signal(&mut self, what: &'static str, signal: Signal) -> Option<Signal> {
        if !is_signal_type(signal.ty()) {
            let message = format!(
                "`{}` {what} a signal of the type `{}`; a type is written like `order.paid`: names of letters, digits, `_` and `-`, separated by `.`",
                self.instance.name,
                shorten_type(signal.ty()),
            );
            let origin = self.origin();
            self.queued
                .directives
                .push(Directive::Error { message, origin });
            return None;
        }
        match self.instance.rename_type::<S>(signal.ty()) {
            Some(ty) => Some(signal.with_type(ty)),
            None => Some(signal),
        }
    }
}
