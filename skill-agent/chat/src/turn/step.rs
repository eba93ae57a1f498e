//! One step: reads a completion, runs its calls, and decides whether the turn continues.

use super::decide::checksum;
use super::outlet::Outlet;
use super::running::CallResult;
use super::{Flow, TurnTask, outcome};
#[cfg(feature = "documents")]
use crate::history::context;
use crate::history::groups;
use crate::limits::MAX_CALLS;
use crate::{
    CallPart, ChatError, ContextPart, Message, MessagePart, ModelError, ResultPart, Role, Stop,
};
use skill_agent_models::__private::are_whole;
use skill_agent_models::{Finish, Repair};
use skill_agent_server::Applied;
use skill_agent_toolbox::__private::CallAttempt;
use skill_agent_toolbox::{ListedTool, ToolError, ToolOutput};
use std::sync::Arc;

impl TurnTask {
    /// Adds a completion to the history and runs its calls.
    pub(super) async fn step(
        &mut self,
        (mut message, finish): (Message, Finish),
        tools: &[Arc<ListedTool>],
        outlet: &Outlet,
    ) -> Result<Flow, ChatError> {
        let is_result = |part: &MessagePart| matches!(part, MessagePart::Result(_));
        if message.parts.iter().any(is_result) {
            let message = "it has a result of a call, which only a tool can give";
            return Err(ModelError::protocol(None, message).into());
        }
        // only the chat adds them
        let is_context = |part: &MessagePart| matches!(part, MessagePart::Context(_));
        message.parts.retain(|part| !is_context(part));
        let left_out = self.prepare(&mut message, &finish);
        let calls: Vec<CallPart> = message.calls().cloned().collect();
        self.text = message.text();
        if calls.is_empty() {
            return self.step_without_calls(message, finish, outlet).await;
        }
        self.push(message);
        let (without_run, stop) = self.results_without_run(&calls, &finish, left_out);
        self.record_calls(&calls, &without_run, tools).await?;
        let attempt = CallAttempt::First;
        self.run_step(calls, without_run, stop, tools, attempt, outlet)
            .await
    }

    /// Runs the calls of a completion in the history, and adds their results.
    pub(super) async fn run_step(
        &mut self,
        calls: Vec<CallPart>,
        without_run: Vec<Option<CallResult>>,
        mut stop: Option<Stop>,
        tools: &[Arc<ListedTool>],
        attempt: CallAttempt,
        outlet: &Outlet,
    ) -> Result<Flow, ChatError> {
        let results = self.run_calls(&calls, without_run, tools, attempt, outlet);
        let results = results.await;
        stop = results.interrupted.or(stop);
        self.take_results(&calls, results.results, results.repairs);
        self.end_step(outlet).await?;
        if stop.is_none() && !self.pending.is_empty() {
            stop = Some(Stop::Approval);
        }
        self.after_calls(stop)
    }

    /// Assigns an id to each call of a message, drops calls beyond [`MAX_CALLS`], and replaces cut-off arguments with `{}`.
    /// Returns the number of dropped calls.
    fn prepare(&self, message: &mut Message, finish: &Finish) -> usize {
        let (mut index, mut left_out) = (0, 0);
        let is_cut = *finish == Finish::Truncated;
        message.parts.retain_mut(|part| {
            let MessagePart::Call(call) = part else {
                return true;
            };
            if index >= MAX_CALLS {
                left_out += 1;
                return false;
            }
            call.id = self.number.id(index);
            index += 1;
            let arguments = &mut call.call.arguments;
            if is_cut && !are_whole(arguments) {
                *arguments = "{}".to_owned();
                call.item = None;
            }
            true
        });
        left_out
    }

    /// Returns the results of the calls that do not run. If the turn ends after this step, also returns the reason.
    pub(super) fn results_without_run(
        &mut self,
        calls: &[CallPart],
        finish: &Finish,
        left_out: usize,
    ) -> (Vec<Option<CallResult>>, Option<Stop>) {
        let not_run = |call: &CallPart, why: &str| {
            let message = format!("it was not run: {why}");
            Some(Err(ToolError::failed(
                &call.call.name,
                message,
                Applied::No,
            )))
        };
        let mut stop = None;
        let mut results = Vec::with_capacity(calls.len());
        for (index, call) in calls.iter().enumerate() {
            let result = match finish {
                Finish::Truncated => not_run(
                    call,
                    "the completion was cut off at the limit of tokens; send less in one completion, for example one call with shorter arguments",
                ),
                Finish::Refused => {
                    stop = Some(Stop::Refused);
                    not_run(call, "the completion was refused")
                }
                _ if left_out > 0 && index + 1 == calls.len() => {
                    let all = calls.len() + left_out;
                    let most = MAX_CALLS - 1;
                    let why = format!(
                        "the completion has {all} calls, of which only the first {most} were run; send fewer in one completion"
                    );
                    not_run(call, &why)
                }
                _ if stop == Some(Stop::Repeated) => not_run(call, "the turn has ended"),
                _ if self.ledger.counts().repeats(call, &self.setup.limits) => {
                    stop = Some(Stop::Repeated);
                    not_run(call, "the same call was made several times in a row")
                }
                _ => self.answered_by(call),
            };
            results.push(result);
        }
        (results, stop)
    }

    /// Appends the results to the history, in the order of the calls.
    fn take_results(
        &mut self,
        calls: &[CallPart],
        results: Vec<CallResult>,
        repairs: Vec<Vec<Repair>>,
    ) {
        let message = self.history.last().cloned();
        let (mut parts, mut loads) = (Vec::with_capacity(calls.len()), Vec::new());
        for ((call, mut result), repairs) in calls.iter().zip(results).zip(repairs) {
            let loaded = result.as_mut().ok().and_then(ToolOutput::take_loaded);
            loads.extend(loaded.map(|group| groups::of_call(call, group)));
            self.pending.extend(outcome::pending(&call.id, &result));
            self.calls
                .push(outcome::called(call, result.clone(), repairs));
            let mut part = ResultPart::new(call, result);
            part.calls_checksum = message
                .as_ref()
                .and_then(|message| checksum(message, &part.id, &part.result));
            let given = self.given.as_ref();
            part.gives_answer = given.is_some_and(|given| given.id == part.id);
            parts.push(MessagePart::Result(part));
        }
        self.push(Message::new(Role::Tool, parts));
        self.note_loads(loads);
    }

    /// Adds parts to the last message for the documents and groups that its calls have loaded.
    pub(super) fn note_loads(&mut self, groups: Vec<ContextPart>) {
        let parts = self.loaded_documents().into_iter().chain(groups);
        let parts: Vec<_> = parts.map(MessagePart::Context).collect();
        if let Some(last) = Arc::make_mut(&mut self.history).last_mut() {
            last.parts.extend(parts);
        }
        self.restore_groups();
    }

    #[cfg(feature = "documents")]
    fn loaded_documents(&self) -> Option<ContextPart> {
        let policy = self.setup.toolbox.selection_policy();
        let now = self.setup.session.activations();
        context::of_calls(&self.history, &now, &policy)
    }

    #[cfg(not(feature = "documents"))]
    #[allow(clippy::unused_self)]
    fn loaded_documents(&self) -> Option<ContextPart> {
        None
    }

    /// Adds a completion without calls to the history.
    async fn step_without_calls(
        &mut self,
        mut message: Message,
        finish: Finish,
        outlet: &Outlet,
    ) -> Result<Flow, ChatError> {
        message.is_paused = finish == Finish::Paused;
        let flow = self.without_calls(finish)?;
        // providers reject empty messages
        if !message.parts.is_empty() {
            self.push(message);
        }
        let is_answered = matches!(flow, Flow::End(Stop::Answered));
        if is_answered && self.text.trim().is_empty() {
            tracing::warn!("the model has answered without a text");
        }
        let wrong = if is_answered { self.check_text() } else { None };
        if let Some((error, repair)) = wrong {
            if self.has_repaired {
                self.end_step(outlet).await?;
                return Err(ChatError::Answer(error));
            }
            self.has_repaired = true;
            self.push(repair);
            self.end_step(outlet).await?;
            return Ok(Flow::Continue);
        }
        self.end_step(outlet).await?;
        Ok(flow)
    }

    /// Decides whether the turn continues after a completion without calls.
    fn without_calls(&self, finish: Finish) -> Result<Flow, ModelError> {
        let no_answer = |message: &str| Err(ModelError::protocol(None, message));
        Ok(match finish {
            Finish::Truncated => Flow::End(Stop::Truncated),
            Finish::Refused => Flow::End(Stop::Refused),
            Finish::Paused => Flow::Continue,
            Finish::Answered => Flow::End(Stop::Answered),
            // with any other finish reason, any text counts as an answer
            _ if !self.text.is_empty() => Flow::End(Stop::Answered),
            Finish::Calls => return no_answer("it waits for the results of no calls"),
            _ => return no_answer("it has neither text nor calls"),
        })
    }
}
