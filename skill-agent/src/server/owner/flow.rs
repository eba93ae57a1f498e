//! The way of a signal through an agent: prepare, route, run, or handle, transform.

use super::before::{Before, Ran};
use super::chain::too_many_hops;
use super::way::{Flowed, Trouble, Way, signal_of};
use super::{Finished, Owner};
use crate::server::ask::Asked;
use crate::server::guard::{Caller, Question};
use crate::server::panics::catch;
use crate::server::{ServeError, SignalError};
use crate::store::{Keyed, RecordKind, decode, encode};
use serde_json::Value;
use skill_core::process::{self, CommandMeta, Transaction};
use skill_core::{Agent, Instruction, Signal, Stamp};
use std::sync::Arc;
use std::time::SystemTime;

/// Where a signal of the agent's own comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Origins {
    /// The directive that it was, by its number in the log.
    pub(crate) number: Option<u64>,
    /// How many commands led to it.
    pub(crate) hops: u32,
    /// Whether the agent sent it to itself.
    pub(crate) is_own: bool,
}

/// A signal on its way.
struct Incoming {
    signal: Signal,
    /// Its type, for reports, when the signal is elsewhere.
    ty: String,
    asked: Option<Asked<Value, SignalError>>,
    origins: Origins,
    caller: Caller,
    /// What tells that it comes again.
    key: Option<String>,
    /// The time and its id, the same however often it goes its way.
    stamp: Stamp,
    before: Before,
}

impl<G: Agent> Owner<G> {
    /// Handles a signal.
    pub(crate) fn signal(
        &mut self,
        signal: Signal,
        asked: Option<Asked<Value, SignalError>>,
        caller: Caller,
        origins: Origins,
    ) {
        self.receive(Incoming {
            ty: signal.ty().to_owned(),
            signal,
            asked,
            origins,
            // nobody gains a right by wrapping a call in a signal
            caller: match caller.is_foreign() {
                true => caller,
                false => Caller::Signal,
            },
            key: None,
            stamp: Stamp::new(SystemTime::UNIX_EPOCH, ""),
            before: Before::default(),
        });
    }

    fn receive(&mut self, mut incoming: Incoming) {
        if incoming
            .asked
            .as_ref()
            .is_some_and(|asked| !asked.is_wanted())
        {
            return;
        }
        incoming.key = key_of(&incoming);
        let key = incoming.key.clone();
        if let Some(key) = key.as_deref().filter(|key| self.recent.is_at_work(key)) {
            return self
                .recent
                .wait(key, Box::new(move |owner| owner.receive(incoming)));
        }
        if let Some(key) = &key
            && let Some(answer) = self.recent.answer(key)
        {
            let answer = decode(answer).map_err(|error| ServeError::IdempotencyMismatch {
                reason: error.to_string(),
            });
            if let Some(asked) = incoming.asked {
                self.answer_again(key.clone(), answer, asked);
            }
            return;
        }
        let stamp = self.stamp();
        let signal = &mut incoming.signal;
        signal.stamp(&stamp.id, &self.settings.source, stamp.now);
        let id = signal.id().unwrap_or_default().to_owned();
        tracing::debug!(agent = G::SPEC.name, ty = signal.ty(), %id, hops = incoming.origins.hops, "signal");
        incoming.stamp = Stamp::new(stamp.now, id);
        self.handle(incoming);
    }

    /// It goes its way once more, if anybody still waits for it.
    fn go_on(&mut self, incoming: Incoming) {
        if incoming.asked.as_ref().is_none_or(Asked::is_wanted) {
            self.handle(incoming);
        }
    }

    fn handle(&mut self, mut incoming: Incoming) {
        let signal = &mut incoming.signal;
        let mut meta = Arc::new(CommandMeta {
            reply_to: reply_to(signal),
            signal: Some(std::mem::replace(signal, Signal::new("", Value::Null))),
            stamp: Some(incoming.stamp.clone()),
        });
        // kept for the case that it goes its way again; hooks may rewrite it
        let received = self.plan.has_hooks().then(|| signal_of(&meta).clone());
        let went = {
            let mut way = Way {
                transaction: Transaction::begin(&mut self.agent),
                plan: &self.plan,
                settings: &self.settings,
                caller: incoming.caller,
                before: std::mem::take(&mut incoming.before),
            };
            match catch(|| way.go(&mut meta)) {
                Ok(Ok(flowed)) => Ok((flowed, way.transaction.commit())),
                Ok(Err(trouble)) => {
                    incoming.before = way.before;
                    Err(trouble)
                }
                Err(message) => Err(Trouble::Panicked(message)),
            }
        };
        let trouble = match went {
            Ok((flowed, (saved, directives))) => {
                let finished = Finished {
                    saved,
                    directives,
                    ..Finished::new(RecordKind::Command, incoming.stamp.id.clone())
                };
                return self.flowed(incoming, flowed, finished);
            }
            Err(trouble) => trouble,
        };
        let error = match trouble {
            Trouble::Ask(at, instruction, question) => {
                incoming.signal = received.unwrap_or_else(|| signal_of(&meta).clone());
                return self.ask_first((at, instruction), *question, incoming);
            }
            Trouble::Start(at, instruction) => {
                incoming.signal = received.unwrap_or_else(|| signal_of(&meta).clone());
                return self.start_routed((at, instruction), incoming, meta);
            }
            Trouble::Failed(error) => ServeError::Action(error),
            Trouble::Panicked(message) => ServeError::Panicked { message },
            Trouble::Denied(action, reason) => ServeError::Denied {
                action: action.into(),
                reason,
            },
        };
        self.refuse(incoming, error);
    }

    fn ask_first(
        &mut self,
        (at, instruction): (usize, Instruction),
        question: Question,
        mut incoming: Incoming,
    ) {
        self.enter(incoming.key.as_deref());
        let (asked, action) = (incoming.asked.take(), question.action.name);
        self.ask_for(question, asked, move |owner, asked, yes| {
            owner.leave(incoming.key.as_deref());
            incoming.asked = asked;
            if yes {
                incoming.before.allowed.push(instruction.clone());
                incoming.before.approved.push((at, instruction));
                return owner.go_on(incoming);
            }
            let (action, reason) = (action.into(), super::call::REFUSED.into());
            owner.refuse(incoming, ServeError::Denied { action, reason });
        });
    }

    /// Runs an async action that the signal is routed to, beside the mailbox; then the signal goes its way again, with what
    /// the action left behind.
    fn start_routed(
        &mut self,
        (at, instruction): (usize, Instruction),
        mut incoming: Incoming,
        meta: Arc<CommandMeta>,
    ) {
        self.enter(incoming.key.as_deref());
        // what nobody could try again, and what has left its traces in the world, is not refused for want of room
        let must_wait = incoming.asked.is_none() || !incoming.before.ran.is_empty();
        let (asked, job) = (incoming.asked.take(), instruction.clone());
        let then = move |owner: &mut Self, asked, result: Result<_, ServeError<SignalError>>| {
            owner.leave(incoming.key.as_deref());
            incoming.asked = asked;
            match result {
                Ok(result) => {
                    incoming.before.ran.push(Ran {
                        at,
                        instruction,
                        result,
                    });
                    owner.go_on(incoming);
                }
                // the server stops: the directive that it was is not done, and comes again
                Err(ServeError::Stopped) if incoming.origins.number.is_some() => {}
                Err(error) => owner.refuse(incoming, error),
            }
        };
        self.start_signalled(job, asked, &meta, must_wait, then);
    }

    fn flowed(&mut self, incoming: Incoming, flowed: Flowed, mut finished: Finished<G>) {
        let Origins { number, hops, .. } = incoming.origins;
        let keyed = incoming.key.clone().map(|key| {
            let written = encode(&flowed.answer).map(|answer| Keyed { key, answer });
            written.map_err(|error| error.to_string())
        });
        let keyed = match keyed.transpose() {
            _ if self.is_too_far(&finished.directives, hops) => Err(too_many_hops()),
            Err(reason) => Err(ServeError::IdempotencyEncode { reason }),
            Ok(_) if !incoming.asked.as_ref().is_none_or(Asked::apply) => {
                Err(ServeError::Deadline { applied: false })
            }
            Ok(keyed) => Ok(keyed),
        };
        finished.keyed = match keyed {
            Ok(keyed) => keyed,
            Err(error) => {
                process::undo(&mut self.agent, finished.saved);
                return self.refuse(incoming, error);
            }
        };
        finished.kind = flowed.kind;
        finished.instructions = flowed.instructions;
        (finished.number, finished.hops) = (number, hops);
        let answer = flowed.answer;
        self.finish(finished, move |owner, kept| match (kept, incoming.asked) {
            (Ok(()), Some(asked)) => asked.tell_by(|| owner.now(), Ok(answer)),
            (Err(error), Some(asked)) => asked.tell(Err(ServeError::Store(error))),
            (Err(error), None) => owner.report_unstored(&incoming.ty, number, &error),
            (Ok(()), None) => {}
        });
    }

    /// Answers that it came to nothing. Where nobody asked, it is reported.
    fn refuse(&mut self, incoming: Incoming, error: ServeError<SignalError>) {
        let error = self.failed(error);
        match incoming.asked {
            Some(asked) => asked.tell(Err(error)),
            // the server stops: a directive is not done, and comes again
            None if matches!(error, ServeError::Stopped) => {}
            None => {
                let message = format!("a signal of the type `{}` failed: {error}", incoming.ty);
                if let Some(number) = incoming.origins.number {
                    self.done(Some(number));
                }
                self.report(&message);
            }
        }
    }
}

/// What tells that a signal from outside comes again: its own source and id.
fn key_of(incoming: &Incoming) -> Option<String> {
    let (source, id) = (incoming.signal.source()?, incoming.signal.id()?);
    (!incoming.origins.is_own).then(|| format!("signal\n{source}\n{id}"))
}

/// Where a reply goes: the extension `replyto`.
fn reply_to(signal: &Signal) -> Option<String> {
    let address = signal.extensions().get("replyto")?;
    address.as_str().map(str::to_owned)
}
