//! The result of a selection.

use super::candidate::Candidate;
use super::triggers::TriggerMatch;
use crate::escape;
use serde::Serialize;
use std::fmt;

/// The most characters of a match in an explanation.
const MAX_MATCH_LENGTH: usize = 120;

/// How much a model is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Tier 0: nothing, since there is nothing to select from.
    Nothing,
    /// Tier 1: how many there are.
    Breadcrumb,
    /// Tier 2: names and brief descriptions.
    Registry,
    /// Tier 3: full texts.
    Full,
}

impl Tier {
    /// Returns the number of the tier.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// The candidates that a model is shown for one request, and why the others are not.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct Selection<'a> {
    /// How much the request gets. By [`Disclosure::Tiers`](super::Disclosure::Tiers), pinned and active candidates have their full
    /// texts in addition.
    pub tier: Tier,
    /// The number of candidates that a model may know of.
    pub total: usize,
    /// The selected candidates, in the order in which they are shown.
    pub items: Vec<SelectedItem<'a>>,
    /// The most tokens of all texts together.
    pub budget: usize,
    /// The other candidates, in the order of the selector, each with the reason.
    pub left_out: Vec<LeftOut<'a>>,
}

/// A selected candidate.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct SelectedItem<'a> {
    /// The candidate.
    pub candidate: &'a Candidate,
    /// [`Tier::Registry`] or [`Tier::Full`].
    pub tier: Tier,
    /// Whether its brief description is shown in a list, and not its name alone.
    pub has_description: bool,
    /// Why it is selected.
    pub reason: SelectionReason,
    /// The parts of the request that matched it, the strongest first.
    pub matches: Vec<TriggerMatch<'a>>,
}

/// Why a candidate is selected.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SelectionReason {
    /// It is pinned.
    Pinned,
    /// It was activated, and that has not ended.
    Active,
    /// A trigger matches, or the request names it: see [`SelectedItem::matches`].
    Matched,
    /// Its name and description have terms in common with the request.
    Described {
        /// The sum of the weights of these terms; comparable within one selection only.
        score: f32,
    },
    /// The request asks for it by its exact id.
    Requested,
    /// The request asks for the full texts of all.
    AllRequested,
    /// It is in the list.
    Listed,
}

/// A candidate that is not selected.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut<'a> {
    /// The candidate.
    pub candidate: &'a Candidate,
    /// Why it is left out.
    pub reason: LeftOutReason<'a>,
    /// The parts of the request that matched it nevertheless, the strongest first.
    pub matches: Vec<TriggerMatch<'a>>,
}

/// Why a candidate is not selected.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutReason<'a> {
    /// Nothing of the request matches it.
    NoMatch,
    /// It is shown only if the request names it.
    Manual,
    /// Others rank higher, and no more than so many are selected.
    OverCount {
        /// The maximum number.
        max: usize,
    },
    /// Its text does not fit into what the higher ones leave of the budget.
    OverBudget {
        /// The tokens of its text.
        tokens: usize,
        /// The tokens that are left.
        left: usize,
    },
    /// Another one is active, and the policy allows one for each request.
    OtherActive {
        /// The id of the active one.
        active: &'a str,
    },
}

impl Selection<'_> {
    /// Whether the request gets a list, or all full texts, and not only what matches it.
    pub(crate) fn is_of_all(&self) -> bool {
        let of_all = |item: &SelectedItem<'_>| {
            matches!(
                item.reason,
                SelectionReason::Listed | SelectionReason::AllRequested
            )
        };
        self.items.iter().any(of_all)
    }
}

impl fmt::Display for SelectionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pinned => f.write_str("pinned"),
            Self::Active => f.write_str("active"),
            Self::Matched => f.write_str("matched"),
            Self::Described { score } => write!(f, "described, score {score:.1}"),
            Self::Requested => f.write_str("requested by its id"),
            Self::AllRequested => f.write_str("all are requested"),
            Self::Listed => f.write_str("listed"),
        }
    }
}

impl fmt::Display for LeftOutReason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMatch => f.write_str("no match"),
            Self::Manual => f.write_str("manual: shown only if the request names it"),
            Self::OverCount { max } => {
                write!(f, "others rank higher, and at most {max} are selected")
            }
            Self::OverBudget { tokens, left } => {
                write!(
                    f,
                    "it has {tokens} tokens, and {left} are left of the budget"
                )
            }
            Self::OtherActive { active } => {
                write!(
                    f,
                    "`{active}` is active, and one is allowed for each request"
                )
            }
        }
    }
}

impl fmt::Display for TriggerMatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mention => f.write_str("named by the request"),
            Self::Phrase(phrase) => write!(f, "phrase `{phrase}`"),
            Self::Keyword(keyword) => write!(f, "keyword `{keyword}`"),
            Self::Verb(verb) => write!(f, "verb `{verb}`"),
            Self::Pattern(pattern) => write!(f, "pattern `{pattern}`"),
            Self::Path { glob, path } => write!(f, "path `{path}` by `{glob}`"),
        }
    }
}

/// Explains the selection to a person: its tier, then a line for each candidate that is shown, and one for each that is not.
impl fmt::Display for Selection<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let meaning = match self.tier {
            Tier::Nothing => "nothing to select from",
            Tier::Breadcrumb => "only how many there are",
            Tier::Registry => "names and brief descriptions",
            Tier::Full => "full texts",
        };
        writeln!(f, "tier {}: {meaning}", self.tier.number())?;
        for item in &self.items {
            let id = escape::name(&item.candidate.id);
            write!(f, "+ {id}: {}", item.reason)?;
            write_matches(f, &item.matches)?;
            if item.tier == Tier::Full {
                write!(f, ", {} tokens", item.candidate.tokens())?;
            }
            writeln!(f)?;
        }
        for item in &self.left_out {
            let id = escape::name(&item.candidate.id);
            write!(f, "- {id}: {}", item.reason)?;
            write_matches(f, &item.matches)?;
            writeln!(f)?;
        }
        Ok(())
    }
}

fn write_matches(f: &mut fmt::Formatter<'_>, matches: &[TriggerMatch<'_>]) -> fmt::Result {
    for (index, found) in matches.iter().enumerate() {
        let text = escape::line(&found.to_string(), MAX_MATCH_LENGTH);
        let separator = if index == 0 { " (" } else { ", " };
        write!(f, "{separator}{text}")?;
    }
    f.write_str(if matches.is_empty() { "" } else { ")" })
}
