//! The commands that do not depend on the agent's type.

use crate::error::{ServeError, SignalError};
use crate::guard::{ApprovalRequest, Ruling};
use crate::idempotency::GivenKey;
use crate::lifecycle::rest::Idleness;
use crate::mailbox::any_owner::AnyOwner;
use crate::mailbox::responder::Responder;
use crate::owner::{Arguments, JsonCommand, Owner};
use crate::panics::catch;
use crate::preview::{Preview, PreviewError};
use crate::rows::{GroupChange, Rows, RowsPage};
use crate::turns::TurnsWork;
use serde_json::Value;
use skill_core::process::{self, MountOp, RefusedTool, TurnContext};
use skill_core::{
    Agent, CallError, Caller, MountError, Signal, SkillSpec, StateError, Tool, ToolBuf,
};
use std::any::Any;
use std::convert::Infallible;

// `self.name(…)` calls the inherent method, which takes precedence over the trait's
impl<G: Agent> AnyOwner for Owner<G> {
    fn call_json(
        &mut self,
        key: Option<GivenKey>,
        action: String,
        arguments: String,
        caller: Caller,
        responder: Responder<String, CallError>,
    ) {
        let command = JsonCommand::new(action, Arguments::Text(arguments), caller);
        self.submit(command.with_key(key), responder);
    }

    fn decide(
        &mut self,
        request: ApprovalRequest,
        ruling: Ruling,
        responder: Responder<String, CallError>,
    ) {
        self.decide(request, ruling, responder);
    }

    fn preview_json(
        &mut self,
        action: String,
        arguments: String,
        responder: Responder<Preview, PreviewError>,
    ) {
        self.preview(action, Arguments::Text(arguments), responder);
    }

    fn outside_signal(
        &mut self,
        signal: Signal,
        responder: Option<Responder<Value, SignalError>>,
        caller: Caller,
    ) {
        self.outside_signal(signal, responder, caller);
    }

    fn state_json(&mut self, responder: Responder<String, StateError>) {
        self.read(G::state_json, responder);
    }

    fn tools(&mut self, responder: Responder<Vec<ToolBuf>, Infallible>) {
        let tools = |agent: &G| Ok(agent.all_tools().iter().map(Tool::to_buf).collect());
        self.read(tools, responder);
    }

    fn mounted_skills(&mut self, responder: Responder<Vec<&'static SkillSpec>, Infallible>) {
        self.read(|agent| Ok(process::mounted_skills(agent)), responder);
    }

    fn turn_contexts(&mut self, responder: Responder<Vec<TurnContext>, Infallible>) {
        self.read(|agent| Ok(process::turn_contexts(agent)), responder);
    }

    fn refused_tools(&mut self, responder: Responder<Vec<RefusedTool>, Infallible>) {
        self.read(|agent| Ok(process::refused_tools(agent)), responder);
    }

    fn set(&mut self, patch: &Value, responder: Responder<(), StateError>) {
        self.set(patch, responder);
    }

    fn change_rows(&mut self, change: GroupChange, responder: Responder<(), Infallible>) {
        self.change_rows(change, responder);
    }

    fn release(&mut self, keys: Vec<String>, responder: Responder<(), Infallible>) {
        self.release(keys, responder);
    }

    fn held_output(&mut self, key: String, responder: Responder<Option<String>, Infallible>) {
        self.held_output(key, responder);
    }

    fn read_rows(&mut self, page: RowsPage, responder: Responder<Rows, Infallible>) {
        self.read_rows(page, responder);
    }

    fn work_on_turns(&mut self, work: TurnsWork) {
        self.turn_work.push(work);
    }

    fn when_idle(&mut self, responder: Responder<(), Infallible>) {
        self.idle_requests.when_idle.push(responder);
    }

    fn stop_if_idle(&mut self, responder: Responder<Idleness, Infallible>) {
        self.idle_requests.stop_if_idle.push(responder);
    }

    fn change_mounted(&mut self, op: &MountOp, responder: Responder<(), MountError>) {
        self.change_mounted(op, responder);
    }
}

impl<G: Agent> Owner<G> {
    /// Returns the owner for a message of a typed handle.
    pub(crate) fn of(owner: &mut dyn AnyOwner) -> &mut Self {
        let owner: &mut dyn Any = owner;
        let owner = owner.downcast_mut();
        owner.expect("a typed handle belongs to a server of its agent's type")
    }

    /// Reads a value from the agent. `read` may run user code, such as `Clone`.
    pub(crate) fn read<T: Send + 'static, E: Send + 'static>(
        &mut self,
        read: impl Fn(&G) -> Result<T, E> + Send + 'static,
        responder: Responder<T, E>,
    ) {
        let read = move |owner: &Self| match catch(|| read(&owner.agent)) {
            Ok(value) => value.map_err(ServeError::Action),
            Err(message) => Err(ServeError::panicked(None, message)),
        };
        let value = read(self);
        self.answer_in_turn(move |owner, kept| {
            // after a failed write, the value would show changes that were undone
            responder.respond(kept.map_or_else(|_| read(owner), |()| value));
        });
    }
}
