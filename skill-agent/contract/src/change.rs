//! The changes between two contracts.

use serde::Serialize;
use std::fmt;

/// The message of a change that changes nothing for anyone.
pub(super) const REWRITTEN: &str = "written in another way, with the same meaning";

/// The class of a change: its effect on callers, senders of signals and stored states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ChangeClass {
    /// A use that worked may fail, or mean something else.
    Breaking,
    /// Every use that worked still works, and more do.
    Additive,
    /// Only a text for a model or a person has changed.
    Text,
}

/// One change between two contracts. Displays as its path and what happened there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// Its class.
    pub class: ChangeClass,
    /// The place in the contract, such as `tools.add.arguments.b`.
    pub path: String,
    /// The difference, such as `now required`.
    pub message: String,
    /// For a breaking change that no version accounts for: the version to write.
    pub version_needed: Option<String>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// The changes between two contracts. Displays with a line for each change, by class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Changes {
    /// The changes, by class and then by path.
    #[serde(rename = "changes")]
    pub list: Vec<Change>,
    /// The estimated tokens of the list of tools before: a quarter of its bytes.
    pub tool_tokens_before: usize,
    /// The estimated tokens of the list of tools after.
    pub tool_tokens_after: usize,
}

impl Changes {
    /// Whether there is a breaking change that no version accounts for.
    #[must_use]
    pub fn is_breaking(&self) -> bool {
        self.list
            .iter()
            .any(|change| change.version_needed.is_some())
    }

    /// The versions to write before the breaking changes are in order, each once.
    pub fn versions_needed(&self) -> impl Iterator<Item = &str> {
        let needed = |change: &Change| change.version_needed.clone();
        let repeated = move |index: usize| {
            let needed = needed(&self.list[index]);
            self.list[..index]
                .iter()
                .any(|change| change.version_needed == needed)
        };
        let list = self.list.iter().enumerate();
        list.filter(move |(index, _)| !repeated(*index))
            .filter_map(|(_, change)| change.version_needed.as_deref())
    }

    fn of(&self, class: ChangeClass) -> impl Iterator<Item = &Change> {
        self.list.iter().filter(move |change| change.class == class)
    }
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let accepted = |change: &Change| change.version_needed.is_none();
        let (raised, breaking): (Vec<_>, Vec<_>) = self
            .of(ChangeClass::Breaking)
            .partition(|change| accepted(change));
        let texts = format!(
            "text only (the list of tools has about {} tokens, before {})",
            self.tool_tokens_after, self.tool_tokens_before
        );
        let groups = [
            ("breaking", breaking),
            ("breaking, with the version raised", raised),
            ("additive", self.of(ChangeClass::Additive).collect()),
            (&texts, self.of(ChangeClass::Text).collect()),
        ];
        let mut is_first = true;
        for (heading, changes) in groups {
            if changes.is_empty() {
                continue;
            }
            let line_break = if is_first { "" } else { "\n" };
            is_first = false;
            write!(f, "{line_break}{heading}:")?;
            for change in changes {
                write!(f, "\n  {change}")?;
            }
        }
        Ok(())
    }
}
