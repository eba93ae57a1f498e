//! Tracks which documents and skills are active in a conversation, and since when.

use super::policy::{ActivationPeriod, Disclosure, SelectionPolicy};
use serde::{Deserialize, Serialize};

/// The maximum number of ended activations to remember.
const MAX_REMEMBERED: usize = 256;

/// The activations of one conversation: a plain value to keep with the conversation and to pass to each selection.
///
/// ```
/// use skill_agent::manifest::selection::{Activations, SelectionPolicy};
///
/// let mut activations = Activations::default();
/// activations.start_turn();
/// activations.activate("review", &SelectionPolicy::INDEX)?;
/// assert!(activations.is_active("review"));
/// assert!(activations.activate("plan", &SelectionPolicy::INDEX).is_err()); // one per request
///
/// let saved = serde_json::to_string(&activations)?;
/// let mut activations: Activations = serde_json::from_str(&saved)?;
/// activations.start_turn();
/// assert!(!activations.is_active("review")); // it lasted for one turn
/// assert_eq!(activations.turns_since_use("review"), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Activations {
    turn: u64,
    /// The activations, ordered by last activation, newest last.
    entries: Vec<Activation>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Activation {
    id: String,
    /// The turn of the last activation.
    turn: u64,
    /// The first turn after the end of the activation, or `None` if it lasts for the whole conversation.
    end: Option<u64>,
}

impl Activation {
    fn is_active(&self, turn: u64) -> bool {
        self.end.is_none_or(|end| turn < end)
    }
}

/// The error for a refused activation: the policy allows only one active id, and a different one is active.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{id}` is not activated: `{active}` is active, and one is allowed for each request")]
pub struct ActivationError {
    /// The id to activate.
    pub id: String,
    /// The id that is already active.
    pub active: String,
}

impl Activations {
    /// Starts the next turn, which is one request from the user. Ends the activations whose period is over.
    pub fn start_turn(&mut self) {
        self.turn = self.turn.saturating_add(1);
        let turn = self.turn;
        let ended = self
            .entries
            .iter()
            .filter(|entry| !entry.is_active(turn))
            .count();
        let mut forget = ended.saturating_sub(MAX_REMEMBERED);
        self.entries.retain(|entry| {
            let forgotten = forget > 0 && !entry.is_active(turn);
            forget -= usize::from(forgotten);
            !forgotten
        });
    }

    /// Activates a document or skill, or prolongs its activation, for the policy's period.
    ///
    /// # Errors
    /// Returns an error if a different document or skill is active and the policy is [`Disclosure::Index`], which allows only
    /// one. On failure, nothing changes.
    pub fn activate(&mut self, id: &str, policy: &SelectionPolicy) -> Result<(), ActivationError> {
        self.activate_among(id, policy, |_| true)
    }

    /// Like [`activate`](Self::activate), but ids that are no longer known do not block the activation.
    pub(crate) fn activate_among(
        &mut self,
        id: &str,
        policy: &SelectionPolicy,
        is_known: impl Fn(&str) -> bool,
    ) -> Result<(), ActivationError> {
        if let Some(active) = self.other_active(id, policy, is_known) {
            let (id, active) = (id.to_owned(), active.to_owned());
            return Err(ActivationError { id, active });
        }
        self.entries.retain(|entry| entry.id != id);
        let end = match policy.period {
            ActivationPeriod::Conversation => None,
            ActivationPeriod::Turns(turns) => Some(self.turn.saturating_add(turns.max(1).into())),
        };
        let (id, turn) = (id.to_owned(), self.turn);
        self.entries.push(Activation { id, turn, end });
        Ok(())
    }

    /// Returns an active id that blocks a new activation, if any.
    pub(super) fn other_active(
        &self,
        id: &str,
        policy: &SelectionPolicy,
        is_known: impl Fn(&str) -> bool,
    ) -> Option<&str> {
        let mut others = self
            .active()
            .filter(|active| *active != id && is_known(active));
        others
            .next()
            .filter(|_| policy.disclosure == Disclosure::Index)
    }

    /// Ends an activation. Returns whether the document or skill was active.
    pub fn deactivate(&mut self, id: &str) -> bool {
        let turn = self.turn;
        let mut active = self
            .entries
            .iter_mut()
            .filter(|entry| entry.is_active(turn));
        let found = active.find(|entry| entry.id == id);
        found.map(|entry| entry.end = Some(turn)).is_some()
    }

    /// Returns whether a document or skill is active in the current turn.
    #[must_use]
    pub fn is_active(&self, id: &str) -> bool {
        self.active().any(|active| active == id)
    }

    /// Returns the active ids in order of activation.
    pub fn active(&self) -> impl Iterator<Item = &str> {
        let active = self
            .entries
            .iter()
            .filter(|entry| entry.is_active(self.turn));
        active.map(|entry| &*entry.id)
    }

    /// Returns the number of turns that have begun.
    #[doc(hidden)]
    #[must_use]
    pub fn turns(&self) -> u64 {
        self.turn
    }

    /// Returns for how many turns an active id stays active, including the current one, or `None` if it stays active for the whole
    /// conversation or is not active.
    #[doc(hidden)]
    #[must_use]
    pub fn turns_left(&self, id: &str) -> Option<u32> {
        let mut active = self
            .entries
            .iter()
            .filter(|entry| entry.is_active(self.turn));
        let end = active.find(|entry| entry.id == id)?.end?;
        Some(u32::try_from(end - self.turn).unwrap_or(u32::MAX))
    }

    /// Returns how many turns ago an id was last activated. At least the last 256 ids are remembered.
    #[must_use]
    pub fn turns_since_use(&self, id: &str) -> Option<u64> {
        let entry = self.entries.iter().find(|entry| entry.id == id)?;
        Some(self.turn.saturating_sub(entry.turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_activation_lasts_as_long_as_its_policy_says() {
        let mut activations = Activations::default();
        let turns = |turns| SelectionPolicy::TIERS.period(ActivationPeriod::Turns(turns));
        activations.activate("two", &turns(2)).unwrap();
        activations.activate("zero", &turns(0)).unwrap();
        activations
            .activate("long", &SelectionPolicy::LAZY_TOOL)
            .unwrap();
        let active =
            |activations: &Activations| activations.active().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(active(&activations), ["two", "zero", "long"]);
        activations.start_turn();
        assert_eq!(active(&activations), ["two", "long"]);
        activations.activate("two", &turns(2)).unwrap(); // prolonged, and now the newest
        activations.start_turn();
        assert_eq!(active(&activations), ["long", "two"]);
        assert!(activations.deactivate("long") && !activations.deactivate("long"));
        activations.start_turn();
        assert_eq!(active(&activations), [] as [&str; 0]);
        assert_eq!(activations.turns_since_use("two"), Some(2));
        assert_eq!(activations.turns_since_use("never"), None);
    }

    #[test]
    fn what_ended_is_forgotten_beyond_a_bound() {
        let mut activations = Activations::default();
        activations
            .activate("kept", &SelectionPolicy::LAZY_TOOL)
            .unwrap();
        for number in 0..1_000 {
            activations
                .activate(&format!("id-{number}"), &SelectionPolicy::TIERS)
                .unwrap();
            activations.start_turn();
        }
        assert_eq!(activations.entries.len(), MAX_REMEMBERED + 1);
        assert!(activations.is_active("kept"));
        assert_eq!(activations.turns_since_use("id-999"), Some(1));
        assert_eq!(activations.turns_since_use("id-0"), None);
    }

    #[test]
    fn stored_numbers_cannot_overflow() {
        let text = r#"{"turn":18446744073709551615,"entries":[{"id":"a","turn":18446744073709551615,"end":null}]}"#;
        let mut activations: Activations = serde_json::from_str(text).unwrap();
        activations.activate("b", &SelectionPolicy::TIERS).unwrap();
        activations.start_turn();
        assert!(activations.is_active("a"));
    }
}
