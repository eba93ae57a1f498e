//! The loop of a turn: sends requests and runs the model's calls until the model answers or the turn has to stop.

mod add_context;
mod answer;
mod calls;
mod decide;
mod keeping;
mod outcome;
mod outlet;
mod request;
mod running;
#[cfg(feature = "documents")]
mod select;
mod step;
mod stream;

pub use stream::{OwnedTurnStream, TurnStream};

pub use decide::open_calls;
pub(super) use decide::{Decision, is_unchanged};
pub(super) use request::counts::Ledger;

use super::answer::AnswerSpec;
use super::cancel::Interruption;
use super::error::{TOKENS_OF_COMPLETION, TOKENS_OF_TURN};
use super::history::{groups, last_turn};
use super::ids::StepNumber;
use super::setup::Setup;
use super::{Called, ChatError, Event, Message, PendingCall, StepEnd, Stop, Turn};
use crate::history::compact::Compacted;
#[cfg(feature = "documents")]
use crate::history::context;
use crate::layers::LayeredResults;
use crate::layers::error::LayerError;
use outlet::Outlet;
use request::Tools;
use skill_agent_toolbox::__private::CallAttempt;
use skill_agent_toolbox::ToolList;
use skill_core::StateError;
use std::sync::Arc;

/// A turn that is ready to run. It works on its own copy of the history, and reports the messages of each completed step.
pub(super) struct TurnTask {
    setup: Arc<Setup>,
    /// The history, including the messages of the running step.
    pub(super) history: Arc<Vec<Message>>,
    /// The index of the turn's first message.
    begin: usize,
    /// The number of messages that the chat already has.
    in_chat: usize,
    /// The number of messages that the keeper has recorded.
    recorded: usize,
    /// The completion whose results are missing.
    pub(super) begun: Option<Message>,
    /// If set, the turn ends after the results of `begun`, and does not run its calls again.
    settled: Option<CallAttempt>,
    compacted: Compacted,
    interruption: Interruption,
    number: StepNumber,
    /// The form of a typed answer.
    pub(super) answer: Option<Arc<AnswerSpec>>,
    /// The verdict that starts the turn.
    pub(super) decision: Option<Decision>,
    /// The user's message that starts the turn, until it is in the chat's history.
    pub(super) said: Option<Message>,
    ledger: Ledger,
    results: LayeredResults,
    /// Why a layer ended the turn.
    note: Option<String>,
    calls: Vec<Called>,
    pending: Vec<PendingCall>,
    text: String,
    tools: Option<Tools>,
    /// The typed answer that a call of this step delivered; `wrong` has the error of an invalid one.
    given: Option<Given>,
    wrong: Option<StateError>,
    /// `true` if an earlier typed answer was invalid.
    has_repaired: bool,
}

/// A typed answer delivered by a call.
pub(super) struct Given {
    /// The [id](crate::CallPart::id) of the call.
    id: String,
    text: String,
}

/// Whether the turn continues.
enum Flow {
    Continue,
    End(Stop),
}

impl TurnTask {
    pub(super) fn new(
        setup: Arc<Setup>,
        history: Arc<Vec<Message>>,
        compacted: Compacted,
        interruption: Interruption,
        number: StepNumber,
    ) -> Self {
        Self {
            results: LayeredResults::new(setup.layers.clone()),
            setup,
            begin: history.len(),
            in_chat: history.len(),
            recorded: history.len(),
            begun: None,
            settled: None,
            history,
            compacted,
            interruption,
            number,
            answer: None,
            decision: None,
            said: None,
            ledger: Ledger::new(),
            note: None,
            calls: Vec::new(),
            pending: Vec::new(),
            text: String::new(),
            tools: None,
            given: None,
            wrong: None,
            has_repaired: false,
        }
    }

    /// Makes this turn continue the last turn in the history.
    pub(super) fn of_last_turn(mut self) -> Self {
        self.begin = last_turn(&self.history);
        self
    }

    /// Makes the turn end once the missing results are in the history, without running the calls again. If `has_forgotten` is
    /// `true`, the calls' servers may have forgotten whether the calls ran.
    pub(super) fn settled(self, has_forgotten: bool) -> Self {
        let settled = if has_forgotten {
            CallAttempt::Forgotten
        } else {
            CallAttempt::Settled
        };
        Self {
            settled: Some(settled),
            ..self
        }
    }

    /// Records that the chat and its keeper have all messages.
    pub(super) fn are_kept(&mut self) {
        self.in_chat = self.history.len();
        self.recorded = self.history.len();
    }

    /// Runs the turn to its end, and returns it as the layers show it. The layers do not change a turn with a typed answer.
    async fn run(self, outlet: Outlet) -> Result<Turn, ChatError> {
        let is_typed = self.answer.is_some();
        let turn = self.run_steps(&outlet).await?;
        // a typed answer is a value, which a changed text would break
        Ok(if is_typed { turn } else { outlet.shown(turn)? })
    }

    async fn run_steps(mut self, outlet: &Outlet) -> Result<Turn, ChatError> {
        // drops activations and loads from a step that did not complete
        self.restore_session();
        self.add_context(outlet).await?;
        if let Some(begun) = self.begun.take() {
            let flow = self.repeat(begun, outlet).await?;
            outlet.check()?;
            if let Flow::End(stop) = flow {
                return Ok(self.end(stop));
            }
        }
        let flow = self.decide(outlet).await?;
        outlet.check()?;
        if let Flow::End(stop) = flow {
            return Ok(self.end(stop));
        }
        loop {
            let reached = self.ledger.counts().reached(&self.setup.limits);
            if let Some(stop) = reached {
                return Ok(self.end(stop));
            }
            self.take_steered(outlet).await;
            let interruption = self.interruption.clone();
            let completed = tokio::select! {
                biased;
                stop = interruption.wait() => Err(stop),
                completed = self.request(outlet) => Ok(completed),
            };
            let (completion, listed) = match completed {
                Ok(Ok(completed)) => completed,
                Ok(Err(error)) => {
                    let stop = self.stop_of(error)?;
                    return Ok(self.end(stop));
                }
                Err(stop) => return Ok(self.end(stop)),
            };
            let flow = self.step(completion, &listed, outlet).await?;
            outlet.check()?;
            if let Flow::End(stop) = flow {
                return Ok(self.end(stop));
            }
        }
    }

    /// Returns the reason if a layer ended the turn. Returns any other error unchanged.
    fn stop_of(&mut self, error: ChatError) -> Result<Stop, ChatError> {
        match error {
            ChatError::Layer(LayerError::End { stop, note }) => {
                self.note = Some(note);
                Ok(stop)
            }
            error => Err(error),
        }
    }

    /// Returns the reason if a layer ended the turn after a call, or the error if the layer failed.
    fn ended_by_layer(&mut self) -> Result<Option<Stop>, ChatError> {
        match self.results.ended().cloned() {
            Some(error) => self.stop_of(error.into()).map(Some),
            None => Ok(None),
        }
    }

    fn end(self, stop: Stop) -> Turn {
        let (usage, steps) = {
            let counts = self.ledger.counts();
            (counts.usage(), counts.steps())
        };
        tracing::debug!(?stop, steps, "a turn has ended");
        // with a typed answer, the caller gets an error that says the same
        if self.answer.is_none() {
            match stop {
                Stop::Tokens if self.text.trim().is_empty() => {
                    tracing::warn!("the turn has ended without an answer: {TOKENS_OF_TURN}");
                }
                Stop::Truncated => {
                    tracing::warn!("the answer was cut off: {TOKENS_OF_COMPLETION}");
                }
                _ => {}
            }
        }
        Turn {
            stop,
            calls: self.calls,
            pending: self.pending,
            usage,
            steps,
            returned: self.said.filter(|_| self.setup.keeper.is_none()),
            note: self.note,
            text: self.text,
        }
    }
}

impl TurnTask {
    /// Tells the session which documents are active and which groups are loaded at the end of the history.
    fn restore_session(&self) {
        #[cfg(feature = "documents")]
        {
            let activations = context::activations(&self.history);
            self.setup.session.set_activations(activations);
        }
        self.restore_groups();
    }

    /// Tells the session which groups are loaded at the end of the history.
    fn restore_groups(&self) {
        let list = self.setup.toolbox.known_list();
        self.setup.session.set_loaded(self.loaded_groups(&list));
    }

    /// Returns the groups of a list that are loaded at the end of the history.
    fn loaded_groups(&self, list: &ToolList) -> Vec<String> {
        if list.groups.is_empty() {
            return Vec::new();
        }
        let mut loaded = groups::loaded(&self.history);
        loaded.retain(|name| groups::has_group(list, name));
        loaded
    }

    fn push(&mut self, message: Message) {
        Arc::make_mut(&mut self.history).push(message);
    }

    /// Ends a step and appends its messages to the chat's history.
    async fn end_step(&mut self, outlet: &Outlet) -> Result<(), ChatError> {
        self.record_step().await?;
        let messages = self.history[self.in_chat..].to_vec();
        self.in_chat = self.history.len();
        self.said = None;
        let end = {
            let mut counts = self.ledger.counts();
            StepEnd {
                step: counts.steps(),
                messages: messages.clone(),
                usage: counts.take_step_usage(),
            }
        };
        self.number.step = self.number.step.saturating_add(1);
        // keep them only now, because a turn that ends before its first step adds no messages
        outlet.keep(self.compacted.clone());
        let change = outlet::HistoryChange::Append(messages);
        outlet.emit_with(Event::StepEnd(end), Some(change)).await;
        Ok(())
    }
}
