//! What a context queues.

use super::{Context, MountOp, QueuedMount};
use crate::directive::{Effect, Origin, Reply, Schedule, Spawn};
use crate::json::shorten;
use crate::{Directive, Instruction, Signal, Skill};
use skill_agent_grammar::is_signal_type;
use std::borrow::Cow;
use std::time::Duration;

impl<S: Skill> Context<S> {
    /// Queues a signal to be published. Here and below, a signal whose type is none becomes a [`Directive::Error`]: what
    /// cannot be read back is never queued.
    pub fn emit(&mut self, signal: Signal) {
        if let Some(signal) = self.own_signal("emitted", signal) {
            let effect = self.effect(signal);
            self.queued.directives.push(Directive::Emit(effect));
        }
    }

    /// Queues an answer to whoever asked.
    pub fn reply(&mut self, signal: Signal) {
        if let Some(signal) = self.own_signal("replied", signal) {
            let to = self.reply_to().map(str::to_owned);
            let effect = self.effect(Reply { to, signal });
            self.queued.directives.push(Directive::Reply(effect));
        }
    }

    /// Queues an action to be run afterwards. The names of the skill's own actions mean this instance.
    pub fn run(&mut self, instruction: impl Into<Instruction>) {
        let mut instruction = instruction.into();
        self.place.own_instruction::<S>(&mut instruction);
        let effect = self.effect(instruction);
        self.queued.directives.push(Directive::Run(effect));
    }

    /// Queues a signal to be delivered after a while.
    pub fn schedule(&mut self, after: Duration, signal: Signal) {
        if let Some(signal) = self.own_signal("scheduled", signal) {
            let effect = self.effect(Schedule::new(after, signal));
            self.queued.directives.push(Directive::Schedule(effect));
        }
    }

    /// The same under a key: a later one under that key takes its place, and [`cancel`](Self::cancel) takes it back. Keys are
    /// the instance's own.
    pub fn schedule_as(&mut self, key: &str, after: Duration, signal: Signal) {
        if let Some(signal) = self.own_signal("scheduled", signal) {
            let schedule = Schedule::new(after, signal).with_key(self.own_name(key));
            let effect = self.effect(schedule);
            self.queued.directives.push(Directive::Schedule(effect));
        }
    }

    /// Takes back what was scheduled under a key. Nothing happens when there is nothing.
    pub fn cancel(&mut self, key: &str) {
        let (key, origin) = (self.own_name(key), self.origin());
        self.queued
            .directives
            .push(Directive::Cancel { key, origin });
    }

    /// Queues the start of a child of the skill; see [`Hooks::child_specs`](crate::Hooks::child_specs).
    pub fn spawn(&mut self, child: impl Into<Cow<'static, str>>, params: serde_json::Value) {
        let mut child = child.into();
        if self.place.aliased {
            child = Cow::Owned(self.own_name(&child));
        }
        let effect = self.effect(Spawn::new(child, params));
        self.queued.directives.push(Directive::Spawn(effect));
    }

    /// A name of the instance's own: `feed` of `calc` is `calc.feed`.
    fn own_name(&self, name: &str) -> String {
        format!("{}.{name}", self.place.instance)
    }

    /// Mounts a skill of the agent's `mounted: [...]` with options, or a registered document, once the action or hook has
    /// succeeded. It is part of the same command, and its registrations join the directives of the outcome.
    ///
    /// All mounts that one action or hook queues are applied, or none; then the outcome has a [`Directive::Error`] that says
    /// why.
    pub fn mount(&mut self, skill: impl Into<Cow<'static, str>>, options: &serde_json::Value) {
        self.queue_mount(skill.into(), MountOp::Mount(options.clone()));
    }

    /// Unmounts a skill once the action or hook has succeeded. See [`mount`](Self::mount).
    pub fn unmount(&mut self, skill: impl Into<Cow<'static, str>>) {
        self.queue_mount(skill.into(), MountOp::Unmount);
    }

    fn queue_mount(&mut self, skill: Cow<'static, str>, op: MountOp) {
        let origin = self.origin();
        let mount = QueuedMount { skill, op, origin };
        self.queued.push_mount(mount);
    }

    /// Queues the end of the agent.
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
            skill: Cow::Borrowed(self.place.instance),
            cause: self.id().map(str::to_owned),
            tags: Vec::new(),
        }
    }

    /// A signal as this instance spells it: a type that begins with the skill's name begins with the instance's where that
    /// has another one. What has no type that can be one is reported instead.
    fn own_signal(&mut self, what: &'static str, signal: Signal) -> Option<Signal> {
        if !is_signal_type(signal.ty()) {
            let message = format!(
                "`{}` {what} a signal of the type `{}`; a type is written like `order.paid`: names of letters, digits, `_` and `-`, divided by `.`",
                self.place.instance,
                shorten(signal.ty(), 80),
            );
            let origin = self.origin();
            self.queued
                .directives
                .push(Directive::Error { message, origin });
            return None;
        }
        match self.place.own_type::<S>(signal.ty()) {
            Some(ty) => Some(signal.with_type(ty)),
            None => Some(signal),
        }
    }
}
