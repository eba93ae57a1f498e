//! The commit that takes turns back or brings them back.

use crate::error::ServeError;
use crate::guard::Rejection;
use crate::idempotency::{StoredDecision, decision_key, undecided};
use crate::journal::{
    AnyAgent, JournalEntry, encode_present, encode_saved, millis, restore_state, state_value,
};
use crate::mailbox::responder::Responder;
use crate::owner::Owner;
use crate::signals::schedule::Waiting;
use crate::turns::{
    KeptTurns, Planned, REDO, StateMark, TurnMark, TurnsError, TurnsRestore, Withdrawn,
    delete_turns, put_mark, put_state,
};
use serde_json::json;
use skill_agent_store::{RecordKind, TableChange, decode};
use skill_core::process::{self, Saved, Transaction};
use skill_core::{Agent, Directive, Instruction};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

/// Why a request of a turn that was taken back cannot be decided.
const TAKEN_BACK: &str = "its turn was taken back by `rewind`";

impl<G: Agent> Owner<G> {
    /// Restores the planned states, and writes this with the change of rows.
    pub(super) fn restore_turns(
        &mut self,
        restore: TurnsRestore,
        planned: Vec<Planned>,
        responder: Responder<(), TurnsError>,
    ) {
        if !restore.force {
            let checked = planned.iter().try_for_each(Planned::check);
            let replaced = self.replaced_key(&restore.turns);
            let checked =
                checked.and(replaced.map_or(Ok(()), |key| Err(TurnsError::Scheduled(key))));
            if let Err(error) = checked {
                return self.respond_in_turn(responder, ServeError::Action(error));
            }
        }
        let mut transaction = Transaction::begin(&mut self.agent);
        let before = process::registrations(transaction.agent());
        for state in &planned {
            transaction.save_state(&state.key);
            if !restore_state(transaction.agent(), &state.key, &state.stored) {
                drop(transaction);
                return self.respond_in_turn(responder, ServeError::Action(TurnsError::TooOld));
            }
        }
        let after = process::registrations(transaction.agent());
        let (saved, _) = transaction.commit();
        let mut entry = JournalEntry::new(RecordKind::Set, self.stamp().id);
        entry.instructions = vec![shown(&restore)];
        let is_redo = restore.turns.is_redo;
        let changed = if is_redo {
            self.bring_back(&restore, &mut entry)
        } else {
            self.take_back(&restore, &saved, &mut entry)
        };
        let (kept, rows, waiting) = match changed {
            Ok(changed) => changed,
            Err(error) => {
                process::undo(&mut self.agent, saved);
                return self.respond_in_turn(responder, error);
            }
        };
        let gone = before
            .iter()
            .filter(|registered| !after.contains(registered));
        entry.directives.extend(gone.filter_map(deregistered));
        let new = after
            .iter()
            .filter(|registered| !before.contains(registered));
        entry.directives.extend(new.cloned());
        let (change, name) = (restore.change, restore.turns.conversation);
        let brought = self.turns.get(&name).filter(|_| is_redo);
        let brought = brought.and_then(|kept| kept.turns.get(&(REDO | restore.turns.from)));
        let requests = brought.map_or_else(Vec::new, |mark| mark.requests.clone());
        let undecided: Vec<_> = requests.iter().map(|id| undecided(id)).collect();
        let release = change.release.clone();
        let released = release.iter().filter_map(|key| self.keys.release_row(key));
        let released: Vec<_> = released.collect();
        entry.rows = Some(Box::new(move |seq| {
            let mut all = change.to_table_changes(seq);
            all.extend(rows.into_iter().flat_map(|row| row(seq)));
            all.extend(undecided);
            all.extend(released);
            all
        }));
        entry.kept = Some((name, kept));
        self.finish(entry, saved, move |owner, recorded| match recorded {
            Ok(()) => {
                for id in requests {
                    owner.keys.remove(&decision_key(&id));
                }
                for key in release {
                    owner.keys.release(&key);
                }
                responder.respond(Ok(()));
            }
            Err(reason) => {
                waiting
                    .into_iter()
                    .for_each(|one| owner.schedules.put_back(one));
                responder.respond(Err(ServeError::not_kept(reason)));
            }
        });
    }

    /// Prepares the mark that brings the turns back, and withdraws schedules and requests.
    fn take_back(
        &mut self,
        restore: &TurnsRestore,
        saved: &Saved<G>,
        entry: &mut JournalEntry,
    ) -> Result<Prepared, ServeError<TurnsError>> {
        let conversation = &restore.turns.conversation;
        let mut kept = self.turns.get(conversation).cloned().unwrap_or_default();
        let number = REDO | restore.turns.from;
        let mut mark = TurnMark::default();
        let mut rows: Vec<Row> = Vec::new();
        for saved in saved {
            let key = saved.key().to_owned();
            let unencoded = |_| ServeError::Action(TurnsError::TooOld);
            let state = encode_saved(saved).map_err(unencoded)?;
            let agent: &dyn AnyAgent = &self.agent;
            let hash =
                |state: &[u8]| agent.state_hash(&key, &state_value(state).unwrap_or_default());
            let present = encode_present(agent, &key).unwrap_or_default();
            mark.states.push(StateMark {
                size: state.len() as u64,
                schema: agent.schema_of(&key).unwrap_or_default(),
                before: hash(&state),
                after: hash(&present),
                found: None,
                broken: None,
                key: key.clone(),
            });
            let conversation = conversation.clone();
            rows.push(Box::new(move |seq| {
                vec![put_state(&conversation, number, &key, &state, seq)]
            }));
        }
        let marks = kept.turns.range(restore.turns.marks());
        let schedules = marks.flat_map(|(_, mark)| &mark.schedules);
        let numbers: HashSet<u64> = schedules.map(|schedule| schedule.n).collect();
        let waiting = self.schedules.take(&numbers);
        for one in &waiting {
            let (Some(n), Some(first)) = (one.number(), one.first()) else {
                continue;
            };
            let logged = self.journal.as_ref().and_then(|journal| journal.logged(n));
            if let Some(logged) = logged {
                let (directive, due) = (logged.directive.clone(), logged.due.unwrap_or_default());
                mark.withdrawn.push(Withdrawn {
                    n: first,
                    directive,
                    due,
                });
                entry.withdrawn.push(n);
            }
        }
        for id in &restore.requests {
            let is_open = !self.keys.contains(&decision_key(id));
            let rejection = Rejection {
                reason: TAKEN_BACK.into(),
                is_abort: false,
            };
            let decision = StoredDecision::Rejected(rejection);
            if is_open && let Ok(keyed) = decision.keyed::<TurnsError>(id) {
                entry.more_keyed.push(keyed);
                mark.requests.push(id.clone());
            }
        }
        let (put, name) = (mark.clone(), conversation.clone());
        rows.push(Box::new(move |seq| {
            vec![put_mark(&name, number, &put, seq)]
        }));
        kept.turns.insert(number, Arc::new(mark));
        Ok((kept, rows, waiting))
    }

    /// Removes the mark that brings the turns back, and schedules their signals again.
    fn bring_back(
        &mut self,
        restore: &TurnsRestore,
        entry: &mut JournalEntry,
    ) -> Result<Prepared, ServeError<TurnsError>> {
        let conversation = &restore.turns.conversation;
        let number = REDO | restore.turns.from;
        let mut kept = self.turns.get(conversation).cloned().unwrap_or_default();
        let mark = kept.turns.remove(&number).unwrap_or_default();
        let now = millis(self.now());
        let first = self
            .journal
            .as_ref()
            .map_or(0, |journal| journal.next_directive());
        let mut numbers = Vec::new();
        for withdrawn in &mark.withdrawn {
            if let Ok(Directive::Schedule(mut schedule)) = decode(&withdrawn.directive) {
                match &mut schedule.effect.next {
                    // a new schedule begins, at the time of the next run
                    Some(next) => next.first = None,
                    None => {
                        let left = withdrawn.due.saturating_sub(now);
                        schedule.effect.after = Duration::from_millis(left);
                    }
                }
                numbers.push((withdrawn.n, first + numbers.len() as u64));
                entry.directives.push(Directive::Schedule(schedule));
            }
        }
        let name = conversation.clone();
        let (from, to) = (number, number + 1);
        let mut rows: Vec<Row> = vec![Box::new(move |_| delete_turns(&name, from, Some(to)))];
        for (turn, mark) in kept.turns.range_mut(restore.turns.from..restore.turns.to) {
            let mut has_changed = false;
            let mark = Arc::make_mut(mark);
            for schedule in &mut mark.schedules {
                if let Some((_, new)) = numbers.iter().find(|(old, _)| *old == schedule.n) {
                    schedule.n = *new;
                    has_changed = true;
                }
            }
            if has_changed {
                let (name, turn, mark) = (conversation.clone(), *turn, mark.clone());
                rows.push(Box::new(move |seq| vec![put_mark(&name, turn, &mark, seq)]));
            }
        }
        Ok((kept, rows, Vec::new()))
    }
}

/// Returns rows for the record with this number.
type Row = Box<dyn FnOnce(u64) -> Vec<TableChange> + Send>;

/// The kept turns after the change, their rows, and the scheduled signals that no longer wait.
type Prepared = (KeptTurns, Vec<Row>, Vec<Waiting>);

fn shown(restore: &TurnsRestore) -> Instruction {
    let action = if restore.turns.is_redo {
        "redo"
    } else {
        "rewind"
    };
    let params = json!({ "conversation": restore.name, "turn": restore.turns.from });
    Instruction::new(action, params)
}

fn deregistered(registered: &Directive) -> Option<Directive> {
    match registered {
        Directive::RegisterAction {
            skill,
            action,
            origin,
            ..
        } => Some(Directive::deregister_action(
            skill.clone(),
            action.clone(),
            origin.clone(),
        )),
        _ => None,
    }
}
