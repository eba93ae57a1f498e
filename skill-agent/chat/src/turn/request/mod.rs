//! The requests of a turn.

mod attempts;
mod completion;
pub(super) mod counts;
mod tools;

pub(super) use tools::Tools;

use super::TurnTask;
use super::outlet::Outlet;
use crate::layers::error::LayerError;
use crate::{ChatError, ChatRequest, Message, ModelError, ToolChoice};
use skill_agent_models::Finish;
use skill_agent_toolbox::__private::TOOLBOX;
use skill_agent_toolbox::ListedTool;
use skill_core::ToolBuf;
use std::sync::Arc;

impl TurnTask {
    /// Sends a request with the current history and tools.
    pub(super) async fn request(
        &mut self,
        outlet: &Outlet,
    ) -> Result<((Message, Finish), Vec<Arc<ListedTool>>), ChatError> {
        let (listed, tools) = self.tools().await;
        self.check_sources()?;
        let mut request = self.request_with(tools).await;
        let (setup, ledger) = (Arc::clone(&self.setup), self.ledger.clone());
        let mut completed = completion::read(&setup, outlet, &request, &ledger).await;
        if let Err(failed) = &completed
            && let LayerError::Model(error) = &failed.error
            && self.is_too_long(error, &request)
            && self
                .compacted
                .shorten_more(&setup.compaction, &self.history, self.begin)
                .await
        {
            request.messages = self.messages().await;
            failed.discard(error, outlet).await;
            completed = completion::read(&setup, outlet, &request, &ledger).await;
        }
        let completion = completed.map_err(|failed| failed.error)?;
        ledger.counts().step();
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
        let known = self.tools.as_ref();
        let answer = known.and_then(|tools| tools.answer.clone());
        let deferral = known.and_then(|tools| tools.deferral.clone());
        ChatRequest {
            system: Arc::clone(&setup.system),
            messages,
            tools,
            deferred: Arc::default(),
            tool_choice: self.tool_choice(),
            parallel_calls: setup.parallel_calls,
            output_schema: None,
            options: setup.options.clone(),
            answer,
            deferral,
        }
    }

    /// Returns the tool choice for the next request. Only the first step may require a call; otherwise the turn could never end
    /// with an answer.
    fn tool_choice(&self) -> ToolChoice {
        match &self.setup.tool_choice {
            ToolChoice::Required | ToolChoice::Tool(_) if self.said.is_none() => ToolChoice::Auto,
            choice => choice.clone(),
        }
    }

    /// Returns an error if the list is empty because its sources fail. Without the error, the model would answer as if it had no
    /// tools.
    fn check_sources(&self) -> Result<(), ChatError> {
        let Some(Tools { list, .. }) = &self.tools else {
            return Ok(());
        };
        // the toolbox's own tool for cut results does not count
        let is_own = |tool: &Arc<ListedTool>| tool.source == TOOLBOX;
        if !list.tools.iter().all(is_own) {
            return Ok(());
        }
        let failing = list.withheld.iter();
        // the program may withhold the documents
        #[cfg(feature = "documents")]
        let failing = failing.filter(|withheld| !self.setup.toolbox.withholds(&withheld.source));
        let failing: Vec<_> = failing.cloned().collect();
        if failing.is_empty() {
            return Ok(());
        }
        Err(ChatError::Withheld(failing))
    }
}
