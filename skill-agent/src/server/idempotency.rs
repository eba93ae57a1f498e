//! Idempotency keys, and the outputs that are stored under them.

use crate::store::{ArgumentsHash, Keyed, Snapshot};
use skill_core::process;
use skill_core::{Agent, Caller};
use std::collections::{HashMap, VecDeque};
use std::fmt::Write;

/// The stored key of a call: its scope, the instance, the action, and the key that the caller gave it.
pub(crate) fn call_key(caller: &Caller, state_key: &str, action: &str, key: &str) -> String {
    joined(&["call", &scope(caller), state_key, action, key])
}

/// The stored key of a signal: its scope, source and id.
pub(crate) fn signal_key(caller: &Caller, source: &str, id: &str) -> String {
    joined(&["signal", &scope(caller), source, id])
}

/// The scope of a caller's keys. Foreign callers have scopes of their own, so that they neither read nor take a key of the
/// program or of another principal.
fn scope(caller: &Caller) -> String {
    if !caller.is_foreign() {
        return String::new();
    }
    let kind = format!("{:?}", caller.kind()).to_lowercase();
    match caller.principal() {
        Some(principal) => format!("{kind}/{principal}"),
        None => kind,
    }
}

/// Joins parts with their lengths, so that no two lists of parts give the same text.
fn joined(parts: &[&str]) -> String {
    let mut text = String::new();
    for part in parts {
        let _ = write!(text, "{}:{part}", part.len());
    }
    text
}

/// Translates the keys of earlier builds, which begin with `call` or `signal` and a line break, into keys of the program. Returns
/// the translated keys, and those that cannot be translated.
pub(crate) fn translate_keys<G: Agent>(stored: Vec<Keyed>) -> (Vec<Keyed>, Vec<String>) {
    let (mut kept, mut unknown) = (Vec::new(), Vec::new());
    for mut keyed in stored {
        let is_present = keyed.key.starts_with(|first: char| first.is_ascii_digit());
        if is_present {
            kept.push(keyed);
        } else if let Some(key) = translated::<G>(&keyed.key) {
            keyed.key = key;
            kept.push(keyed);
        } else {
            unknown.push(keyed.key);
        }
    }
    (kept, unknown)
}

fn translated<G: Agent>(key: &str) -> Option<String> {
    if let Some(signal) = key.strip_prefix("signal\n") {
        // A source or an id with a line break is ambiguous.
        let (source, id) = signal
            .split_once('\n')
            .filter(|(_, id)| !id.contains('\n'))?;
        return Some(signal_key(&Caller::Code, source, id));
    }
    let (path, key) = key.strip_prefix("call\n")?.split_once('\n')?;
    let (state_key, action) = action_at::<G>(path)?;
    Some(call_key(&Caller::Code, state_key, action, key))
}

/// The state key and name of the action at a path, or of the only action whose type has the same name, if it has moved. Keys of
/// earlier builds belong to the first instance of a skill.
fn action_at<G: Agent>(path: &str) -> Option<(&'static str, &'static str)> {
    let name_of = |path: &'static str| path.rsplit("::").next();
    let name = path.rsplit("::").next();
    for (index, skill) in process::skills::<G>().iter().enumerate() {
        if let Some(action) = skill.actions.iter().find(|action| action.type_path == path) {
            return Some((process::key::<G>(index), action.name));
        }
    }
    let mut found: Option<(&str, &'static str, &'static str)> = None;
    for (index, skill) in process::skills::<G>().iter().enumerate() {
        let named = skill.actions.iter();
        for action in named.filter(|action| name_of(action.type_path) == name) {
            match found {
                Some((path, ..)) if path != action.type_path => return None,
                Some(_) => {}
                None => found = Some((action.type_path, process::key::<G>(index), action.name)),
            }
        }
    }
    found.map(|(_, state_key, action)| (state_key, action))
}

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
    /// Repeated commands whose first call is still running.
    waiting: HashMap<String, Vec<W>>,
}

impl<W> RecentAnswers<W> {
    pub(crate) fn new(stored: Vec<Keyed>) -> Self {
        let mut recent = Self {
            answers: HashMap::new(),
            order: VecDeque::new(),
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
        if self.answers.insert(key.clone(), stored).is_none() {
            self.order.push_back(key);
        }
        if self.order.len() > Snapshot::RECENT
            && let Some(oldest) = self.order.pop_front()
        {
            self.answers.remove(&oldest);
        }
    }

    /// Removes the output of a command that was undone and may be repeated.
    pub(crate) fn remove(&mut self, key: &str) {
        if self.answers.remove(key).is_some() {
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
        self.order.iter().filter_map(keyed).collect()
    }
}
