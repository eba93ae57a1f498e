//! The documents, skills and tools that a selection chooses from.

use super::tokens;
use crate::escape;
use crate::prompt::description::purpose;
use crate::{DocText, SkillDoc, Triggers};
use serde::Serialize;
use skill_core::{SkillSpec, Tool};

/// The size of the element around a full text and of the empty line after it, in bytes.
const FRAME_BYTES: usize = "<skill name=\"\">\n\n</skill>\n\n".len();

/// A document, skill or tool that a [`Selector`](super::Selector) can select, with the text to match and its size in a prompt.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The id of a document, or the name of a skill or tool. Unique within a selector.
    pub id: DocText,
    /// Whether this is a document, a skill or a tool.
    pub kind: CandidateKind,
    /// The purpose of the candidate, which is matched against the request and shown in a registry.
    pub description: DocText,
    /// The description as one line of at most 80 characters.
    pub brief_description: DocText,
    /// The words, patterns and paths that select the candidate.
    pub triggers: Triggers,
    /// The length of the full text in bytes: a document's body, or a skill's instructions.
    pub text_bytes: usize,
    /// How the candidate is shown if nothing in the request matches it.
    pub exposure: Exposure,
}

/// The kind of a [`Candidate`].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CandidateKind {
    /// A SKILL.md document.
    Document,
    /// A skill of the agent.
    RustSkill,
    /// A tool. Your program creates such a candidate with [`Candidate::tool`]; a catalog creates none.
    Tool,
}

/// How a candidate is shown if no trigger selects it.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Exposure {
    /// Listed first. With tiers, the full text is selected for every request if it fits into the budget, and does not count
    /// toward the maximum number.
    Pinned,
    /// Listed, and selected if it matches.
    #[default]
    Listed,
    /// Listed without its description, and selected if it matches.
    NameOnly,
    /// Not listed, and selected only if the request names it.
    Manual,
}

impl Candidate {
    /// Creates a candidate without triggers.
    #[must_use]
    pub fn new(
        kind: CandidateKind,
        id: impl Into<DocText>,
        description: impl Into<DocText>,
    ) -> Self {
        let description = description.into();
        Self {
            id: id.into(),
            kind,
            brief_description: skill_manifest::__private::first_sentence(&description).into(),
            description,
            triggers: Triggers::default(),
            text_bytes: 0,
            exposure: Exposure::default(),
        }
    }

    /// Creates a candidate for a document. The length of the body is passed as `body_bytes`, because the body may not be in
    /// memory.
    #[must_use]
    pub fn document(doc: &SkillDoc, body_bytes: usize) -> Self {
        Self {
            id: doc.id.clone(),
            kind: CandidateKind::Document,
            description: purpose(doc).clone(),
            brief_description: doc.brief_description.clone(),
            triggers: doc.triggers.clone(),
            text_bytes: body_bytes,
            exposure: Exposure::default(),
        }
    }

    /// Creates a candidate for an agent's skill, with the skill's instructions as its full text.
    #[must_use]
    pub fn skill(spec: &SkillSpec) -> Self {
        let list = |texts: &'static [&'static str]| {
            texts.iter().map(|text| DocText::from(*text)).collect()
        };
        let mut skill = Self::new(
            CandidateKind::RustSkill,
            spec.name,
            spec.description.unwrap_or_default(),
        );
        skill.triggers.keywords = list(spec.triggers.keywords);
        skill.triggers.verbs = list(spec.triggers.verbs);
        skill.triggers.patterns = list(spec.triggers.patterns);
        skill.triggers.paths = list(spec.triggers.paths);
        skill.text_bytes = spec.instructions.unwrap_or_default().len();
        skill
    }

    /// Creates a candidate for a tool.
    #[must_use]
    pub fn tool(tool: &Tool<'_>) -> Self {
        Self::new(
            CandidateKind::Tool,
            tool.name.to_owned(),
            tool.description.to_owned(),
        )
    }

    /// Returns the size in [tokens](super::tokens) of the full text with the element around it. For a tool, this includes the
    /// description.
    #[must_use]
    pub fn tokens(&self) -> usize {
        let description = match self.kind {
            CandidateKind::Tool => self.description.len(),
            CandidateKind::Document | CandidateKind::RustSkill => 0,
        };
        tokens(FRAME_BYTES + escape::attribute(&self.id).len() + description + self.text_bytes)
    }

    /// Returns whether the candidate has a full text or triggers.
    pub(crate) fn is_selectable(&self) -> bool {
        self.text_bytes > 0 || self.has_triggers()
    }

    /// Returns whether the candidate has keywords, verbs, patterns or paths.
    pub(super) fn has_triggers(&self) -> bool {
        let Triggers {
            keywords,
            verbs,
            patterns,
            paths,
            ..
        } = &self.triggers;
        [keywords, verbs, patterns, paths]
            .iter()
            .any(|list| !list.is_empty())
    }

    /// Sets the exposure.
    #[must_use]
    pub fn exposure(mut self, exposure: Exposure) -> Self {
        self.exposure = exposure;
        self
    }
}
