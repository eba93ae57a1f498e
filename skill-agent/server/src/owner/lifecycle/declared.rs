//! The schedules that the agent declares, and those of the previous server.

use crate::error::{SignalError, StartError};
use crate::journal::{JournalEntry, PendingDirective, millis};
use crate::owner::Owner;
use crate::owner::call::reply::Reply;
use crate::signals::repeat::next_run;
use serde_json::json;
use skill_agent_store::RecordKind;
use skill_core::directive::{Effect, Origin, Repeat, Schedule};
use skill_core::process::{self, Saved};
use skill_core::spec::ScheduleSpec;
use skill_core::{Agent, Directive, Signal};
use std::convert::Infallible;

/// The tag of declared schedules. Their keys are their names, which differ from the keys of actions: those have a dot.
const DECLARED: &str = "declared";

impl<G: Agent> Owner<G> {
    /// Adds the schedules that the agent declares, and ends those that it no longer declares. A schedule that the previous server
    /// had keeps its next run.
    pub(super) fn declare_schedules(&mut self) -> Result<(), StartError> {
        let mut entry = JournalEntry::new(RecordKind::Mark, String::new());
        let (now, mut kept) = (millis(self.now()), Vec::new());
        let mut origin = Origin::new(G::SPEC.name);
        origin.tags.push(DECLARED.into());
        let left = self
            .startup
            .iter()
            .flat_map(|startup| startup.left.values());
        for (pending, schedule) in left.filter_map(repeating) {
            let is_declared = schedule.origin.tags.iter().any(|tag| tag == DECLARED);
            match declaration::<G>(&schedule).filter(|_| is_declared) {
                None if is_declared => entry.withdrawn.push(pending.logged.n),
                spec => {
                    if let Some(repeat) = &schedule.repeat {
                        check_repeat(repeat, now, &schedule.origin)?;
                    }
                    kept.extend(spec.map(|spec| spec.name));
                }
            }
        }
        if let Some(startup) = &mut self.startup {
            let withdrawn = &entry.withdrawn;
            startup.left.retain(|number, _| !withdrawn.contains(number));
        }
        for spec in G::SPEC.schedules {
            self.check_handled(spec)?;
            check_repeat(&spec.repeat, now, &origin)?;
            if !kept.contains(&spec.name) && !has_ended(&spec.repeat, now) {
                entry.directives.push(declared(spec, origin.clone()));
            }
        }
        if entry.is_empty() {
            return Ok(());
        }
        let reply: Reply<(), Infallible> = Reply::Startup;
        self.settle(entry, Saved::default(), Ok(()), reply);
        Ok(())
    }

    /// Checks that the signals of a schedule can have a handler.
    fn check_handled(&self, spec: &ScheduleSpec) -> Result<(), StartError> {
        let ty = spec.signal;
        let routing = &self.routing;
        let is_routed = !routing.router.matches(&Signal::without_data(ty)).is_empty();
        // a skill that is mounted later may handle it
        let may_handle = process::mounts::<G>() || !routing.matching::<G>(ty).is_empty();
        if is_routed || may_handle {
            return Ok(());
        }
        let (suggestion, listed) = routing.suggestion::<G>(ty);
        let source = SignalError::Unhandled {
            ty: ty.to_owned(),
            agent: G::SPEC.name,
            suggestion,
            listed,
        };
        Err(StartError::Schedule {
            schedule: spec.name,
            source: Box::new(source),
        })
    }
}

/// Returns the directive for a declared schedule.
fn declared(spec: &ScheduleSpec, origin: Origin) -> Directive {
    let signal = Signal::new(spec.signal, json!({}));
    let schedule = Schedule::repeating(spec.repeat.clone(), signal).with_key(spec.name);
    Directive::Schedule(Effect::new(schedule, origin))
}

/// Returns the declaration of a schedule, if it is still the same.
fn declaration<G: Agent>(schedule: &Schedule) -> Option<&'static ScheduleSpec> {
    G::SPEC.schedules.iter().find(|spec| {
        schedule.key.as_deref() == Some(spec.name)
            && schedule.repeat.as_ref() == Some(&spec.repeat)
            && schedule.signal.ty() == spec.signal
    })
}

/// Returns whether all runs of a schedule are in the past, as those of an expression with a year.
fn has_ended(repeat: &Repeat, now: u64) -> bool {
    let none_after = |time| matches!(next_run(repeat, time, time), Ok(None));
    none_after(now) && !none_after(0)
}

/// Checks that this build can compute the runs of a schedule.
fn check_repeat(repeat: &Repeat, now: u64, skill: &Origin) -> Result<(), StartError> {
    match next_run(repeat, now, now) {
        Ok(_) => Ok(()),
        Err(reason) => Err(StartError::Repeat {
            skill: skill.skill.clone(),
            reason,
        }),
    }
}

/// Returns a pending directive with its schedule, if it repeats.
fn repeating(pending: &PendingDirective) -> Option<(&PendingDirective, Effect<Schedule>)> {
    // only schedules have one, and decoding takes longer
    pending.logged.due?;
    match pending.directive() {
        Ok(Directive::Schedule(schedule)) if schedule.repeat.is_some() => Some((pending, schedule)),
        _ => None,
    }
}
