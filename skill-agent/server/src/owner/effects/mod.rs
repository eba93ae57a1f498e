//! Executes directives.

pub(crate) mod action_host;
pub(crate) mod async_actions;
pub(crate) mod async_results;
pub(crate) mod follow_ups;
mod loopback;
pub(crate) mod pending;
mod repeats;
pub(crate) mod run_directive;
pub(crate) mod steps;
pub(crate) mod tasks;
mod watch;

use super::{InternalStep, Owner};
use crate::chain::{self, Chain};
use crate::children::ChildEvent;
use crate::error::{NotKept, ServeError};
use crate::journal::{due, millis};
use crate::lifecycle::settings::ErrorPolicy;
use crate::lifecycle::stop_reason::StopReason;
use crate::mailbox::shutdown::StopLevel;
use crate::owner::signal::pipeline::ERROR;
use crate::signals::outbox::{Delivery, DeliveryReport};
use crate::signals::schedule::{Repetition, ScheduledSignal};
use crate::signals::signal_sink::OutboundSignal;
use crate::stats::{self, add};
use skill_agent_store::StoreError;
use skill_core::directive::Origin;
use skill_core::directive::{Effect, Reply, Schedule, Spawn};
use skill_core::process::full_text;
use skill_core::process::{self, DirectiveHandler};
use skill_core::{Agent, Directive, Instruction, Signal};
use std::borrow::Cow;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::SystemTime;

/// One directive in execution.
struct Execution<'a, G: Agent> {
    owner: &'a mut Owner<G>,
    /// The directive's number in the log, or in memory without a store.
    number: Option<u64>,
    /// The chain of the command that queued the directive.
    chain: Chain,
    /// The due time of a schedule.
    due: SystemTime,
}

impl<G: Agent> DirectiveHandler for Execution<'_, G> {
    fn emit(&mut self, emit: Effect<Signal>) {
        self.owner.emit(emit.effect, self.number);
    }

    fn run(&mut self, run: Effect<Instruction>) {
        self.owner.steps.push_back(InternalStep::Run {
            instruction: run.effect,
            number: self.number,
            chain: self.chain.next(),
        });
    }

    fn reply(&mut self, reply: Effect<Reply>) {
        match reply.effect.to {
            Some(to) if self.owner.outbox.is_some() => {
                let signal = Arc::new(reply.effect.signal);
                self.owner
                    .queue_delivery(OutboundSignal::Reply { to, signal }, self.number);
            }
            // the response to the request has already delivered the reply
            _ => self.done(),
        }
    }

    fn register_action(&mut self, skill: &str, action: &str, _: Origin) {
        let owner = &mut *self.owner;
        // the routes are empty if the skill was unmounted or disabled meanwhile
        let routes = process::mounted_routes(&owner.agent, skill, action);
        owner.routing.deregister(skill, action);
        owner.routing.register(skill, action, routes);
        self.done();
    }

    fn deregister_action(&mut self, skill: &str, action: &str, _: Origin) {
        self.owner.routing.deregister(skill, action);
        self.done();
    }

    fn schedule(&mut self, schedule: Effect<Schedule>) {
        let number = self.number;
        let is_loopback = chain::is_loopback(&schedule);
        let Effect { effect, origin, .. } = schedule;
        let is_follow_up = effect.after.is_zero() && effect.repeat.is_none();
        let Schedule {
            signal,
            key,
            repeat,
            next,
            ..
        } = effect;
        if is_loopback {
            let chain = self.chain.next();
            return self.owner.steps.push_back(InternalStep::Signal {
                signal,
                number,
                chain,
            });
        }
        let due = millis(self.due);
        let repetition = repeat.map(|repeat| {
            Box::new(Repetition {
                repeat,
                origin,
                due: next.map_or(due, |next| next.due),
                first: next.and_then(|next| next.first).or(number),
                began: due,
                claims: 0,
            })
        });
        let scheduled = ScheduledSignal {
            signal,
            key,
            number,
            chain: is_follow_up.then(|| self.chain.clone()),
            repetition,
        };
        if let Some(replaced) = self.owner.schedules.add(self.due, scheduled) {
            self.owner.done(replaced.number);
        }
    }

    fn cancel(&mut self, key: String, _: Origin) {
        if let Some(cancelled) = self.owner.schedules.cancel(&key) {
            self.owner.done(cancelled.number);
        }
        self.done();
    }

    fn spawn(&mut self, spawn: Effect<Spawn>) {
        self.done();
        let spawn = spawn.effect;
        if let Err(error) = self.owner.children.spawn(&spawn.id, spawn.params) {
            self.owner
                .report(&format!("a child was not started: {error}"));
        }
    }

    fn stop(&mut self, reason: Cow<'static, str>, _: Origin) {
        self.done();
        self.owner
            .stopping
            .get_or_insert(StopReason::Directive(reason));
    }

    fn error(&mut self, message: String, _: Origin) {
        self.done();
        self.owner.report(&message);
    }
}

impl<G: Agent> Execution<'_, G> {
    fn done(&mut self) {
        self.owner.done(self.number);
    }
}

impl<G: Agent> Owner<G> {
    /// Executes a directive of a recorded command.
    pub(super) fn execute_directive(
        &mut self,
        directive: Directive,
        number: Option<u64>,
        chain: Chain,
    ) {
        let schedules = directive.facts().schedules;
        let due = schedules.map_or(SystemTime::UNIX_EPOCH, |schedule| due(schedule, self.now()));
        self.execute_directive_at(directive, number, chain, due);
    }

    /// Executes a directive. If it is a schedule, `due` is its due time from the log.
    pub(super) fn execute_directive_at(
        &mut self,
        directive: Directive,
        number: Option<u64>,
        chain: Chain,
        due: SystemTime,
    ) {
        tracing::trace!(
            agent = G::SPEC.name,
            directive = directive.kind(),
            number,
            "directive"
        );
        self.isolate(|owner| {
            directive.handle_with(&mut Execution {
                owner,
                number,
                chain,
                due,
            });
        });
    }

    fn emit(&mut self, signal: Signal, number: Option<u64>) {
        if self.outbox.is_none() && self.shared.hub.is_empty() {
            self.warn_of_unheard(signal.ty());
            return self.done(number);
        }
        let signal = Arc::new(signal);
        self.shared.hub.publish(&signal);
        if self.outbox.is_some() {
            self.queue_delivery(OutboundSignal::Emitted(signal), number);
        } else {
            self.done(number);
        }
    }

    fn queue_delivery(&mut self, outbound: OutboundSignal, number: Option<u64>) {
        self.deliveries.push_back(Delivery { outbound, number });
    }

    /// Passes queued deliveries to the outbox task, waiting while the channel is full unless the server must stop.
    pub(super) async fn flush(&mut self) {
        let Some(outbox) = &self.outbox else {
            return self.deliveries.clear();
        };
        while !self.deliveries.is_empty() && !self.is_closing {
            tokio::select! {
                biased;
                _ = self.shared.stop_flag.at_least(StopLevel::Stop) => return,
                permit = outbox.reserve() => match (permit, self.deliveries.pop_front()) {
                    (Ok(permit), Some(delivery)) => {
                        self.undelivered += 1;
                        permit.send(delivery);
                    }
                    _ => return,
                },
            }
        }
    }

    /// Handles a report of the outbox task.
    pub(super) fn delivery_reported(&mut self, report: DeliveryReport) {
        match report {
            DeliveryReport::Delivered { number } => {
                self.undelivered -= 1;
                self.done(number);
            }
            DeliveryReport::Failed { reason } => {
                self.report(&format!("the signal sink did not take a signal: {reason}"));
            }
        }
    }

    /// Reports an error that no caller waits for, according to the error policy.
    pub(super) fn report(&mut self, message: &str) {
        tracing::error!(
            agent = G::SPEC.name,
            id = self.agent.id(),
            error = message,
            "agent error"
        );
        match self.settings.error_policy {
            ErrorPolicy::Log => {}
            ErrorPolicy::Emit => {
                let mut signal = Signal::new(ERROR, serde_json::json!({ "message": message }));
                self.stamp_signal(&mut signal);
                self.emit(signal, None);
            }
            ErrorPolicy::Stop => {
                self.stopping
                    .get_or_insert(StopReason::Error(message.to_owned()));
            }
        }
    }

    /// Reports that a command could not be stored. No caller waits for the command. `number` is the number of the directive that
    /// caused the command and stays pending in the log.
    pub(super) fn report_unstored(&mut self, what: &str, number: Option<u64>, error: &StoreError) {
        let later = match number {
            _ if error.leaves_log_usable() && self.run_again(number) => "; it is tried again",
            Some(_) => "; it is executed again after the next start",
            None => "",
        };
        let effect = if error.leaves_log_usable() {
            "was undone"
        } else {
            "may have been applied"
        };
        let error = full_text(error);
        self.report(&format!(
            "`{what}` could not be stored and {effect}{later}: {error}"
        ));
    }

    /// Reports that a command could not be kept. No caller waits for the command. If the directive that caused the command would
    /// fail again, marks that directive done. Otherwise, the directive stays pending in the log.
    pub(super) fn report_not_kept(&mut self, what: &str, number: Option<u64>, reason: NotKept) {
        match reason {
            NotKept::Limit(_) | NotKept::Repeat { .. } => {
                if number.is_some() {
                    self.done_or_repeat(number);
                }
                let error = ServeError::<Infallible>::not_kept(reason);
                self.report(&format!("`{what}` failed: {error}"));
            }
            // The cause is not the store, but a state that its skill cannot read back.
            NotKept::Store(error) if error.is_unrecordable() && self.stopping.is_none() => {
                if number.is_some() {
                    self.done_or_repeat(number);
                }
                self.report_unstored(what, None, &error);
            }
            NotKept::Store(error) | NotKept::StoreBefore(error) => {
                self.report_unstored(what, number, &error);
            }
        }
    }

    /// Handles an event of the supervisor.
    pub(super) fn child_event(&mut self, event: ChildEvent) {
        let children = self.children.stats();
        stats::set(&self.shared.counters.children, children.running);
        match event {
            ChildEvent::Restarting { .. } => add(&self.shared.counters.restarts, 1),
            ChildEvent::GaveUp { reason, .. } => {
                self.stopping.get_or_insert(StopReason::Child(reason));
            }
            _ => {}
        }
    }
}
