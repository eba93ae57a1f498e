//! Chains of commands: the position of each command in its chain, and the follow-ups of each cause.

use crate::turns::TurnId;
use skill_agent_store::LoggedCause;
use skill_core::Directive;
use skill_core::directive::{Effect, Origin, Schedule};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A command's position in its chain. The default is the first position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    hops: u32,
    /// The cause, shared by all commands of the chain. `None` before the first follow-up, so that most commands allocate nothing.
    cause: Option<Arc<Cause>>,
    /// The turn of a conversation that began the chain.
    turn: Option<Arc<TurnId>>,
}

/// The first command of a chain.
#[derive(Debug)]
pub(crate) struct Cause {
    /// The id in the log, or 0 without a store.
    id: u64,
    /// The number of follow-ups so far. Only the server task changes it.
    follow_ups: AtomicUsize,
}

impl Cause {
    /// Restores a cause from the log.
    pub(crate) fn restored(logged: LoggedCause) -> Arc<Self> {
        Arc::new(Self {
            id: logged.id,
            follow_ups: AtomicUsize::new(usize::try_from(logged.follow_ups).unwrap_or(usize::MAX)),
        })
    }
}

impl Chain {
    /// Restores the chain of a logged directive.
    pub(crate) fn restored(hops: u32, cause: Option<Arc<Cause>>, turn: Option<TurnId>) -> Self {
        let turn = turn.map(Arc::new);
        Self { hops, cause, turn }
    }

    /// Sets the turn of the chain's first command.
    pub(crate) fn begin_turn(&mut self, turn: TurnId) {
        self.turn = Some(Arc::new(turn));
    }

    /// Returns the turn of a conversation that began the chain.
    pub(crate) fn turn(&self) -> Option<&TurnId> {
        self.turn.as_deref()
    }

    /// Returns how many `Run`s and looped-back signals led to the command.
    pub(crate) fn hops(&self) -> u32 {
        self.hops
    }

    /// Returns how many follow-ups the commands of the chain have queued in total.
    pub(crate) fn follow_ups(&self) -> usize {
        let cause = self.cause.as_ref();
        cause.map_or(0, |cause| cause.follow_ups.load(Ordering::Relaxed))
    }

    /// Returns the position one hop later.
    pub(crate) fn next(&self) -> Self {
        Self {
            hops: self.hops + 1,
            cause: self.cause.clone(),
            turn: self.turn.clone(),
        }
    }

    /// Counts the follow-ups that the command has queued. A new cause gets the id `id`.
    pub(crate) fn add(&mut self, follow_ups: usize, id: u64) {
        if follow_ups == 0 {
            return;
        }
        let cause = self.cause.get_or_insert_with(|| {
            Arc::new(Cause {
                id,
                follow_ups: AtomicUsize::new(0),
            })
        });
        cause.follow_ups.fetch_add(follow_ups, Ordering::Relaxed);
    }

    /// Subtracts the follow-ups of a command that was undone.
    pub(crate) fn remove(&self, follow_ups: usize) {
        if let Some(cause) = &self.cause {
            cause.follow_ups.fetch_sub(follow_ups, Ordering::Relaxed);
        }
    }

    /// Returns the cause in its stored form.
    pub(crate) fn logged_cause(&self) -> Option<LoggedCause> {
        self.cause.as_ref().map(|cause| LoggedCause {
            id: cause.id,
            follow_ups: cause.follow_ups.load(Ordering::Relaxed) as u64,
        })
    }
}

/// A directive that leads at once to another command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FollowUp {
    /// A `Run` or a looped-back signal. Its command is one hop later.
    Hop,
    /// A schedule without delay.
    Schedule,
}

impl FollowUp {
    /// Returns the kind of follow-up that a stamped directive leads to, if any.
    pub(crate) fn of(directive: &Directive) -> Option<Self> {
        let facts = directive.facts();
        match facts.schedules {
            Some(schedule) if is_loopback(schedule) => Some(Self::Hop),
            Some(schedule) if schedule.after.is_zero() && schedule.repeat.is_none() => {
                Some(Self::Schedule)
            }
            _ => facts.runs_command.then_some(Self::Hop),
        }
    }
}

/// The tag for a schedule that delivers an emitted signal back to the agent.
const LOOPBACK: &str = "loopback";

/// Creates the directive that delivers an emitted signal back to the agent. This directive and the emission are marked as done
/// independently of each other.
pub(crate) fn loopback(emit: &Effect<skill_core::Signal>) -> Effect<Schedule> {
    let mut origin: Origin = emit.origin.clone();
    origin.tags.push(LOOPBACK.into());
    Effect::new(Schedule::new(Duration::ZERO, emit.effect.clone()), origin)
}

/// Returns whether a schedule delivers an emitted signal back to the agent.
pub(crate) fn is_loopback(schedule: &Effect<Schedule>) -> bool {
    schedule.origin.tags.iter().any(|tag| tag == LOOPBACK)
}
