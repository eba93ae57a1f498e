//! The result of a selection.

use super::candidate::Candidate;
use super::triggers::TriggerMatch;
use crate::escape;
use serde::Serialize;
use std::fmt;

/// The maximum number of characters to show of a match in an explanation.
const MAX_MATCH_LENGTH: usize = 120;

/// How much a selection shows to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Tier 0: nothing, because there are no candidates to show.
    Nothing,
    /// Tier 1: the number of candidates.
    Breadcrumb,
    /// Tier 2: names and brief descriptions.
    Registry,
    /// Tier 3: full texts.
    Full,
}

impl Tier {
    /// Returns the tier's number, from 0 to 3.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// The candidates to show to a model for one request, and why the others are not shown.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct Selection<'a> {
    /// The tier of the request. With [`Disclosure::Tiers`](super::Disclosure::Tiers), pinned and active candidates are shown in
    /// full in every tier, as far as they fit into the budget.
    pub tier: Tier,
    /// The number of candidates that the model may know about.
    pub total: usize,
    /// The selected candidates, in display order.
    pub items: Vec<SelectedItem<'a>>,
    /// The maximum number of tokens in all shown text.
    pub budget: usize,
    /// The candidates that are not shown, with the reasons, in the selector's order.
    pub left_out: Vec<LeftOut<'a>>,
    /// The first path in the request that cannot match any glob because of its form.
    pub(super) path_of_another_form: Option<String>,
}

/// A selected candidate.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct SelectedItem<'a> {
    /// The candidate, borrowed from the selector.
    pub candidate: &'a Candidate,
    /// [`Tier::Registry`] or [`Tier::Full`].
    pub tier: Tier,
    /// Whether a list shows the brief description after the name.
    pub has_description: bool,
    /// The reason for the selection.
    pub reason: SelectionReason,
    /// The matching parts of the request, strongest first.
    pub matches: Vec<TriggerMatch<'a>>,
}

/// Why a candidate is selected.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SelectionReason {
    /// The candidate is pinned.
    Pinned,
    /// The candidate is active.
    Active,
    /// A trigger matches, or the request names the candidate. See [`SelectedItem::matches`].
    Matched,
    /// The candidate's name and description share terms with the request.
    Described {
        /// The sum of these terms' weights, comparable only within one selection.
        score: f32,
    },
    /// The request is the candidate's exact id.
    Requested,
    /// The request asks to show all candidates in full.
    AllRequested,
    /// The candidate is listed.
    Listed,
}

/// A candidate that is not selected.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut<'a> {
    /// The candidate, borrowed from the selector.
    pub candidate: &'a Candidate,
    /// Why the candidate is not selected.
    pub reason: LeftOutReason<'a>,
    /// The matching parts of the request, strongest first.
    pub matches: Vec<TriggerMatch<'a>>,
}

/// Why a candidate is not selected.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutReason<'a> {
    /// Nothing in the request matches the candidate.
    NoMatch,
    /// The candidate is shown only if the request names it.
    Manual,
    /// Candidates with higher ranks already reach the maximum number.
    OverCount {
        /// The maximum number of selected candidates.
        max: usize,
    },
    /// The candidate's text does not fit into the budget that candidates with higher ranks leave.
    OverBudget {
        /// The size of the candidate's text, in tokens.
        tokens: usize,
        /// The budget left, in tokens.
        left: usize,
    },
    /// A different candidate is active, and the policy allows only one active candidate.
    OtherActive {
        /// The id of the active candidate.
        active: &'a str,
    },
}

impl Selection<'_> {
    /// Returns whether the selection is a list, or all candidates in full, rather than only matches.
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

/// Explains the selection to a person: the tier, and one line for each candidate, shown or not.
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
            if let Some(path) = &self.path_of_another_form
                && item.reason == LeftOutReason::NoMatch
                && !item.candidate.triggers.paths.is_empty()
            {
                let path = escape::line(path, MAX_MATCH_LENGTH);
                write!(
                    f,
                    "; its globs match paths relative to the project, written like `src/main.rs`, and `{path}` is not one"
                )?;
            }
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
