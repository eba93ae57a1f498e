//! [`DataFlow`]: the combination of actions that could leak data.

use super::ActionOwner;
use crate::composition::ConstMessage;
use crate::spec::{AgentSpec, Hint, Hints};
use skill_agent_grammar::same;

/// Records one of the added actions of each kind that a leak needs: an action that reads sensitive data, one that reads untrusted
/// content (which may contain instructions for the model), and one that sends data out.
///
/// An agent with all three needs `allow_data_flow: "reason"`.
///
/// ```
/// use skill_core::policy::{ActionOwner, DataFlow};
/// use skill_core::spec::{AgentSpec, Hint};
/// use skill_core::Hints;
///
/// let mail = ActionOwner::source("mail");
/// let mut flow = DataFlow::new();
/// flow.add(mail, "inbox", Hints::NONE.reads_sensitive().reads_untrusted());
/// assert!(!flow.is_complete());
/// flow.add(mail, "send", Hints::NONE.sends_out());
/// assert_eq!(flow.get(Hint::SendsOut).unwrap().action, "send");
/// assert_eq!(
///     flow.check(&AgentSpec::new("clerk")).unwrap_err().to_string(),
///     "data can leak from the agent `clerk`: `inbox` of the source `mail` reads sensitive data and untrusted content, and `send` of \
///      the source `mail` sends data out; remove one of them, or write `allow_data_flow: \"reason\"` in `agent!`",
/// );
/// assert!(flow.check(&AgentSpec::new("clerk").allow_data_flow("a person sends")).is_ok());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DataFlow<'a> {
    sensitive: Option<FlowAction<'a>>,
    untrusted: Option<FlowAction<'a>>,
    out: Option<FlowAction<'a>>,
}

/// An action in a [`DataFlow`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FlowAction<'a> {
    /// The action's name.
    pub action: &'a str,
    /// The action's owner.
    pub owner: ActionOwner<'a>,
}

impl<'a> DataFlow<'a> {
    /// Creates a data flow without actions.
    pub const fn new() -> Self {
        Self {
            sensitive: None,
            untrusted: None,
            out: None,
        }
    }

    /// Adds an action with its hints. Only the first action of each kind is kept.
    pub const fn add(&mut self, owner: ActionOwner<'a>, action: &'a str, hints: Hints) {
        let entry = Some(FlowAction { action, owner });
        if hints.reads_sensitive && self.sensitive.is_none() {
            self.sensitive = entry;
        }
        if hints.reads_untrusted && self.untrusted.is_none() {
            self.untrusted = entry;
        }
        if hints.sends_out && self.out.is_none() {
            self.out = entry;
        }
    }

    /// Returns the first action of a kind. Returns `None` if there is no such action, or if the hint does not describe the data
    /// flow.
    pub const fn get(&self, kind: Hint) -> Option<FlowAction<'a>> {
        match kind {
            Hint::ReadsSensitive => self.sensitive,
            Hint::ReadsUntrusted => self.untrusted,
            Hint::SendsOut => self.out,
            Hint::Destructive | Hint::OpenWorld => None,
        }
    }

    /// Returns the kinds that have an action.
    pub fn kinds(&self) -> impl Iterator<Item = Hint> {
        let flow = *self;
        let kinds = Hint::DATA.into_iter();
        kinds.filter(move |kind| flow.get(*kind).is_some())
    }

    /// Returns whether there is an action of each kind.
    pub const fn is_complete(&self) -> bool {
        self.sensitive.is_some() && self.untrusted.is_some() && self.out.is_some()
    }

    /// Checks that the flow is incomplete, or that the agent allows it. If the agent forbids one of the kinds, this check passes,
    /// because [`AgentSpec::forbidden`] already refuses the action of that kind.
    ///
    /// # Errors
    /// Fails if there is an action of each kind, and the agent does not allow it.
    pub fn check(&self, agent: &AgentSpec) -> Result<(), DataFlowError> {
        if !self.is_refused_by(agent) {
            return Ok(());
        }
        let text = self.text(ConstMessage::new(), agent);
        let name = |kind| self.get(kind).map_or("", |found| found.action).to_owned();
        Err(DataFlowError {
            actions: Hint::DATA.map(name).into(),
            text: text.as_str().to_owned(),
        })
    }

    /// Like [`check`](Self::check), for const evaluation.
    pub(crate) const fn is_refused_by(&self, agent: &AgentSpec) -> bool {
        self.is_complete() && agent.allow_data_flow.is_none() && excluded_by(agent).is_none()
    }

    /// Appends the error message.
    pub(crate) const fn text(&self, message: ConstMessage, agent: &AgentSpec) -> ConstMessage {
        let message = message.also("data can leak from the agent `{}`: ", &[agent.name]);
        let message = self.push_actions(message);
        message.push(&["; remove one of them, or write `allow_data_flow: \"reason\"` in `agent!`"])
    }

    /// Returns the message about the actions in a complete data flow. Other owners of tools use this message in their errors.
    #[doc(hidden)]
    pub fn actions_text(&self) -> String {
        self.push_actions(ConstMessage::new()).as_str().to_owned()
    }

    /// Appends each action with its kind.
    const fn push_actions(&self, message: ConstMessage) -> ConstMessage {
        let message = push_action(message, self.sensitive).push(&[" reads sensitive data"]);
        let message = if is_same(self.sensitive, self.untrusted) {
            message.push(&[" and untrusted content"])
        } else {
            push_action(message.push(&[", "]), self.untrusted).push(&[" reads untrusted content"])
        };
        push_action(message.push(&[", and "]), self.out).push(&[" sends data out"])
    }
}

const fn push_action(message: ConstMessage, action: Option<FlowAction<'_>>) -> ConstMessage {
    match action {
        Some(FlowAction { action, owner }) => {
            message.push(&["`", action, "` of "]).push(&owner.text())
        }
        None => message,
    }
}

const fn is_same(one: Option<FlowAction<'_>>, other: Option<FlowAction<'_>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => {
            let (owner, other_owner) = (one.owner.text(), other.owner.text());
            same(one.action, other.action)
                && same(owner[0], other_owner[0])
                && same(owner[1], other_owner[1])
        }
        _ => false,
    }
}

/// Returns the hint in the agent's `forbid` that rules out a complete data flow.
pub(crate) const fn excluded_by(agent: &AgentSpec) -> Option<Hint> {
    let mut h = 0;
    while h < agent.forbid.len() {
        match agent.forbid[h] {
            Hint::Destructive => {}
            // every action that sends data out is open-world
            hint => return Some(hint),
        }
        h += 1;
    }
    None
}

/// The error for an agent that has an action of each kind in a [`DataFlow`] and does not allow it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
#[non_exhaustive]
pub struct DataFlowError {
    /// The actions' names, in the order of [`Hint::DATA`].
    pub actions: Vec<String>,
    text: String,
}
