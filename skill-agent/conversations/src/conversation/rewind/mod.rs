//! Takes turns back, and brings them back.

mod change;
mod preview;

use self::change::{bring_back, take_back};
use super::turns::index;
use super::{Conversation, Loaded, State, TurnState};
use crate::cell::TurnCell;
use crate::conversation::Begin;
use crate::rewind::{RewindError, Rewound, Step};
use crate::rows::Head;
use skill_agent_chat::__private::open_calls;
use skill_agent_chat::ChatError;
use skill_agent_server::__private::{Changer, GroupChange, TurnsError, TurnsRange, TurnsRestore};
use skill_agent_server::{BoxFuture, ServeError};
use std::sync::Arc;

impl Conversation {
    pub(crate) fn has_uid(&self, uid: &str) -> bool {
        self.state().head.origin.uid == uid
    }

    /// Takes turns back or brings them back. No turn begins meanwhile. `words` describes a command.
    pub(crate) async fn step(
        self: &Arc<Self>,
        step: Step,
        force: bool,
        words: impl Fn(Changer) -> String + Send + 'static,
    ) -> Result<Rewound, RewindError> {
        let (cell, queued) = self.reserve_step()?;
        let done = match self.load().await {
            Ok(()) => self.write_step(step, force, words).await,
            Err(error) => Err(error.into()),
        };
        let has_new = {
            let mut state = self.state();
            state.turn = None;
            state.next = cell;
            self.ended.notify_waiters();
            state.head.next_queued > queued && !state.has_open_calls()
        };
        if has_new {
            // a message of `steer` came meanwhile
            let _ = self.begin(Begin::Queued).await;
        }
        done
    }

    /// Reserves the conversation as for a turn. Also returns the number of the next queued message.
    fn reserve_step(&self) -> Result<(Arc<TurnCell>, u64), RewindError> {
        let mut state = self.state();
        if state.is_deleted {
            return Err(self.unknown().into());
        }
        if state.turn.is_some() {
            return Err(self.busy());
        }
        let cell = std::mem::take(&mut state.next);
        state.turn = Some(TurnState::new(Arc::clone(&cell), None));
        Ok((cell, state.head.next_queued))
    }

    pub(super) fn busy(&self) -> RewindError {
        let id = self.id.clone();
        RewindError::Busy { id }
    }

    async fn write_step(
        &self,
        step: Step,
        force: bool,
        words: impl Fn(Changer) -> String + Send + 'static,
    ) -> Result<Rewound, RewindError> {
        let range = self.range(step)?;
        self.check_agents(step, &range)?;
        let (server, name) = (self.shared.server.clone(), self.id.clone());
        let (requests, turn) = (self.requests(step), range.from);
        let agent = self.shared.server.spec().name;
        let turns = range.clone();
        let send = move |change: GroupChange| -> BoxFuture<'static, Result<(), RewindError>> {
            Box::pin(async move {
                let restore = TurnsRestore {
                    turns,
                    change,
                    force,
                    requests,
                    name: name.clone(),
                };
                let restored = server.restore_turns(restore).await;
                restored.map_err(|error| refused(error, &name, turn, agent, &words))
            })
        };
        let change = |state: &State, head: &mut Head| match (&state.loaded, step) {
            (None, _) => Err(self.unknown().into()),
            (Some(loaded), Step::Back(_)) => Ok(take_back(state, loaded, &range, head)),
            (Some(loaded), Step::Forth) => match loaded.redo.split_last() {
                Some((last, earlier)) => Ok(bring_back(loaded, last, earlier, head)),
                None => Err(self.nothing_to_redo()),
            },
        };
        let apply = |state: &mut State, _: &Rewound| {
            state.keyed = None;
            self.events.restarted();
        };
        let mut rewound = self.write_by(change, send, apply).await?;
        // the chat has the earlier history
        self.forget(self.state());
        if step == Step::Forth {
            self.load().await?;
            let state = self.state();
            let loaded = state.loaded.as_ref();
            let first = loaded.and_then(|loaded| loaded.turns.get(&rewound.turn));
            let message = first.zip(loaded);
            let message = message.and_then(|(row, loaded)| loaded.shown.get(index(row.first)));
            rewound.message = message.cloned().unwrap_or(rewound.message);
        }
        Ok(rewound)
    }

    /// Finds the turns of a step.
    fn range(&self, step: Step) -> Result<TurnsRange, RewindError> {
        let state = self.state();
        let Some(loaded) = &state.loaded else {
            return Err(self.unknown().into());
        };
        let (redo, conversation) = (loaded.redo.last(), state.head.origin.uid.clone());
        let turn = match step {
            Step::Back(turn) => turn,
            Step::Forth => {
                let redo = redo.ok_or_else(|| self.nothing_to_redo())?;
                return Ok(TurnsRange {
                    conversation,
                    from: redo.turn,
                    to: redo.to,
                    is_redo: true,
                });
            }
        };
        if !loaded.turns.contains_key(&turn) {
            return Err(self.no_turn(loaded, turn));
        }
        if loaded.first_kept().is_some_and(|first| turn < first) || turn < state.head.own_from {
            let id = self.id.clone();
            return Err(RewindError::TooOld { id, turn });
        }
        Ok(TurnsRange {
            conversation,
            from: turn,
            to: redo.map_or(state.head.turn + 1, |redo| redo.turn),
            is_redo: false,
        })
    }

    fn nothing_to_redo(&self) -> RewindError {
        let id = self.id.clone();
        RewindError::NothingToRedo { id }
    }

    pub(super) fn no_turn(&self, loaded: &Loaded, turn: u64) -> RewindError {
        RewindError::NoTurn {
            id: self.id.clone(),
            turn,
            turns: loaded.turns.keys().copied().collect(),
        }
    }

    /// Returns the ids of the approval requests that are open in the turns to take back.
    fn requests(&self, step: Step) -> Vec<String> {
        let state = self.state();
        let loaded = state.loaded.as_ref();
        let loaded = loaded.filter(|_| matches!(step, Step::Back(_)));
        let open = loaded.map(|loaded| open_calls(&loaded.shown));
        let open = open.into_iter().flatten();
        open.map(|call| call.request.id).collect()
    }
}

/// Returns the name of a skill for people.
fn named(key: &str, agent: &str) -> String {
    let name = if key.is_empty() { agent } else { key };
    name.to_owned()
}

fn refused(
    error: ServeError<TurnsError>,
    id: &str,
    turn: u64,
    agent: &str,
    words: &impl Fn(Changer) -> String,
) -> RewindError {
    let id = id.to_owned();
    match error {
        ServeError::Action(TurnsError::Scheduled(key)) => RewindError::Scheduled { id, key },
        ServeError::Action(TurnsError::Running(command)) => RewindError::Running { id, command },
        ServeError::Action(TurnsError::TooOld) => RewindError::TooOld { id, turn },
        ServeError::Action(TurnsError::Changed { key, by }) => RewindError::Changed {
            id,
            skill: named(&key, agent),
            by: words(by),
        },
        error @ ServeError::Limit { .. } => ChatError::Limit(error.to_string()).into(),
        error => {
            let error = error.map(|_| unreachable!("the errors of turns are converted above"));
            ChatError::store(error).into()
        }
    }
}
