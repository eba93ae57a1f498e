//! The loop of a turn: sends requests and runs the model's calls until the model answers or the turn has to stop.

#[cfg(feature = "documents")]
mod activated;
mod answer;
mod calls;
mod completion;
mod counts;
mod decide;
mod keeping;
mod outlet;
mod running;
mod step;
mod stream;

pub use stream::{OwnedTurnStream, TurnStream};

pub use decide::open_calls;
pub(super) use decide::{Decision, is_unchanged};

use super::answer::AnswerSpec;
use super::cancel::Interruption;
use super::error::{TOKENS_OF_COMPLETION, TOKENS_OF_TURN};
use super::history::last_turn;
use super::ids::StepNumber;
use super::model::AskedAnswer;
use super::setup::Setup;
use super::{
    Called, ChatError, ChatRequest, Event, Message, ModelError, PendingCall, StepEnd, Stop,
    ToolChoice, Turn,
};
use crate::history::compact::Compacted;
#[cfg(feature = "documents")]
use activated::StepActivations;
use counts::Counts;
use outlet::Outlet;
use skill_agent_models::Finish;
use skill_agent_toolbox::__private::TOOLBOX;
use skill_agent_toolbox::{ListedTool, ToolList};
use skill_core::StateError;
use skill_core::ToolBuf;
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
    /// Whether to end after the results of `begun`, without running its calls again.
    is_settled: bool,
    compacted: Compacted,
    interruption: Interruption,
    number: StepNumber,
    /// The form of a typed answer.
    pub(super) answer: Option<Arc<AnswerSpec>>,
    /// The verdict that starts the turn.
    pub(super) decision: Option<Decision>,
    /// The user's message that starts the turn, until it is in the chat's history.
    pub(super) said: Option<Message>,
    counts: Counts,
    calls: Vec<Called>,
    pending: Vec<PendingCall>,
    text: String,
    tools: Option<Tools>,
    /// A typed answer that a call of this step delivered, or its error.
    given: Option<Given>,
    wrong: Option<StateError>,
    /// `true` if an earlier typed answer was invalid.
    has_repaired: bool,
    #[cfg(feature = "documents")]
    activations: StepActivations,
}

/// A typed answer delivered by a call.
pub(super) struct Given {
    /// The [id](crate::CallPart::id) of the call.
    id: String,
    text: String,
}

/// The tools of a request, rebuilt only when the session's list changes.
pub(super) struct Tools {
    list: Arc<ToolList>,
    for_request: Arc<[ToolBuf]>,
    /// The typed answer that requests with these tools ask for.
    answer: Option<Arc<AskedAnswer>>,
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
            #[cfg(feature = "documents")]
            activations: StepActivations::new(Arc::clone(&setup.session)),
            setup,
            begin: history.len(),
            in_chat: history.len(),
            recorded: history.len(),
            begun: None,
            is_settled: false,
            history,
            compacted,
            interruption,
            number,
            answer: None,
            decision: None,
            said: None,
            counts: Counts::default(),
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

    /// Ends the turn once the results that are missing are in the history.
    pub(super) fn settled(self) -> Self {
        Self {
            is_settled: true,
            ..self
        }
    }

    /// Records that the chat and its keeper have all messages.
    pub(super) fn are_kept(&mut self) {
        self.in_chat = self.history.len();
        self.recorded = self.history.len();
    }

    /// Runs the turn to its end.
    async fn run(mut self, outlet: Outlet) -> Result<Turn, ChatError> {
        // reverted unless a step is completed
        #[cfg(feature = "documents")]
        if self.said.is_some() {
            self.setup.session.start_turn();
        }
        if let Some(begun) = self.begun.take()
            && let Flow::End(stop) = self.repeat(begun, &outlet).await?
        {
            return Ok(self.end(stop));
        }
        if let Flow::End(stop) = self.decide(&outlet).await? {
            return Ok(self.end(stop));
        }
        loop {
            self.take_steered(&outlet).await;
            if let Some(stop) = self.counts.reached(&self.setup.limits) {
                return Ok(self.end(stop));
            }
            let interruption = self.interruption.clone();
            let completed = tokio::select! {
                biased;
                stop = interruption.wait() => Err(stop),
                completed = self.request(&outlet) => Ok(completed?),
            };
            let (completion, listed) = match completed {
                Ok(completed) => completed,
                Err(stop) => return Ok(self.end(stop)),
            };
            if let Flow::End(stop) = self.step(completion, &listed, &outlet).await? {
                return Ok(self.end(stop));
            }
        }
    }

    /// Sends a request with the current history and tools.
    async fn request(
        &mut self,
        outlet: &Outlet,
    ) -> Result<((Message, Finish), Vec<Arc<ListedTool>>), ChatError> {
        let (listed, tools) = self.tools().await;
        self.check_sources()?;
        let mut request = self.request_with(tools).await;
        let setup = Arc::clone(&self.setup);
        let mut completed = completion::read(&setup, outlet, &request, &mut self.counts).await;
        if let Err(failed) = &completed
            && self.is_too_long(&failed.error, &request)
            && self
                .compacted
                .shorten_more(&setup.compaction, &self.history, self.begin)
                .await
        {
            request.messages = self.messages().await;
            failed.discard(outlet).await;
            completed = completion::read(&setup, outlet, &request, &mut self.counts).await;
        }
        let completion = completed.map_err(|failed| failed.error)?;
        self.counts.completed(&completion.0, &request.messages);
        Ok((completion, listed))
    }

    /// Returns whether a shorter conversation may help. An error with an unrecognized message may also mean that the request is
    /// too long, if the request nearly fills the model's context window.
    fn is_too_long(&self, error: &ModelError, request: &ChatRequest) -> bool {
        match error {
            ModelError::ContextTooLong { .. } => true,
            ModelError::Status {
                status: 400 | 422, ..
            } => {
                let window = self.setup.profile.context_window;
                window.is_some_and(|window| request.tokens() > window / 10 * 9)
            }
            _ => false,
        }
    }

    /// Returns the messages for a request.
    async fn messages(&mut self) -> Arc<Vec<Message>> {
        let how = &self.setup.compaction;
        let messages = self.compacted.messages(how, &self.history, self.begin);
        messages.await
    }

    async fn request_with(&mut self, tools: Arc<[ToolBuf]>) -> ChatRequest {
        let messages = self.messages().await;
        let setup = &self.setup;
        let answer = self.tools.as_ref().and_then(|tools| tools.answer.clone());
        ChatRequest {
            system: Arc::clone(&setup.system),
            messages,
            tools,
            tool_choice: self.tool_choice(),
            parallel_calls: setup.parallel_calls,
            output_schema: None,
            options: setup.options.clone(),
            answer,
        }
    }

    /// Returns the tool choice for the next request. Only the first step requires a call; otherwise the turn could never end in
    /// prose.
    fn tool_choice(&self) -> ToolChoice {
        match &self.setup.tool_choice {
            ToolChoice::Required | ToolChoice::Tool(_) if self.said.is_none() => ToolChoice::Auto,
            choice => choice.clone(),
        }
    }

    async fn tools(&mut self) -> (Vec<Arc<ListedTool>>, Arc<[ToolBuf]>) {
        let list = self.setup.session.list().await;
        let tools = match self.tools.take() {
            Some(tools) if Arc::ptr_eq(&tools.list, &list) => tools,
            _ => {
                let listed = list.tools.iter().map(|listed| listed.tool.clone());
                let for_request: Arc<[_]> = listed.collect();
                let answer = self.answer.as_ref();
                Tools {
                    answer: answer.map(|answer| Arc::new(answer.asked(Arc::clone(&for_request)))),
                    for_request,
                    list,
                }
            }
        };
        let found = (tools.list.tools.clone(), Arc::clone(&tools.for_request));
        self.tools = Some(tools);
        found
    }

    /// Returns an error if the list is empty because its sources fail. Without the error, the model would answer as if it had no
    /// tools.
    fn check_sources(&self) -> Result<(), ChatError> {
        let Some(Tools { list, .. }) = &self.tools else {
            return Ok(());
        };
        // the toolbox's own tool for cut results does not count
        let is_own = |tool: &Arc<ListedTool>| tool.source == TOOLBOX;
        if list.withheld.is_empty() || !list.tools.iter().all(is_own) {
            return Ok(());
        }
        Err(ChatError::Withheld(list.withheld.clone()))
    }

    fn end(self, stop: Stop) -> Turn {
        tracing::debug!(?stop, steps = self.counts.steps(), "a turn has ended");
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
            usage: self.counts.usage(),
            steps: self.counts.steps(),
            returned: self.said.filter(|_| self.setup.keeper.is_none()),
            text: self.text,
        }
    }
}

impl TurnTask {
    fn push(&mut self, message: Message) {
        Arc::make_mut(&mut self.history).push(message);
    }

    /// Ends a step and appends its messages to the chat's history.
    async fn end_step(&mut self, outlet: &Outlet) -> Result<(), ChatError> {
        self.record_step().await?;
        let messages = self.history[self.in_chat..].to_vec();
        self.in_chat = self.history.len();
        self.said = None;
        #[cfg(feature = "documents")]
        self.activations.keep();
        let end = StepEnd {
            step: self.counts.steps(),
            messages: messages.clone(),
            usage: self.counts.take_step_usage(),
        };
        self.number.step = self.number.step.saturating_add(1);
        // not earlier, because a turn that ends before its first step adds no messages
        outlet.keep(self.compacted.clone());
        let change = outlet::HistoryChange::Append(messages);
        outlet.emit_with(Event::StepEnd(end), Some(change)).await;
        Ok(())
    }
}
