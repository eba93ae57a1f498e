//! The owner of an agent, for messages without the agent's type.

use super::responder::Responder;
use crate::error::SignalError;
use crate::guard::{ApprovalRequest, Ruling};
use crate::idempotency::GivenKey;
use crate::lifecycle::rest::Idleness;
use crate::preview::{Preview, PreviewError};
use crate::rows::{GroupChange, Rows, RowsPage};
use crate::turns::TurnsWork;
use serde_json::Value;
use skill_core::process::{MountOp, RefusedTool, TurnContext};
use skill_core::{CallError, Caller, MountError, Signal, SkillSpec, StateError, ToolBuf};
use std::any::Any;
use std::convert::Infallible;

/// The commands that do not depend on the agent's type. The mailbox does not depend on this type either, so that typed handles and
/// erased ones share their code.
pub(crate) trait AnyOwner: Any {
    fn call_json(
        &mut self,
        key: Option<GivenKey>,
        action: String,
        arguments: String,
        caller: Caller,
        responder: Responder<String, CallError>,
    );
    fn decide(
        &mut self,
        request: ApprovalRequest,
        ruling: Ruling,
        responder: Responder<String, CallError>,
    );
    fn preview_json(
        &mut self,
        action: String,
        arguments: String,
        responder: Responder<Preview, PreviewError>,
    );
    fn outside_signal(
        &mut self,
        signal: Signal,
        responder: Option<Responder<Value, SignalError>>,
        caller: Caller,
    );
    fn state_json(&mut self, responder: Responder<String, StateError>);
    fn tools(&mut self, responder: Responder<Vec<ToolBuf>, Infallible>);
    fn mounted_skills(&mut self, responder: Responder<Vec<&'static SkillSpec>, Infallible>);
    fn turn_contexts(&mut self, responder: Responder<Vec<TurnContext>, Infallible>);
    fn refused_tools(&mut self, responder: Responder<Vec<RefusedTool>, Infallible>);
    fn set(&mut self, patch: &Value, responder: Responder<(), StateError>);
    fn change_rows(&mut self, change: GroupChange, responder: Responder<(), Infallible>);
    fn release(&mut self, keys: Vec<String>, responder: Responder<(), Infallible>);
    fn held_output(&mut self, key: String, responder: Responder<Option<String>, Infallible>);
    fn read_rows(&mut self, page: RowsPage, responder: Responder<Rows, Infallible>);
    fn work_on_turns(&mut self, work: TurnsWork);
    fn when_idle(&mut self, responder: Responder<(), Infallible>);
    fn stop_if_idle(&mut self, responder: Responder<Idleness, Infallible>);
    fn change_mounted(&mut self, op: &MountOp, responder: Responder<(), MountError>);
}
