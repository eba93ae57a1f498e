//! The rules of a selection.

use serde::{Deserialize, Serialize};

/// How documents and skills are disclosed to a model.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disclosure {
    /// One tool lists all of them, and the model loads the one that it needs. The request does not matter, so the prompt stays
    /// the same.
    LazyTool,
    /// The request decides: nothing, how many there are, their names, or the full text of the matches.
    Tiers,
    /// An index is listed, and a request gets the full text of the one that it names, exactly, and of no second one.
    Index,
}

/// How long an activation lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActivationPeriod {
    /// Until it is deactivated.
    Conversation,
    /// For this many turns, the present one included. 0 is as 1.
    Turns(u32),
}

/// The rules of a [selection](super::Selector::select): one of the constants, with changes.
///
/// A literal of the struct is E0639, also with `..SelectionPolicy::TIERS`: a policy may get further rules. Each field has a function:
///
/// ```
/// use skill_agent::manifest::selection::SelectionPolicy;
///
/// const POLICY: SelectionPolicy = SelectionPolicy::TIERS.max_skills(1).budget(2_000);
/// assert_eq!((POLICY.max_skills, POLICY.budget), (1, 2_000));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelectionPolicy {
    /// How documents and skills are disclosed.
    pub disclosure: Disclosure,
    /// The most matches that get their full text. Pinned and active candidates do not count.
    pub max_skills: usize,
    /// The most full texts for a request that asks for all. Pinned and active candidates do not count.
    pub max_all: usize,
    /// The most [tokens](super::tokens) of the selected texts together.
    pub budget: usize,
    /// Whether candidates without triggers are compared with the request by their names and descriptions.
    pub match_descriptions: bool,
    /// How long an activation lasts.
    pub period: ActivationPeriod,
}

impl SelectionPolicy {
    /// One tool lists the documents. An activation lasts for the conversation, since the text stays in it.
    pub const LAZY_TOOL: Self = Self {
        disclosure: Disclosure::LazyTool,
        max_skills: 3,
        max_all: 10,
        budget: 8_000,
        match_descriptions: false,
        period: ActivationPeriod::Conversation,
    };

    /// Four tiers, by the triggers. An activation lasts for one turn.
    pub const TIERS: Self = Self {
        disclosure: Disclosure::Tiers,
        period: ActivationPeriod::Turns(1),
        ..Self::LAZY_TOOL
    };

    /// At most one, by its exact name. An activation lasts for one turn.
    pub const INDEX: Self = Self {
        disclosure: Disclosure::Index,
        max_skills: 1,
        ..Self::TIERS
    };

    /// Sets the most matches that get their full text.
    #[must_use]
    pub const fn max_skills(mut self, max_skills: usize) -> Self {
        self.max_skills = max_skills;
        self
    }

    /// Sets the most full texts for a request that asks for all.
    #[must_use]
    pub const fn max_all(mut self, max_all: usize) -> Self {
        self.max_all = max_all;
        self
    }

    /// Sets the most [tokens](super::tokens) of the selected texts together.
    #[must_use]
    pub const fn budget(mut self, tokens: usize) -> Self {
        self.budget = tokens;
        self
    }

    /// Sets whether candidates without triggers are compared with the request by their names and descriptions.
    #[must_use]
    pub const fn match_descriptions(mut self, match_descriptions: bool) -> Self {
        self.match_descriptions = match_descriptions;
        self
    }

    /// Sets how long an activation lasts.
    #[must_use]
    pub const fn period(mut self, period: ActivationPeriod) -> Self {
        self.period = period;
        self
    }
}
