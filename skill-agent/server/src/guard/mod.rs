//! The guard, which decides on every action before it runs, and the approver.

mod approval;
mod ask;
mod policy;
mod seal;

pub use approval::{
    APPROVER_TIME_LIMIT, ApprovalRequest, Approver, OPEN_APPROVALS, Rejection, Ruling, Verdict,
    wrong_replacement,
};
pub(crate) use approval::{DecidedInstruction, PendingSignal};
pub use ask::{Asked, TOO_MANY_OPEN, ask};
pub use policy::GuardPolicy;
pub(crate) use policy::{GuardCheck, UNWRITABLE};
pub use seal::{APPROVAL_SECRET_MIN, Seal, hex, new_secret};

use serde_json::Value;
use skill_core::{Action, Caller, Hints, Tool, WriteError};
use std::any::Any;
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

/// An action that is about to run, with its arguments parsed and defaults filled in.
#[non_exhaustive]
pub struct Attempt<'a> {
    /// The caller that wants to run the action.
    pub caller: Caller,
    /// The action as a tool, with its name in the agent.
    pub tool: Tool<'a>,
    action: &'a dyn Any,
    write: &'a dyn Fn() -> Result<Value, WriteError>,
    /// Set if the arguments cannot be serialized as JSON.
    is_unwritable: Cell<bool>,
}

impl<'a> Attempt<'a> {
    #[doc(hidden)]
    pub fn new(
        caller: &Caller,
        tool: Tool<'a>,
        action: &'a dyn Any,
        write: &'a dyn Fn() -> Result<Value, WriteError>,
    ) -> Self {
        Self {
            caller: caller.clone(),
            tool,
            action,
            write,
            is_unwritable: Cell::new(false),
        }
    }
}

impl Attempt<'_> {
    /// Converts the action's arguments to JSON, including defaults.
    ///
    /// Returns `null` if JSON cannot represent them, for example because of a NaN or an integer of more than 64 bits. The action is
    /// then denied, even if the guard allows it. The guard can read such arguments with [`of`](Self::of).
    pub fn arguments(&self) -> Value {
        (self.write)().unwrap_or_else(|_| {
            self.is_unwritable.set(true);
            Value::Null
        })
    }

    /// Returns the typed action if this is action `A`, in any instance of its skill.
    ///
    /// ```
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// # use skill_agent::prelude::*;
    /// # use skill_agent::server::{Attempt, Decision};
    /// # /// An account.
    /// # #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    /// # #[serde(default)]
    /// # #[skill(name = "account", actions(Transfer))]
    /// # pub struct Account { cents: i64 }
    /// # /// Transfer money.
    /// # #[action]
    /// # pub fn transfer(account: &mut Account, cents: i64) { account.cents -= cents; }
    /// let guard = |attempt: &Attempt<'_>| match attempt.of::<Transfer>() {
    ///     Some(transfer) if transfer.cents > 100_00 => Decision::Ask,
    ///     _ => Decision::Allow,
    /// };
    /// # fn takes(_: impl skill_agent::server::Guard) {}
    /// # takes(guard);
    /// ```
    pub fn of<A: Action>(&self) -> Option<&A> {
        self.action.downcast_ref()
    }

    /// Returns whether this is action `A`, in any instance of its skill. Comparing [`Tool::name`] does not work for every
    /// instance: `clear_notes` of `Notes as diary` is called `diary_clear_notes`.
    ///
    /// ```
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// # use skill_agent::prelude::*;
    /// # use skill_agent::server::{Attempt, Decision};
    /// # /// Notes.
    /// # #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    /// # #[serde(default)]
    /// # #[skill(name = "notes", actions(ClearNotes))]
    /// # pub struct Notes { lines: Vec<String> }
    /// # /// Delete all notes.
    /// # #[action]
    /// # pub fn clear_notes(notes: &mut Notes) { notes.lines.clear(); }
    /// let guard = |attempt: &Attempt<'_>| {
    ///     if attempt.is::<ClearNotes>() { Decision::Ask } else { Decision::Allow }
    /// };
    /// # fn takes(_: impl skill_agent::server::Guard) {}
    /// # takes(guard);
    /// ```
    pub fn is<A: Action>(&self) -> bool {
        self.action.is::<A>()
    }
}

impl fmt::Debug for Attempt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempt")
            .field("caller", &self.caller)
            .field("tool", &self.tool.name)
            .finish_non_exhaustive()
    }
}

/// A guard's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// The action may run.
    Allow,
    /// The action may not run, for the given reason.
    Deny(Cow<'static, str>),
    /// The [`Approver`] decides, or the action is denied if there is no approver.
    Ask,
}

impl Decision {
    /// Returns the reason if the decision is a denial. After any other decision, an approved action runs.
    #[doc(hidden)]
    pub fn into_denial(self) -> Option<Cow<'static, str>> {
        match self {
            Self::Deny(reason) => Some(reason),
            Self::Allow | Self::Ask => None,
        }
    }
}

/// Decides on every action before it runs. Use a guard for quotas, rate limits and authorization.
///
/// ```
/// use skill_agent::server::{Attempt, CallerKind, Decision, Guard};
/// let models_only_read = |attempt: &Attempt<'_>| match attempt.caller.kind() {
///     CallerKind::Model if !attempt.tool.hints.read_only => Decision::Deny("models only read here".into()),
///     _ => Decision::Allow,
/// };
/// fn takes(_: impl Guard) {}
/// takes(models_only_read);
/// ```
///
/// A closure must name the type of its parameter, `&Attempt<'_>`. Otherwise, rustc reports E0282, or that `FnOnce` is "not general
/// enough".
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a guard, which takes `&Attempt<'_>` and returns a `Decision`",
    label = "not a guard",
    note = "write `|attempt: &Attempt<'_>| if attempt.tool.hints.read_only {{ Decision::Allow }} else {{ Decision::Ask }}`; a guard cannot be async: `Decision::Ask` asks the approver, which may wait"
)]
pub trait Guard: Send + Sync + 'static {
    /// Decides on one action. This runs in the server task, so it must not block.
    fn check(&self, attempt: &Attempt<'_>) -> Decision;
}

#[diagnostic::do_not_recommend]
impl<F: Fn(&Attempt<'_>) -> Decision + Send + Sync + 'static> Guard for F {
    fn check(&self, attempt: &Attempt<'_>) -> Decision {
        self(attempt)
    }
}

/// The default guard. A `destructive` action of a foreign caller (a model, an MCP client or a document) needs approval
/// ([`Decision::Ask`]). All other actions are allowed.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConfirmDestructive;

impl ConfirmDestructive {
    fn asks(caller: &Caller, hints: Hints) -> bool {
        hints.destructive && caller.is_foreign()
    }
}

impl Guard for ConfirmDestructive {
    fn check(&self, attempt: &Attempt<'_>) -> Decision {
        if Self::asks(&attempt.caller, attempt.tool.hints) {
            Decision::Ask
        } else {
            Decision::Allow
        }
    }
}
