//! Directives, carried out.

use super::{Owner, Step};
use crate::children::ChildEvent;
use crate::server::StopReason;
use crate::server::builder::ErrorPolicy;
use crate::server::ledger::later;
use crate::server::orders::Order;
use crate::server::outlet::Outgoing;
use crate::server::press::{Parcel, Pressed};
use crate::server::schedule::Waiting;
use crate::server::stats::{self, add};
use crate::store::StoreError;
use skill_core::{Agent, Directive, Effect, Origin, Schedule, Signal, process};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Says of a schedule that it is an emitted signal on its way back.
const LOOPBACK: &str = "loopback";

/// The type of the signal that reports an error.
const ERROR: &str = "agent.error";

impl<G: Agent> Owner<G> {
    /// Whether an emitted signal comes back to the agent.
    pub(super) fn comes_back(&self, ty: &str) -> bool {
        self.settings
            .loopback
            .iter()
            .any(|pattern| pattern.matches(ty))
    }

    /// Gives signals their ids before they are logged: what is carried out twice has the same id both times.
    pub(super) fn stamp_directives(&mut self, directives: &mut Vec<Directive>) {
        let is_heard = self.ledger.is_some()
            || self.outlet.is_some()
            || !self.settings.loopback.is_empty()
            || !self.shared.hub.is_empty();
        let mut back = Vec::new();
        for directive in directives.iter_mut() {
            match directive {
                Directive::Emit(emit) if is_heard => {
                    self.stamp_signal(&mut emit.effect);
                    if self.comes_back(emit.ty()) {
                        back.push(Directive::Schedule(way_back(emit)));
                    }
                }
                Directive::Reply(reply) if is_heard => self.stamp_signal(&mut reply.effect.signal),
                Directive::Schedule(schedule) => self.stamp_signal(&mut schedule.effect.signal),
                _ => {}
            }
        }
        directives.append(&mut back);
    }

    fn stamp_signal(&mut self, signal: &mut Signal) {
        let stamp = self.stamp();
        signal.stamp(&stamp.id, &self.settings.source, stamp.now);
    }

    /// Does what a recorded command wished for.
    pub(super) fn carry_out(&mut self, directive: Directive, number: Option<u64>, hops: u32) {
        let due = match &directive {
            Directive::Schedule(schedule) => later(self.now(), schedule.after),
            _ => SystemTime::UNIX_EPOCH,
        };
        self.carry_out_at(directive, number, hops, due);
    }

    /// The same; a schedule is due at `due`, which a log has kept.
    pub(super) fn carry_out_at(
        &mut self,
        directive: Directive,
        number: Option<u64>,
        hops: u32,
        due: SystemTime,
    ) {
        tracing::trace!(
            agent = G::SPEC.name,
            directive = name_of(&directive),
            number,
            "directive"
        );
        match directive {
            Directive::Emit(emit) => self.emit(emit.effect, number),
            Directive::Run(run) => self.inner.push_back(Step::Run {
                instruction: run.effect,
                number,
                hops: hops + 1,
            }),
            Directive::Reply(reply) => match reply.effect.to {
                Some(to) if self.outlet.is_some() => {
                    let signal = Arc::new(reply.effect.signal);
                    self.post(Outgoing::Reply { to, signal }, number);
                }
                // whoever asked has the answer
                _ => self.done(number),
            },
            Directive::Schedule(schedule) => self.schedule(schedule, number, hops, due),
            Directive::Cancel { key, .. } => {
                if let Some(cancelled) = self.agenda.cancel(&key) {
                    self.done(cancelled.number);
                }
                self.done(number);
            }
            Directive::Spawn(spawn) => {
                self.done(number);
                let spawn = spawn.effect;
                if let Err(error) = self.children.spawn(&spawn.id, spawn.params) {
                    self.report(&format!("a child was not started: {error}"));
                }
            }
            Directive::Stop { reason, .. } => {
                self.done(number);
                self.stopping.get_or_insert(StopReason::Directive(reason));
            }
            Directive::Error { message, .. } => {
                self.done(number);
                self.report(&message);
            }
            Directive::RegisterAction { skill, action, .. } => {
                // the skill may be gone again: it then has no routes
                let routes = process::mounted_routes(&self.agent, &skill, &action);
                self.plan.deregister(&skill, &action);
                self.plan.register(&skill, &action, routes);
                self.done(number);
            }
            Directive::DeregisterAction { skill, action, .. } => {
                self.plan.deregister(&skill, &action);
                self.done(number);
            }
            other => {
                tracing::debug!(
                    agent = G::SPEC.name,
                    directive = name_of(&other),
                    "nothing to carry out"
                );
                self.done(number);
            }
        }
    }

    fn emit(&mut self, signal: Signal, number: Option<u64>) {
        if self.outlet.is_none() && self.shared.hub.is_empty() {
            return self.done(number);
        }
        let signal = Arc::new(signal);
        self.shared.hub.publish(&signal);
        match self.outlet.is_some() {
            true => self.post(Outgoing::Emitted(signal), number),
            false => self.done(number),
        }
    }

    fn post(&mut self, outgoing: Outgoing, number: Option<u64>) {
        self.parcels.push_back(Parcel { outgoing, number });
    }

    /// Hands over to the outlet; where that is busy, the agent waits, but for an end.
    pub(super) async fn flush(&mut self) {
        let Some(outlet) = &self.outlet else {
            return self.parcels.clear();
        };
        while !self.parcels.is_empty() && !self.is_closing {
            tokio::select! {
                biased;
                _ = self.shared.orders.at_least(Order::Stop) => return,
                room = outlet.reserve() => match (room, self.parcels.pop_front()) {
                    (Ok(room), Some(parcel)) => room.send(parcel),
                    _ => return,
                },
            }
        }
    }

    /// The outlet took a signal, or did not.
    pub(super) fn pressed(&mut self, pressed: Pressed) {
        match pressed {
            Pressed::Taken { number } => self.done(number),
            Pressed::Refused { reason } => {
                self.report(&format!("the outlet did not take a signal: {reason}"));
            }
        }
    }

    fn schedule(
        &mut self,
        schedule: Effect<Schedule>,
        number: Option<u64>,
        hops: u32,
        due: SystemTime,
    ) {
        let is_back = schedule.origin.tags.iter().any(|tag| tag == LOOPBACK);
        let Schedule { signal, key, .. } = schedule.effect;
        if is_back {
            let hops = hops + 1;
            return self.inner.push_back(Step::Signal {
                signal,
                number,
                hops,
            });
        }
        let waiting = Waiting {
            signal,
            key,
            number,
        };
        if let Some(replaced) = self.agenda.add(due, waiting) {
            self.done(replaced.number);
        }
    }

    /// Tells an error that nobody waits for.
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

    /// Tells that the store did not take what nobody waits for. A directive keeps its place in the log.
    pub(super) fn report_unstored(&mut self, what: &str, number: Option<u64>, error: &StoreError) {
        let later = match number {
            Some(_) => "; it is carried out again after the next start",
            None => "",
        };
        self.report(&format!(
            "`{what}` could not be stored and was undone{later}: {error}"
        ));
    }

    /// A child was started, ended, or was given up.
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

/// An emitted signal that comes back is a directive of its own, so that it is handled once whatever becomes of the other.
fn way_back(emit: &Effect<Signal>) -> Effect<Schedule> {
    let mut origin: Origin = emit.origin.clone();
    origin.tags.push(LOOPBACK.into());
    Effect::new(Schedule::new(Duration::ZERO, emit.effect.clone()), origin)
}

fn name_of(directive: &Directive) -> &'static str {
    match directive {
        Directive::Emit(_) => "emit",
        Directive::Run(_) => "run",
        Directive::Reply(_) => "reply",
        Directive::RegisterAction { .. } => "register_action",
        Directive::DeregisterAction { .. } => "deregister_action",
        Directive::Schedule(_) => "schedule",
        Directive::Cancel { .. } => "cancel",
        Directive::Spawn(_) => "spawn",
        Directive::Stop { .. } => "stop",
        Directive::Error { .. } => "error",
        _ => "other",
    }
}
