//! Looks up what a document requires.

use super::Candidate;
use super::names::{self, Names, str};
use super::near::near;
use super::scene::Scene;
use skill_core::__private::{same, satisfied, short, split};
use skill_core::SkillSpec;
use skill_manifest::{InvocationMode, SkillDoc};

/// The input of the check, and the tables of its names.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) tables: &'a [u32],
    /// Whether to search for similar names.
    pub(super) suggests: bool,
}

impl<'a> Look<'a> {
    pub(super) const fn new(scene: &'a Scene<'a>, tables: &'a [u32]) -> Self {
        Self {
            scene,
            tables,
            suggests: true,
        }
    }

    const fn find(&self, names: Names, key: &str) -> Option<usize> {
        names::find(self.scene, self.tables, names, key)
    }

    /// Returns the most similar name of a kind.
    pub(super) const fn near(&self, names: Names, name: &str) -> Option<&'a str> {
        if !self.suggests {
            return None;
        }
        near(self.scene, names, name)
    }

    pub(super) const fn is_reserved(&self, command: &str) -> bool {
        self.find(Names::Reserved, command).is_some()
    }

    /// Whether a model may call the tool. Always true if the tools are unknown.
    pub(super) const fn has_tool(&self, name: &str) -> bool {
        self.scene.tools.is_none() || self.find(Names::Tools, name).is_some()
    }

    /// Returns the skill with that name in the agent, even if it is only mounted at run time.
    pub(super) const fn named(&self, name: &str) -> Option<&'a SkillSpec> {
        match self.find(Names::Skills, name) {
            Some(index) => self.scene.skill_of_name(index),
            None => None,
        }
    }

    /// Returns the skill whose name a document takes, even if it is only mounted at run time. Names that a person takes for the
    /// same count as equal. A skill may share its name with the document that it was generated from.
    pub(super) const fn shadowed(&self, candidate: &Candidate<'_>) -> Option<&'a SkillSpec> {
        let found = names::find_in_any_case(self.scene, self.tables, Names::Skills, candidate.key);
        let Some(index) = found else {
            return None;
        };
        match self.scene.skill_of_name(index) {
            Some(skill) if !is_made_of(skill, candidate.doc) => Some(skill),
            _ => None,
        }
    }

    /// Whether the agent has a skill of the type that a toolset names: `Type` of `path:Type`.
    pub(super) const fn binds(&self, toolset: &str) -> bool {
        self.find(Names::Types, short(toolset)).is_some()
    }

    /// Whether a requirement of a document is met by a skill of the agent or by another document. A missing name counts as met
    /// if there are placeholders, since one of them may be the required document.
    pub(super) const fn is_met(&self, doc: &SkillDoc, requirement: &str) -> bool {
        let (name, wanted) = split(requirement);
        match self.required(doc, name) {
            Some((_, version)) => will_do(wanted, version),
            None => self.scene.lacks_docs && !same(str(&doc.id), name),
        }
    }

    /// Returns the version of what a document requires, with its index if it is a document. Skills take precedence over
    /// documents; a skill that is only mounted at run time does not count.
    pub(super) const fn required(
        &self,
        doc: &SkillDoc,
        name: &str,
    ) -> Option<(Option<usize>, Option<&'a str>)> {
        if let Some(index) = self.find(Names::Skills, name)
            && let Some(skill) = self.scene.required_skill(index)
        {
            return Some((None, skill.version));
        }
        let Some(index) = self.find(Names::Ids, name) else {
            return None;
        };
        let other = self.scene.docs[index].doc;
        if !same(str(&other.id), name) || same(str(&doc.id), name) {
            return None;
        }
        match &other.version {
            Some(version) => Some((Some(index), Some(str(version)))),
            None => Some((Some(index), None)),
        }
    }
}

/// Whether a skill was generated from a document. The macro has ensured that whatever both of them specify is equal.
pub(crate) const fn is_made_of(skill: &SkillSpec, doc: &SkillDoc) -> bool {
    let description = if str(&doc.description).trim_ascii().is_empty() {
        str(&doc.summary)
    } else {
        str(&doc.description)
    };
    let version = match &doc.version {
        Some(version) => str(version),
        None => "",
    };
    skill.__is_joined()
        && skill.alias_of.is_none()
        && same(skill.name, str(&doc.id))
        && is_said(skill.description, description)
        && is_said(skill.version, version)
}

/// Whether a skill specifies the same text as a document, if the document specifies any.
const fn is_said(said: Option<&str>, text: &str) -> bool {
    let text = text.trim_ascii();
    match said {
        _ if text.is_empty() => true,
        Some(said) => same(said.trim_ascii(), text),
        None => false,
    }
}

/// Whether the document's tool is called without a model; otherwise its `command_tool` has no meaning.
pub(crate) const fn dispatches(doc: &SkillDoc) -> bool {
    matches!(doc.invocation_mode, InvocationMode::ToolDispatch)
}

/// Whether a version satisfies a requirement.
const fn will_do(wanted: Option<&str>, version: Option<&str>) -> bool {
    match (wanted, version) {
        (None, _) => true,
        (Some(wanted), Some(version)) => satisfied(wanted, version),
        (Some(_), None) => false,
    }
}
