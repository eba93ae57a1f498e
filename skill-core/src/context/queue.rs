//! The methods of a context that queue effects.

use super::{Context, MountOp, QueuedMount};
use crate::command::instruction::IntoInstruction;
use crate::directive::{Effect, Origin, Repeat, Reply, SKILL_TAG, Schedule, Spawn};
use crate::{Directive, Signal, Skill};
use serde_json::Value;
use skill_agent_grammar::is_signal_type;
use skill_agent_schema::shorten_type;
use std::borrow::Cow;
use std::time::Duration;

impl<S: Skill> Context<S> {
    /// Queues a signal to publish. In this method and the methods below, a signal with an invalid type is replaced with a
    /// [`Directive::Error`], because a stored signal must be readable again.
    pub fn emit(&mut self, signal: Signal) {
        if let Some(signal) = self.renamed_signal("emitted", signal) {
            let effect = self.effect(signal);
            self.queued.directives.push(Directive::Emit(effect));
        }
    }

    /// Queues a reply to the request that caused this command: the signal that was sent with `AgentServer::request`.
    ///
    /// A call, typed or by name, is not a request, and drops the reply. To answer calls too, return a value from the action: a
    /// call gets it, and so does a request without a reply.
    pub fn reply(&mut self, signal: Signal) {
        if let Some(signal) = self.renamed_signal("replied", signal) {
            let to = self.reply_to().map(str::to_owned);
            let effect = self.effect(Reply { to, signal });
            self.queued.directives.push(Directive::Reply(effect));
        }
    }

    /// Queues an action to run after this command. Names of the skill's own actions refer to this instance.
    ///
    /// The instruction names the action. To queue an action by its type, use [`then`](Self::then).
    pub fn run(&mut self, instruction: impl IntoInstruction) {
        let mut instruction = instruction.into_instruction();
        self.instance.rename_instruction::<S>(&mut instruction);
        let mut effect = self.effect(instruction);
        // The base fields are the agent's own, so their instructions do not get the tag.
        if !self.instance.key.is_empty() {
            effect.origin.tags.push(SKILL_TAG.into());
        }
        self.queued.directives.push(Directive::Run(effect));
    }

    /// Queues a signal to deliver to the agent later.
    pub fn schedule(&mut self, after: Duration, signal: Signal) {
        self.queue_schedule(None, Schedule::new(after, signal));
    }

    /// Like [`schedule`](Self::schedule), but with a key. A later schedule with the same key replaces this one, and
    /// [`cancel`](Self::cancel) cancels it. Each instance has its own keys.
    pub fn schedule_as(&mut self, key: &str, after: Duration, signal: Signal) {
        self.queue_schedule(Some(key), Schedule::new(after, signal));
    }

    /// Queues a signal to deliver to the agent again and again, at a fixed rate with [`every`](crate::directive::every) or at the
    /// times of a [`cron`](crate::directive::cron) expression. [`cancel`](Self::cancel) ends it, and a later schedule with the same
    /// key replaces it, as with [`schedule_as`](Self::schedule_as).
    ///
    /// A server that cannot compute the times, for example because the interval is zero, undoes the command and returns an error.
    ///
    /// ```
    /// use skill_core::directive::{Missed, every};
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// # use skill_core::{Context, NoConfig, Signal};
    /// # use std::time::Duration;
    /// # #[derive(Clone, Default, Serialize, Deserialize, JsonSchema)] struct Feed {}
    /// # impl skill_core::Skill for Feed { type Config = NoConfig; const SPEC: skill_core::SkillSpec = skill_core::SkillSpec::new("feed"); }
    /// # let mut cx = Context::<Feed>::for_test(NoConfig {});
    /// let hourly = every(Duration::from_secs(3600)).missed(Missed::None);
    /// cx.repeat_as("fetch", hourly, Signal::without_data("feed.fetch"));
    /// ```
    pub fn repeat_as(&mut self, key: &str, repeat: Repeat, signal: Signal) {
        self.queue_schedule(Some(key), Schedule::repeating(repeat, signal));
    }

    fn queue_schedule(&mut self, key: Option<&str>, mut schedule: Schedule) {
        if let Some(signal) = self.renamed_signal("scheduled", schedule.signal) {
            schedule.signal = signal;
            schedule.key = key.map(|key| self.qualified_name(key));
            let effect = self.effect(schedule);
            self.queued.directives.push(Directive::Schedule(effect));
        }
    }

    /// Cancels the signal scheduled under a key, if any. Ends a schedule that repeats.
    pub fn cancel(&mut self, key: &str) {
        let (key, origin) = (self.qualified_name(key), self.origin());
        self.queued
            .directives
            .push(Directive::Cancel { key, origin });
    }

    /// Queues the start of one of the skill's children; see [`Hooks::child_specs`](crate::Hooks::child_specs).
    pub fn spawn(&mut self, child: impl Into<Cow<'static, str>>, params: Value) {
        let mut child = child.into();
        if self.instance.aliased {
            child = Cow::Owned(self.qualified_name(&child));
        }
        let effect = self.effect(Spawn::new(child, params));
        self.queued.directives.push(Directive::Spawn(effect));
    }

    /// Prefixes a name with the instance's name: `feed` of `calc` is `calc.feed`.
    fn qualified_name(&self, name: &str) -> String {
        format!("{}.{name}", self.instance.name)
    }

    /// Mounts a skill from the agent's `mounted: [...]` with options, or a registered document, after the action or hook has
    /// succeeded. The mount is part of the same command, and the registrations of the skill's actions are added to the command's
    /// directives.
    ///
    /// Either all mount operations queued by an action or hook are performed, or the command fails and changes nothing: a call by
    /// name with [`CallError::Mount`](crate::CallError::Mount), a server with its own error. [`Agent::cmd`](crate::Agent::cmd)
    /// and [`Mounted::call_json`](crate::Mounted::call_json) differ: the action is applied without its mounts, and the outcome
    /// has a [`Directive::Error`] with the reason. For `cmd`, the reason is that its error type is always the action's own.
    pub fn mount(&mut self, skill: impl Into<String>, options: &Value) {
        let (skill, options) = (skill.into(), options.clone());
        self.queue_mount(MountOp::Mount { skill, options });
    }

    /// Mounts several skills and documents together with their requirements, in requirement order, after the action or hook has
    /// succeeded. `options` is an object with the options of skills by state key. See [`mount`](Self::mount).
    pub fn mount_all(
        &mut self,
        skills: impl IntoIterator<Item = impl Into<String>>,
        options: &Value,
    ) {
        self.queue_mount(MountOp::mount_all(skills, options.clone()));
    }

    /// Replaces the skill or document mounted under a name with the one in the registry, after the action or hook has succeeded.
    /// The new skill has a new state with these options and is enabled. See [`mount`](Self::mount).
    pub fn replace(&mut self, skill: impl Into<String>, options: &Value) {
        let (skill, options) = (skill.into(), options.clone());
        self.queue_mount(MountOp::Replace { skill, options });
    }

    /// Unmounts a skill after the action or hook has succeeded. See [`mount`](Self::mount).
    pub fn unmount(&mut self, skill: impl Into<String>) {
        let skill = skill.into();
        self.queue_mount(MountOp::Unmount { skill });
    }

    /// Enables a disabled skill or document after the action or hook has succeeded. See [`mount`](Self::mount).
    pub fn enable(&mut self, skill: impl Into<String>) {
        let skill = skill.into();
        self.queue_mount(MountOp::Enable { skill });
    }

    /// Disables a mounted skill or document after the action or hook has succeeded, and keeps its state.
    /// [`Mounted::disable`](crate::Mounted::disable) describes the effect. See also [`mount`](Self::mount).
    pub fn disable(&mut self, skill: impl Into<String>) {
        let skill = skill.into();
        self.queue_mount(MountOp::Disable { skill });
    }

    fn queue_mount(&mut self, op: MountOp) {
        let origin = self.origin();
        self.queued.push_mount(QueuedMount { op, origin });
    }

    /// Queues a directive to stop the agent.
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

    /// Renames a signal's type for this instance. If the type is invalid, queues a [`Directive::Error`] and returns `None`.
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
