//! Decides on tools that are not actions of a served agent, with the toolbox's guard and approver.

mod inside;

use super::error::ToolError;
use serde_json::Value;
use skill_agent_server::__private::CaughtClock;
use skill_agent_server::__private::{
    Asked, Decisions, GuardPolicy, Ids, Rejection, Ruling, Seal, TOO_MANY_OPEN, ask, new_secret,
    wrong_replacement,
};
use skill_agent_server::clock::{Clock, SystemClock};
use skill_agent_server::{
    APPROVER_TIME_LIMIT, Applied, ApprovalRequest, Approver, Attempt, Decision, OPEN_APPROVALS,
    Verdict,
};
use skill_core::process::check_arguments;
use skill_core::{Caller, ToolBuf};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The reason for denying a call because there is no approver.
const NO_APPROVER: &str = "approval is required, but the toolbox has no approver";

/// A toolbox's guard and approver, and its past decisions.
pub(super) struct Guarding {
    pub(super) policy: GuardPolicy,
    pub(super) approver: Option<Arc<dyn Approver>>,
    pub(super) time_limit: Duration,
    pub(super) secret: Option<Vec<u8>>,
    clock: CaughtClock,
    /// The number of requests that are waiting for the approver.
    open: AtomicUsize,
    decided: Mutex<Decided>,
}

struct Decided {
    decisions: Decisions,
    ids: Ids,
    /// The secret to use if the program does not set one.
    random: Vec<u8>,
}

/// A tool call whose arguments match the schema.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) source: &'a str,
    pub(super) tool: &'a ToolBuf,
    pub(super) caller: &'a Caller,
    /// The idempotency key set by the program.
    pub(super) key: Option<&'a str>,
    /// Whether each call needs approval, even if the guard allows it.
    pub(super) asks: bool,
    /// Whether the source itself checks the arguments against the schema.
    pub(super) checks_itself: bool,
}

impl Default for Guarding {
    fn default() -> Self {
        Self {
            policy: GuardPolicy::default(),
            approver: None,
            time_limit: APPROVER_TIME_LIMIT,
            secret: None,
            clock: CaughtClock(Arc::new(SystemClock)),
            open: AtomicUsize::new(0),
            decided: Mutex::new(Decided {
                decisions: Decisions::default(),
                ids: Ids::draw(),
                random: new_secret(),
            }),
        }
    }
}

impl fmt::Debug for Guarding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guarding").finish_non_exhaustive()
    }
}

impl Guarding {
    /// Decides on a call, and returns the arguments to run it with.
    ///
    /// # Errors
    /// Returns an error if the call must not run or if the decision is deferred.
    pub(super) async fn admit(
        &self,
        subject: Subject<'_>,
        arguments: Value,
    ) -> Result<Value, ToolError> {
        match self.decision(subject, &arguments) {
            Decision::Allow => return Ok(arguments),
            Decision::Deny(reason) => return Err(subject.denied(reason)),
            _ => {} // the approver decides
        }
        let Some(approver) = self.approver.clone() else {
            return Err(subject.denied(NO_APPROVER));
        };
        let Some(_open) = Open::begin(&self.open) else {
            return Err(subject.denied(TOO_MANY_OPEN));
        };
        let mut request = self.request(subject, arguments);
        let clock = self.clock.0.clone();
        let asked = ask(approver, request.clone(), clock, self.time_limit).await;
        if let Asked::Panicked(message) = &asked {
            tracing::error!(tool = subject.tool.name, %message, "the approver panicked");
        }
        match Ruling::from(Verdict::from(asked)) {
            Ruling::Run(None) => Ok(request.arguments),
            Ruling::Run(Some(replaced)) => self.admit_replaced(subject, replaced),
            Ruling::Reject(rejection) => Err(subject.rejected(rejection)),
            Ruling::Defer { caller_decides } => {
                request.caller_decides = caller_decides;
                Err(ToolError::Pending(Box::new(self.sealed(request))))
            }
        }
    }

    /// Checks the arguments that the approver has put in place of the original ones, and asks the guard about them.
    fn admit_replaced(&self, subject: Subject<'_>, replaced: Value) -> Result<Value, ToolError> {
        if let Err(problem) = subject.check(&replaced) {
            return Err(subject.denied(wrong_replacement(problem)));
        }
        self.admit_approved(subject, replaced)
    }

    /// Checks the arguments of a deferred request, because the tool may have changed, and asks the guard about them.
    fn admit_deferred(&self, subject: Subject<'_>, arguments: Value) -> Result<Value, ToolError> {
        if let Err(problem) = subject.check(&arguments) {
            let tool = subject.tool.name.clone();
            return Err(ToolError::Arguments { tool, problem });
        }
        self.admit_approved(subject, arguments)
    }

    /// Asks the guard about approved arguments, which the guard can still deny.
    fn admit_approved(&self, subject: Subject<'_>, arguments: Value) -> Result<Value, ToolError> {
        match self.decision(subject, &arguments).into_denial() {
            Some(reason) => Err(subject.denied(reason)),
            None => Ok(arguments),
        }
    }

    pub(super) fn decision(&self, subject: Subject<'_>, arguments: &Value) -> Decision {
        let write = || Ok(arguments.clone());
        // the tool is not an action, so no typed rule matches it
        let attempt = Attempt::new(subject.caller, subject.tool.as_tool(), &(), &write);
        match self.policy.decide(&attempt) {
            Decision::Allow if subject.asks => Decision::Ask,
            decision => decision,
        }
    }

    fn request(&self, subject: Subject<'_>, arguments: Value) -> ApprovalRequest {
        let Subject {
            source,
            tool,
            caller,
            key,
            ..
        } = subject;
        let names = (source, tool.name.as_str());
        let mut request = ApprovalRequest::new(caller, &tool.as_tool(), names, arguments);
        request.id = self.decided().ids.next(self.clock.now());
        request.preview = Err("only pure actions have a preview".into());
        request.set_caller_key(key);
        request
    }

    fn decided(&self) -> MutexGuard<'_, Decided> {
        // no user code runs under the lock
        self.decided.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn secret(&self) -> Vec<u8> {
        let random = || self.decided().random.clone();
        self.secret.clone().unwrap_or_else(random)
    }

    fn sealed(&self, mut request: ApprovalRequest) -> ApprovalRequest {
        request.seal = seal_of(&request).by(&self.secret());
        request
    }

    /// Applies a verdict to a deferred request for this tool, and returns the arguments to run it with.
    ///
    /// # Errors
    /// Returns an error if the request is invalid or the call must not run.
    pub(super) fn decide(
        &self,
        subject: Subject<'_>,
        mut request: ApprovalRequest,
        ruling: Ruling,
    ) -> Result<(Value, Once<'_>), ToolError> {
        self.check_sealed(subject, &request)?;
        if let Ruling::Defer { caller_decides } = ruling {
            request.caller_decides = caller_decides;
            return Err(ToolError::Pending(Box::new(self.sealed(request))));
        }
        let mut once = self.reserve(&request.id)?;
        match ruling {
            Ruling::Run(Some(replaced)) => Ok((self.admit_replaced(subject, replaced)?, once)),
            Ruling::Run(None) => Ok((self.admit_deferred(subject, request.arguments)?, once)),
            Ruling::Reject(rejection) => {
                once.begin();
                Err(subject.rejected(rejection))
            }
            Ruling::Defer { .. } => Err(ToolError::invalid("it is deferred")),
        }
    }

    /// Checks that this toolbox has sealed a request for this tool.
    fn check_sealed(
        &self,
        subject: Subject<'_>,
        request: &ApprovalRequest,
    ) -> Result<(), ToolError> {
        if !seal_of(request).is_by(&self.secret()) {
            let reason =
                "it was changed, or sealed by a server, by another toolbox or with another secret";
            if self.secret.is_some() {
                return Err(ToolError::invalid(reason));
            }
            let restart = "a toolbox knows requests from before its start only by `Toolbox::builder().approval_secret(...)`";
            return Err(ToolError::invalid(format!("{reason}; {restart}")));
        }
        if (&*request.skill, &*request.action) != (subject.source, &*subject.tool.name) {
            return Err(ToolError::invalid("the toolbox no longer has its tool"));
        }
        Ok(())
    }

    /// Marks a request as decided for as long as the returned mark exists.
    fn reserve(&self, id: &str) -> Result<Once<'_>, ToolError> {
        let decisions = &mut self.decided().decisions;
        if decisions.may_be_forgotten(id) {
            let reason = "it is so old that the decision on it may have been forgotten";
            return Err(ToolError::invalid(reason));
        }
        if decisions.get(id).is_some() {
            return Err(ToolError::invalid("it was decided on before"));
        }
        decisions.insert(id.to_owned(), None);
        Ok(Once {
            guarding: self,
            id: id.to_owned(),
            has_begun: false,
        })
    }
}

/// A mark that a request is decided. Dropping it makes the request undecided again, unless the call of the request has started.
pub(super) struct Once<'a> {
    guarding: &'a Guarding,
    id: String,
    has_begun: bool,
}

impl Once<'_> {
    /// Makes the mark permanent.
    pub(super) fn begin(&mut self) {
        self.has_begun = true;
    }

    /// Removes the mark if the call had no effect.
    pub(super) fn undo_without_effect<T>(mut self, output: &Result<T, ToolError>) {
        let is_without = |error: &ToolError| error.applied() == Applied::No;
        self.has_begun = !output.as_ref().is_err_and(is_without);
    }
}

impl Drop for Once<'_> {
    fn drop(&mut self) {
        if !self.has_begun {
            self.guarding.decided().decisions.remove(&self.id);
        }
    }
}

/// A request that is waiting for the approver, counted as long as it exists.
struct Open<'a>(&'a AtomicUsize);

impl<'a> Open<'a> {
    /// Counts a request. Returns `None` if too many requests are waiting.
    fn begin(open: &'a AtomicUsize) -> Option<Self> {
        let more = |count: usize| (count < OPEN_APPROVALS).then_some(count + 1);
        let counted = open.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        counted.is_ok().then(|| Self(open))
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns the seal of a request. Its agent name is one that no agent can have, so servers and toolboxes never accept each
/// other's requests.
fn seal_of(request: &ApprovalRequest) -> Seal<'_> {
    Seal {
        agent: "(toolbox)",
        agent_id: None,
        request,
    }
}

impl Subject<'_> {
    /// Checks the arguments against the schema, or only that they are an object if the source checks them itself.
    ///
    /// # Errors
    /// Returns the first problem.
    pub(super) fn check(&self, arguments: &Value) -> Result<(), String> {
        if self.checks_itself && arguments.is_object() {
            return Ok(());
        }
        let checked = check_arguments(arguments, &self.tool.input_schema);
        checked.map_err(|problem| problem.to_string())
    }

    fn denied(&self, reason: impl Into<String>) -> ToolError {
        ToolError::Denied {
            tool: self.tool.name.clone(),
            reason: reason.into(),
        }
    }

    fn rejected(&self, rejection: Rejection) -> ToolError {
        let (tool, reason) = (self.tool.name.clone(), rejection.reason.into_owned());
        if rejection.is_abort {
            ToolError::Aborted {
                tool,
                reason,
                applied: Applied::No,
            }
        } else {
            ToolError::Denied { tool, reason }
        }
    }
}
