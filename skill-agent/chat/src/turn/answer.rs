//! The typed answer of a turn.

use super::running::CallResult;
use super::{Flow, Given, TurnTask};
use crate::answer::AnswerSpec;
use crate::{CallPart, ChatError, Message, Stop};
use skill_agent_server::Applied;
use skill_agent_toolbox::ToolError;
use skill_core::StateError;

impl TurnTask {
    /// If `call` delivers the typed answer, records the answer and returns the call's result. Returns `None` for any other call.
    pub(super) fn answered_by(&mut self, call: &CallPart) -> Option<CallResult> {
        let answer = self.answer.as_ref()?;
        let asked = self.tools.as_ref()?.answer.as_ref()?;
        asked.tool().filter(|tool| tool.name == call.call.name)?;
        Some(match answer.checked(&call.call.arguments) {
            Ok(text) => {
                let id = call.id.clone();
                self.given = Some(Given { id, text });
                Ok("the answer is taken".into())
            }
            Err(error) => {
                let result = Err(ToolError::failed(
                    &call.call.name,
                    error.to_string(),
                    Applied::No,
                ));
                self.wrong = Some(error);
                result
            }
        })
    }

    /// Decides whether the turn continues after a step's calls. If a call delivered the answer, the turn ends, regardless of the
    /// other calls.
    pub(super) fn after_calls(&mut self, stop: Option<Stop>) -> Result<Flow, ChatError> {
        if let Some(given) = self.given.take() {
            self.text = given.text;
            return Ok(Flow::End(Stop::Answered));
        }
        let by_layer = self.ended_by_layer()?;
        if let Some(stop) = stop
            .filter(|stop| *stop != Stop::Approval)
            .or(by_layer)
            .or(stop)
        {
            return Ok(Flow::End(stop));
        }
        match self.wrong.take() {
            Some(error) if self.has_repaired => Err(ChatError::Answer(error)),
            wrong => {
                self.has_repaired |= wrong.is_some();
                Ok(Flow::Continue)
            }
        }
    }

    /// Checks a typed answer that the model wrote as text. If the answer is invalid, returns the error and a message that asks
    /// the model to correct it.
    pub(super) fn check_text(&mut self) -> Option<(StateError, Message)> {
        let answer = self.answer.as_ref()?;
        match answer.checked(&self.text) {
            Ok(text) => {
                self.text = text;
                None
            }
            Err(error) => {
                let mut repair = answer.repair(&error);
                repair.is_repair = true;
                // the model learns where its JSON is wrong; the caller learns that the model answered in prose
                Some((AnswerSpec::in_words(&self.text).unwrap_or(error), repair))
            }
        }
    }
}
