//! The documents, skills and tools that a selection chooses from.

use super::tokens;
use crate::description::purpose;
use crate::escape;
use crate::{DocText, SkillDoc, Triggers};
use serde::Serialize;
use skill_core::{SkillSpec, Tool};

/// The element around a full text, and the empty line after it.
const FRAME_BYTES: usize = "<skill name=\"\">\n\n</skill>\n\n".len();

/// A document, skill or tool that a [`Selector`](super::Selector) can select: what its text is matched against, and how much of
/// a prompt it takes.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The id of a document, or the name of a skill or tool. Unique among the candidates of a selector.
    pub id: DocText,
    /// Which of the three it is.
    pub kind: CandidateKind,
    /// The purpose, which is compared with the request and shown in a registry.
    pub description: DocText,
    /// The description in one line of at most 80 characters.
    pub brief_description: DocText,
    /// Words, patterns and paths that select it.
    pub triggers: Triggers,
    /// The length of the full text: the body of a document, the instructions of a skill. In bytes.
    pub text_bytes: usize,
    /// Whether it is shown without a match, or only if it is named.
    pub exposure: Exposure,
}

/// The kind of a [`Candidate`].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CandidateKind {
    /// A SKILL.md.
    Document,
    /// A skill of the agent.
    RustSkill,
    /// A tool, for lists that come from elsewhere.
    Tool,
}

/// How much a model is shown of a candidate that no trigger selects.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Exposure {
    /// It is first in every list. In tiers, its full text is always selected, and does not count toward the maximum number.
    Pinned,
    /// It is listed, and selected by a match.
    #[default]
    Listed,
    /// It is listed without its description, and selected by a match.
    NameOnly,
    /// It is not listed, and selected only if the request names it.
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

    /// Creates the candidate for a document. `body_bytes` is the length of its body, for documents without one in memory.
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

    /// Creates the candidate for a skill of an agent: its full text is its instructions.
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

    /// Creates the candidate for a tool.
    #[must_use]
    pub fn tool(tool: &Tool<'_>) -> Self {
        Self::new(
            CandidateKind::Tool,
            tool.name.to_owned(),
            tool.description.to_owned(),
        )
    }

    /// Returns the [tokens](super::tokens) of the full text with the element around it; of a tool, with its description.
    #[must_use]
    pub fn tokens(&self) -> usize {
        let description = match self.kind {
            CandidateKind::Tool => self.description.len(),
            CandidateKind::Document | CandidateKind::RustSkill => 0,
        };
        tokens(FRAME_BYTES + escape::attribute(&self.id).len() + description + self.text_bytes)
    }

    /// Whether it has anything that a selection matches or shows.
    pub(crate) fn is_selectable(&self) -> bool {
        self.text_bytes > 0 || self.has_triggers()
    }

    /// Whether it has words, patterns or paths that select it.
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
