//! The outputs that are stored under idempotency keys.

use super::decision::{APPROVAL_SECRET_KEY, is_decision};
use crate::store::{ArgumentsHash, Keyed, Snapshot};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// An output that is stored under a key.
struct StoredAnswer {
    answer: Vec<u8>,
    arguments: Option<ArgumentsHash>,
}

/// Whether a stored key stands for other arguments.
fn differ(stored: Option<ArgumentsHash>, present: Option<ArgumentsHash>) -> bool {
    match (stored, present) {
        (Some(stored), Some(present)) => {
            stored.schema == present.schema && stored.value != present.value
        }
        _ => false,
    }
}

/// Encoded outputs by the idempotency key of their command: the key of a `call_with_key`, or the source and id of a signal.
///
/// It holds as many as a snapshot does, and forgets the oldest first. `W` is a repeated command that waits.
pub(crate) struct RecentAnswers<W> {
    answers: HashMap<String, StoredAnswer>,
    order: VecDeque<String>,
    /// The keys of the decisions among the answers; the oldest request comes first.
    decisions: BTreeSet<String>,
    /// Repeated commands whose first call is still running.
    waiting: HashMap<String, Vec<W>>,
}

impl<W> RecentAnswers<W> {
    pub(crate) fn new(stored: Vec<Keyed>) -> Self {
        let mut recent = Self {
            answers: HashMap::new(),
            order: VecDeque::new(),
            decisions: BTreeSet::new(),
            waiting: HashMap::new(),
        };
        for keyed in stored {
            recent.insert(keyed);
        }
        recent
    }

    pub(crate) fn answer(&self, key: &str) -> Option<&[u8]> {
        self.answers.get(key).map(|stored| stored.answer.as_slice())
    }

    /// Whether the command that is stored under a key had other arguments.
    pub(crate) fn has_other_arguments(&self, key: &str, present: Option<ArgumentsHash>) -> bool {
        let stored = self.answers.get(key);
        stored.is_some_and(|stored| differ(stored.arguments, present))
    }

    pub(crate) fn insert(&mut self, keyed: Keyed) {
        let Keyed {
            key,
            answer,
            arguments,
        } = keyed;
        let stored = StoredAnswer { answer, arguments };
        if is_decision(&key) || key == APPROVAL_SECRET_KEY {
            return self.insert_decision(key, stored);
        }
        if self.answers.insert(key.clone(), stored).is_none() {
            self.order.push_back(key);
        }
        if self.order.len() > Snapshot::RECENT
            && let Some(oldest) = self.order.pop_front()
        {
            self.answers.remove(&oldest);
        }
    }

    /// Keeps a decision. Decisions are not forgotten for outputs, which foreign callers cause, but for those on later requests.
    fn insert_decision(&mut self, key: String, stored: StoredAnswer) {
        if key != APPROVAL_SECRET_KEY {
            self.decisions.insert(key.clone());
        }
        self.answers.insert(key, stored);
        if self.decisions.len() > Snapshot::RECENT
            && let Some(oldest) = self.decisions.pop_first()
        {
            self.answers.remove(&oldest);
        }
    }

    /// Whether the decision with that key may have been forgotten.
    pub(crate) fn may_be_forgotten(&self, decision: &str) -> bool {
        let oldest = self.decisions.first();
        self.decisions.len() >= Snapshot::RECENT
            && oldest.is_some_and(|oldest| decision < oldest.as_str())
    }

    /// Removes the output of a command that was undone and may be repeated.
    pub(crate) fn remove(&mut self, key: &str) {
        if self.answers.remove(key).is_some() && !self.decisions.remove(key) {
            self.order.retain(|other| other != key);
        }
    }

    /// Marks the command of a key as running; repeated ones wait for it.
    pub(crate) fn begin(&mut self, key: &str) {
        self.waiting.insert(key.to_owned(), Vec::new());
    }

    /// Whether the command of a key is running.
    pub(crate) fn is_running(&self, key: &str) -> bool {
        self.waiting.contains_key(key)
    }

    /// Adds a repeated command that waits for the running one.
    pub(crate) fn wait(&mut self, key: &str, repeated: W) {
        self.waiting
            .entry(key.to_owned())
            .or_default()
            .push(repeated);
    }

    /// Ends the running command, and returns the repeated ones that waited for it.
    pub(crate) fn end(&mut self, key: &str) -> Vec<W> {
        self.waiting.remove(key).unwrap_or_default()
    }

    /// All outputs, the oldest first.
    pub(crate) fn all(&self) -> Vec<Keyed> {
        let keyed = |key: &String| {
            let stored = self.answers.get(key)?;
            Some(Keyed {
                key: key.clone(),
                answer: stored.answer.clone(),
                arguments: stored.arguments,
            })
        };
        let secret = APPROVAL_SECRET_KEY.to_owned();
        let keys = std::iter::once(&secret).chain(&self.decisions);
        keys.chain(&self.order).filter_map(keyed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::idempotency::decision::decision_key;

    fn keyed(key: String) -> Keyed {
        Keyed {
            key,
            answer: vec![1],
            arguments: None,
        }
    }

    #[test]
    fn decisions_are_forgotten_for_later_ones_only_and_it_is_known_which() {
        let key = |number: usize| decision_key(&format!("{number:08}"));
        let mut recent = RecentAnswers::<()>::new(vec![keyed(APPROVAL_SECRET_KEY.to_owned())]);
        for number in 1..=Snapshot::RECENT {
            assert!(!recent.may_be_forgotten(&key(0)));
            recent.insert(keyed(key(number)));
        }
        assert!(recent.may_be_forgotten(&key(0)), "it would be the oldest");
        assert!(!recent.may_be_forgotten(&key(1)));
        assert!(!recent.may_be_forgotten(&key(Snapshot::RECENT + 1)));
        for number in 0..=Snapshot::RECENT {
            recent.insert(keyed(format!("output {number}")));
        }
        assert!(recent.answer("output 0").is_none());
        assert!(recent.answer("output 1").is_some());
        assert!(
            recent.answer(&key(1)).is_some(),
            "outputs forget no decision"
        );

        recent.insert(keyed(key(Snapshot::RECENT + 1)));
        assert!(recent.answer(&key(1)).is_none());
        assert!(recent.answer(&key(2)).is_some());
        assert!(recent.may_be_forgotten(&key(1)));
        let stored = recent.all();
        assert_eq!(stored.len(), 1 + 2 * Snapshot::RECENT);
        assert_eq!(stored[0].key, APPROVAL_SECRET_KEY);
    }
}
