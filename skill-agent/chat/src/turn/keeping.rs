//! Records a durable conversation while its turn runs.

use super::outlet::Outlet;
use super::running::CallResult;
use super::{Flow, TurnTask};
use crate::keeper::{BegunTool, Recording, ReleasedKey};
use crate::{CallPart, ChatError, Event, Message, ResultPart, Stop};
use skill_agent_models::Finish;
use skill_agent_server::Applied;
use skill_agent_toolbox::__private::{CallAttempt, ToolKind};
use skill_agent_toolbox::ListedTool;
use std::sync::Arc;

impl TurnTask {
    /// Records a completion before its calls run. Records nothing if all calls that run only read.
    pub(super) async fn record_calls(
        &mut self,
        calls: &[CallPart],
        without_run: &[Option<CallResult>],
        tools: &[Arc<ListedTool>],
    ) -> Result<(), ChatError> {
        let reads = |call: &CallPart| {
            let mut listed = tools.iter();
            let listed = listed.find(|listed| listed.tool.name == call.call.name);
            listed.is_none_or(|listed| listed.tool.hints.read_only)
        };
        let to_run = calls.iter().zip(without_run);
        let to_run = to_run.filter(|(call, result)| result.is_none() && !reads(call));
        let to_run: Vec<_> = to_run.map(|(call, _)| &call.call.name).collect();
        if to_run.is_empty() {
            return Ok(());
        }
        let mut begun = Vec::new();
        if self.setup.keeper.is_some() {
            for listed in tools
                .iter()
                .filter(|listed| to_run.contains(&&listed.tool.name))
            {
                begun.push(self.begun_tool(listed).await);
            }
        }
        self.record(Vec::new(), begun).await
    }

    async fn begun_tool(&self, listed: &ListedTool) -> BegunTool {
        BegunTool {
            name: listed.tool.name.clone(),
            source: listed.source.clone(),
            is_async: listed.kind == ToolKind::AsyncAction,
            server: self.setup.session.holder_of(&listed.tool.name).await,
        }
    }

    /// Records the messages of a step, and releases the keys of its calls that may have run.
    pub(super) async fn record_step(&mut self) -> Result<(), ChatError> {
        if self.setup.keeper.is_none() {
            return Ok(());
        }
        let has_run = |part: &&ResultPart| match &part.result {
            Ok(_) => true,
            Err(error) => error.applied() != Applied::No,
        };
        let messages = self.history[self.in_chat..].iter();
        let results = messages.flat_map(Message::results).filter(has_run);
        let ids: Vec<_> = results
            .map(|part| (part.name.clone(), part.id.clone()))
            .collect();
        let mut released = Vec::new();
        for (tool, id) in ids {
            released.extend(self.key_to_release(&tool, &id).await);
        }
        self.record(released, Vec::new()).await
    }

    async fn record(
        &mut self,
        released: Vec<ReleasedKey>,
        tools: Vec<BegunTool>,
    ) -> Result<(), ChatError> {
        if let Some(keeper) = &self.setup.keeper {
            let messages = &self.history[self.recorded..];
            let recording = Recording {
                messages,
                released,
                tools,
            };
            keeper.append(recording).await?;
            self.recorded = self.history.len();
        }
        Ok(())
    }

    /// Records a new last message, after the verdict on `decided`.
    pub(super) async fn record_last(&self, decided: Option<&CallPart>) -> Result<(), ChatError> {
        if let (Some(keeper), Some(last)) = (&self.setup.keeper, self.history.last()) {
            let mut released = Vec::new();
            if let Some(call) = decided {
                released.extend(self.key_to_release(&call.call.name, &call.id).await);
            }
            let recording = Recording {
                released,
                ..Recording::of(last)
            };
            keeper.replace_last(recording).await?;
        }
        Ok(())
    }

    /// Returns the key of a call, and the server that releases the key.
    async fn key_to_release(&self, tool: &str, id: &str) -> Option<ReleasedKey> {
        let keeper = self.setup.keeper.as_ref()?;
        let server = self.setup.session.holder_of(tool).await?;
        let key = keeper.key(id);
        Some(ReleasedKey { server, key })
    }

    /// Adds the messages that the user sent during the last step.
    pub(super) async fn take_steered(&mut self, outlet: &Outlet) {
        let Some(keeper) = &self.setup.keeper else {
            return;
        };
        for mut message in keeper.take_steered() {
            message.is_steered = true;
            self.push(message.clone());
            outlet.emit(Event::Said(message)).await;
        }
    }

    /// Completes a step whose results are missing.
    pub(super) async fn repeat(
        &mut self,
        begun: Message,
        outlet: &Outlet,
    ) -> Result<Flow, ChatError> {
        let calls: Vec<CallPart> = begun.calls().cloned().collect();
        self.text = begun.text();
        self.push(begun);
        self.recorded = self.history.len();
        self.ledger.counts().step();
        let (listed, _) = self.tools().await;
        let (without_run, stop) = self.results_without_run(&calls, &Finish::Calls, 0);
        let attempt = self.settled.unwrap_or(CallAttempt::Repeated);
        let flow = self.run_step(calls, without_run, stop, &listed, attempt, outlet);
        let flow = flow.await?;
        Ok(match flow {
            Flow::Continue if self.settled.is_some() => Flow::End(Stop::Cancelled),
            flow => flow,
        })
    }
}
