//! The answers that are kept for commands that come again.

use super::owner::Work;
use crate::store::{Keyed, Snapshot};
use skill_core::Agent;
use std::collections::{HashMap, VecDeque};

/// Answers by the key of the command: a `call_with_key`, or a signal with a source and an id of its own. As many as a
/// snapshot holds; the oldest is forgotten first.
pub(crate) struct Recent<G: Agent> {
    answers: HashMap<String, Vec<u8>>,
    order: VecDeque<String>,
    /// Commands that came again while the first was still at work.
    waiting: HashMap<String, Vec<Work<G>>>,
}

impl<G: Agent> Recent<G> {
    pub(crate) fn new(kept: Vec<Keyed>) -> Self {
        let mut recent = Self {
            answers: HashMap::new(),
            order: VecDeque::new(),
            waiting: HashMap::new(),
        };
        for Keyed { key, answer } in kept {
            recent.keep(key, answer);
        }
        recent
    }

    pub(crate) fn answer(&self, key: &str) -> Option<&[u8]> {
        self.answers.get(key).map(Vec::as_slice)
    }

    pub(crate) fn keep(&mut self, key: String, answer: Vec<u8>) {
        if self.answers.insert(key.clone(), answer).is_none() {
            self.order.push_back(key);
        }
        if self.order.len() > Snapshot::RECENT
            && let Some(oldest) = self.order.pop_front()
        {
            self.answers.remove(&oldest);
        }
    }

    /// The command was undone: it may come again.
    pub(crate) fn forget(&mut self, key: &str) {
        if self.answers.remove(key).is_some() {
            self.order.retain(|other| other != key);
        }
    }

    /// Begins a command that takes its time; one that comes again waits for it.
    pub(crate) fn begin(&mut self, key: &str) {
        self.waiting.insert(key.to_owned(), Vec::new());
    }

    /// Whether the command of a key is at work.
    pub(crate) fn is_at_work(&self, key: &str) -> bool {
        self.waiting.contains_key(key)
    }

    /// Waits for its end.
    pub(crate) fn wait(&mut self, key: &str, work: Work<G>) {
        self.waiting.entry(key.to_owned()).or_default().push(work);
    }

    /// Ends it: what waited can go on.
    pub(crate) fn end(&mut self, key: &str) -> Vec<Work<G>> {
        self.waiting.remove(key).unwrap_or_default()
    }

    /// All answers, oldest first.
    pub(crate) fn all(&self) -> Vec<Keyed> {
        let answer = |key: &String| {
            let answer = self.answers.get(key)?.clone();
            Some(Keyed {
                key: key.clone(),
                answer,
            })
        };
        self.order.iter().filter_map(answer).collect()
    }
}
