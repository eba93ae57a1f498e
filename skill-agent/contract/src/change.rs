//! The changes between two contracts.

use serde::Serialize;
use std::fmt;

/// The message for a change without any effect.
pub(super) const REWRITTEN: &str = "written in another way, with the same meaning";

/// How severe a change is: its effect on callers, on senders of signals and on stored states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ChangeClass {
    /// Something that worked may now fail or have a different meaning.
    Breaking,
    /// Everything that worked still works, and something new does too.
    Additive,
    /// Only text for a model or a person changed.
    Text,
}

/// A change between two contracts. Displays its path and message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// How severe the change is.
    pub class: ChangeClass,
    /// The path in the contract, such as `tools.add.arguments.b`.
    pub path: String,
    /// The description of the difference, such as `now required`.
    pub message: String,
    /// The version that would have to be written, for a breaking change that no version accounts for.
    pub version_needed: Option<String>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// All changes between two contracts. Displays one line per change, by class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Changes {
    /// The changes, sorted by class and then by path.
    #[serde(rename = "changes")]
    pub list: Vec<Change>,
    /// The estimated size of the old tool list, in tokens: a quarter of its bytes.
    pub tool_tokens_before: usize,
    /// The estimated size of the new tool list, in tokens: a quarter of its bytes.
    pub tool_tokens_after: usize,
}

impl Changes {
    /// Returns whether a change is breaking and no version accounts for it.
    #[must_use]
    pub fn is_breaking(&self) -> bool {
        self.list
            .iter()
            .any(|change| change.version_needed.is_some())
    }

    /// Returns the versions that would account for the breaking changes, without duplicates.
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
