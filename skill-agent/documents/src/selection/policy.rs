//! The rules of a selection.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How documents and skills are disclosed to a model.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disclosure {
    /// One tool lists the candidates, and the model loads the texts that it needs. The prompt does not depend on the request.
    LazyTool,
    /// The request decides whether the model sees nothing, a count, names, or the matches in full.
    Tiers,
    /// The model sees an index. If a request is exactly one id, the model gets the full text for that id and nothing else.
    Index,
}

/// How long an activation lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActivationPeriod {
    /// Until it is ended with [`Activations::deactivate`](super::Activations::deactivate).
    Conversation,
    /// For this many turns, including the current one. 0 means 1.
    Turns(u32),
}

/// The rules of a [selection](super::Selector::select). Start from a constant and change fields.
///
/// More rules may be added, so a struct literal does not compile (E0639), not even with `..SelectionPolicy::TIERS`. Each field
/// has a setter:
///
/// ```
/// use skill_agent::manifest::selection::SelectionPolicy;
///
/// const POLICY: SelectionPolicy = SelectionPolicy::TIERS.max_skills(1).budget(2_000);
/// assert_eq!((POLICY.max_skills, POLICY.budget), (1, 2_000));
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelectionPolicy {
    /// How documents and skills are disclosed.
    pub disclosure: Disclosure,
    /// The maximum number of matching candidates to show in full. Pinned and active candidates do not count toward it.
    pub max_skills: usize,
    /// The maximum number of candidates to show in full for a request that asks for all of them. Pinned and active candidates do
    /// not count toward it.
    pub max_all: usize,
    /// The maximum number of [tokens](super::tokens) in all selected text.
    pub budget: usize,
    /// Whether to match the names and descriptions of candidates without triggers.
    pub match_descriptions: bool,
    /// How long an activation lasts.
    pub period: ActivationPeriod,
    /// Phrases that ask which skills there are, in addition to the English ones.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub questions: Cow<'static, [Cow<'static, str>]>,
}

impl SelectionPolicy {
    /// One tool lists the documents. An activation lasts for the entire conversation, because the text stays in it.
    pub const LAZY_TOOL: Self = Self {
        disclosure: Disclosure::LazyTool,
        max_skills: 3,
        max_all: 10,
        budget: 8_000,
        match_descriptions: false,
        period: ActivationPeriod::Conversation,
        questions: Cow::Borrowed(&[]),
    };

    /// Four tiers, chosen by triggers. An activation lasts for one turn.
    pub const TIERS: Self = Self {
        disclosure: Disclosure::Tiers,
        period: ActivationPeriod::Turns(1),
        ..Self::LAZY_TOOL
    };

    /// At most one document or skill, selected by its exact id. An activation lasts for one turn.
    pub const INDEX: Self = Self {
        disclosure: Disclosure::Index,
        max_skills: 1,
        ..Self::TIERS
    };

    skill_core::setters! {
        /// Sets the maximum number of matching candidates to show in full.
        pub const fn max_skills(max_skills: usize) { max_skills = max_skills }

        /// Sets the maximum number of candidates to show in full for a request that asks for all of them.
        pub const fn max_all(max_all: usize) { max_all = max_all }

        /// Sets the maximum number of [tokens](super::tokens) in all selected text.
        pub const fn budget(tokens: usize) { budget = tokens }

        /// Sets whether to match the names and descriptions of candidates without triggers.
        pub const fn match_descriptions(match_descriptions: bool) { match_descriptions = match_descriptions }

        /// Sets how long an activation lasts.
        pub const fn period(period: ActivationPeriod) { period = period }
    }

    /// Sets phrases that ask which skills there are, in addition to the English ones, for a program in another language. A request
    /// gets the list if it contains one of them, in any case, as whole words.
    ///
    /// ```
    /// use skill_agent::manifest::selection::SelectionPolicy;
    ///
    /// let policy = SelectionPolicy::TIERS.questions(["was kannst du", "welche fähigkeiten"]);
    /// ```
    #[must_use]
    pub fn questions<T: Into<Cow<'static, str>>>(
        mut self,
        questions: impl IntoIterator<Item = T>,
    ) -> Self {
        self.questions = questions.into_iter().map(Into::into).collect();
        self
    }
}
