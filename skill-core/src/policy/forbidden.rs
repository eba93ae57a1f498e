//! Actions with hints that an agent forbids.

use super::ActionOwner;
use crate::composition::ConstMessage;
use crate::spec::{AgentSpec, Hint, Hints};

impl AgentSpec {
    /// Returns whether the agent forbids one of the hints.
    pub const fn forbids(&self, hints: Hints) -> bool {
        let mut h = 0;
        while h < self.forbid.len() {
            if hints.has(self.forbid[h]) {
                return true;
            }
            h += 1;
        }
        false
    }

    /// Checks one owner's actions, each given as a name and hints. Returns the forbidden ones, with the same message as the
    /// compile error for such a skill, or `None` if the agent forbids none.
    ///
    /// ```
    /// use skill_core::policy::ActionOwner;
    /// use skill_core::spec::{AgentSpec, Hint};
    /// use skill_core::Hints;
    ///
    /// const CLERK: AgentSpec = AgentSpec::new("clerk").forbid(&[Hint::Destructive]);
    /// let tools = [("search", Hints::NONE.open_world()), ("delete", Hints::NONE.destructive())];
    /// let found = CLERK.forbidden(ActionOwner::source("files"), tools).unwrap();
    /// assert_eq!(found.actions.len(), 1);
    /// assert_eq!(
    ///     found.to_string(),
    ///     "the agent `clerk` forbids actions of the source `files`: `delete` (`destructive`); \
    ///      remove the tool, or take `destructive` out of `forbid: [...]`",
    /// );
    /// ```
    pub fn forbidden<'a>(
        &self,
        owner: ActionOwner<'_>,
        actions: impl IntoIterator<Item = (&'a str, Hints)>,
    ) -> Option<ForbiddenActions> {
        let mut found = Vec::new();
        let mut text = ForbiddenText::new(ConstMessage::new(), owner);
        for (name, hints) in actions
            .into_iter()
            .filter(|(_, hints)| self.forbids(*hints))
        {
            text = text.action(self, name, hints);
            let forbidden = self.forbid.iter().copied();
            found.push(ForbiddenAction {
                name: name.to_owned(),
                hints: forbidden.filter(|hint| hints.has(*hint)).collect(),
            });
        }
        (!found.is_empty()).then(|| ForbiddenActions {
            actions: found,
            text: text.finish(self).as_str().to_owned(),
        })
    }
}

/// An owner's actions that an agent forbids.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
#[non_exhaustive]
pub struct ForbiddenActions {
    /// The forbidden actions, at least one.
    pub actions: Vec<ForbiddenAction>,
    text: String,
}

/// An action that an agent forbids.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ForbiddenAction {
    /// The action's name.
    pub name: String,
    /// The action's hints that the agent forbids.
    pub hints: Vec<Hint>,
}

/// The message about an owner's forbidden actions. Usable in const evaluation.
pub(crate) struct ForbiddenText<'a> {
    message: ConstMessage,
    owner: ActionOwner<'a>,
    /// The hints of all actions so far.
    hints: Hints,
    is_empty: bool,
}

impl<'a> ForbiddenText<'a> {
    /// Starts the message after the clashes in `message`.
    pub(crate) const fn new(message: ConstMessage, owner: ActionOwner<'a>) -> Self {
        Self {
            message,
            owner,
            hints: Hints::NONE,
            is_empty: true,
        }
    }

    /// Appends an action that the agent forbids.
    pub(crate) const fn action(mut self, agent: &AgentSpec, name: &str, hints: Hints) -> Self {
        let message = if self.is_empty {
            let start = ["the agent `", agent.name, "` forbids actions of "];
            self.message
                .separate()
                .push(&start)
                .push(&self.owner.possessor())
                .push(&[": "])
        } else {
            self.message.push(&[", "])
        };
        let message = message.push(&["`", name, "` ("]);
        self.message = push_forbidden(message, agent, hints).push(&[")"]);
        self.hints = union(self.hints, hints);
        self.is_empty = false;
        self
    }

    /// Appends a suggested fix.
    pub(crate) const fn finish(self, agent: &AgentSpec) -> ConstMessage {
        let instead = ["; remove ", self.owner.removable(), ", or take "];
        let message = self.message.push(&instead);
        push_forbidden(message, agent, self.hints).push(&[" out of `forbid: [...]`"])
    }
}

/// Appends the names of the hints that the agent forbids.
const fn push_forbidden(
    mut message: ConstMessage,
    agent: &AgentSpec,
    hints: Hints,
) -> ConstMessage {
    let mut separator = "";
    let mut h = 0;
    while h < agent.forbid.len() {
        let hint = agent.forbid[h];
        if hints.has(hint) {
            message = message.push(&[separator, "`", hint.name(), "`"]);
            separator = ", ";
        }
        h += 1;
    }
    message
}

const fn union(one: Hints, other: Hints) -> Hints {
    Hints {
        read_only: one.read_only || other.read_only,
        destructive: one.destructive || other.destructive,
        idempotent: one.idempotent || other.idempotent,
        open_world: one.open_world || other.open_world,
        reads_sensitive: one.reads_sensitive || other.reads_sensitive,
        reads_untrusted: one.reads_untrusted || other.reads_untrusted,
        sends_out: one.sends_out || other.sends_out,
    }
}
