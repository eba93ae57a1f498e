//! Combines the guards and the rules of a server, so that the strictest decision applies.

use super::{Attempt, ConfirmDestructive, Decision, Guard};
use crate::panics::catch;
use skill_core::{Action, Caller, Hints};
use std::any::TypeId;

/// The guards and rules of a server. Without a guard, [`ConfirmDestructive`] applies.
#[derive(Default)]
pub struct GuardPolicy {
    guards: Vec<Box<dyn Guard>>,
    rules: Vec<Rule>,
}

/// A rule for one type of action.
struct Rule {
    action: TypeId,
    guard: Box<dyn Guard>,
}

/// The guard's decisions that apply to an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum GuardCheck {
    /// All decisions.
    #[default]
    Full,
    /// Only denials. The action is already approved, but the guard has not seen its arguments, or not recently.
    DenyOnly,
    /// No decisions, because the guard has already decided, or the approver has decided on arguments that the guard has seen.
    Skip,
}

/// The reason given when an action is denied because JSON cannot represent its arguments.
pub(crate) const UNWRITABLE: &str = "its arguments cannot be written as JSON";

/// The reason for denying an action because its caller's principal is empty.
const EMPTY_PRINCIPAL: &str = "the principal of its caller is empty, as from a variable that is not set; give `with_principal` the user, or leave it out";

impl GuardPolicy {
    /// Adds a guard. The first one replaces [`ConfirmDestructive`].
    pub fn add_guard(&mut self, guard: impl Guard) {
        self.guards.push(Box::new(guard));
    }

    /// Adds a rule for actions of type `A`.
    pub fn add_rule<A: Action>(&mut self, decide: impl Fn(&A) -> Decision + Send + Sync + 'static) {
        let guard = move |attempt: &Attempt<'_>| match attempt.of::<A>() {
            Some(action) => decide(action),
            None => Decision::Allow,
        };
        self.rules.push(Rule {
            action: TypeId::of::<A>(),
            guard: Box::new(guard),
        });
    }

    /// Returns whether the action may be denied or need approval: your program has set a guard or a rule, the default guard asks
    /// the approver, or the caller's principal is empty.
    pub fn applies_to(&self, caller: &Caller, hints: Hints) -> bool {
        self.is_custom() || ConfirmDestructive::asks(caller, hints) || has_empty_principal(caller)
    }

    /// Returns whether your program has set a guard or a rule.
    pub fn is_custom(&self) -> bool {
        !self.guards.is_empty() || !self.rules.is_empty()
    }

    /// Decides on an action. If a guard or rule panics, the action is denied.
    pub fn decide(&self, attempt: &Attempt<'_>) -> Decision {
        if has_empty_principal(&attempt.caller) {
            return Decision::Deny(EMPTY_PRINCIPAL.into());
        }
        let default: Option<&dyn Guard> = self.guards.is_empty().then_some(&ConfirmDestructive);
        let guards = self.guards.iter().map(|guard| &**guard);
        let kind = attempt.action.type_id();
        let rules = self.rules.iter().filter(|rule| rule.action == kind);
        let rules = rules.map(|rule| &*rule.guard);
        let mut strictest = Decision::Allow;
        for guard in default.into_iter().chain(guards).chain(rules) {
            match check(guard, attempt) {
                Decision::Allow => {}
                Decision::Ask => strictest = Decision::Ask,
                denied @ Decision::Deny(_) => return denied,
            }
        }
        if attempt.is_unwritable.get() {
            return Decision::Deny(UNWRITABLE.into());
        }
        strictest
    }
}

fn has_empty_principal(caller: &Caller) -> bool {
    caller.principal() == Some("")
}

fn check(guard: &dyn Guard, attempt: &Attempt<'_>) -> Decision {
    catch(|| guard.check(attempt)).unwrap_or_else(|message| {
        tracing::error!(action = attempt.tool.name, %message, "the guard panicked");
        Decision::Deny("the guard panicked".into())
    })
}
