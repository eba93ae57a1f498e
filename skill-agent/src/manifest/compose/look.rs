//! One look at what a document asks for: is it there?

use super::Candidate;
use super::names::{self, Names, str};
use super::near::near;
use super::scene::Scene;
use skill_core::__private::{same, satisfied, short, split};
use skill_core::SkillSpec;
use skill_manifest::{InvocationMode, SkillDoc};

/// A scene, and the tables of its names.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) tables: &'a [u32],
    /// Whether names are looked for that were meant.
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

    /// The name that was probably meant.
    pub(super) const fn near(&self, names: Names, name: &str) -> Option<&'a str> {
        if !self.suggests {
            return None;
        }
        near(self.scene, names, name)
    }

    pub(super) const fn is_reserved(&self, command: &str) -> bool {
        self.find(Names::Reserved, command).is_some()
    }

    /// Whether a model may call it. Where nobody knows the tools, it is taken to be there.
    pub(super) const fn has_tool(&self, name: &str) -> bool {
        self.scene.tools.is_none() || self.find(Names::Tools, name).is_some()
    }

    /// The skill that has the name in the agent, be it mounted at run time only.
    pub(super) const fn named(&self, name: &str) -> Option<&'a SkillSpec> {
        match self.find(Names::Skills, name) {
            Some(index) => self.scene.skill_of_name(index),
            None => None,
        }
    }

    /// The skill whose name a document takes, be it mounted at run time only: two names that a person takes for one are one. A
    /// skill shares its name with the document that it was made of.
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

    /// The skill of the agent whose type a toolset names: `Type` of `path:Type`.
    pub(super) const fn binds(&self, toolset: &str) -> bool {
        self.find(Names::Types, short(toolset)).is_some()
    }

    /// Whether what a document requires is a skill of the agent, or another document. Where a document is not known, it is taken
    /// to be that one.
    pub(super) const fn is_met(&self, doc: &SkillDoc, requirement: &str) -> bool {
        let (name, wanted) = split(requirement);
        match self.required(doc, name) {
            Some((_, version)) => will_do(wanted, version),
            None => self.scene.lacks_docs && !same(str(&doc.id), name),
        }
    }

    /// What has the name that a document requires, and its version. A skill comes before a document, and one that is mounted at
    /// run time only is not there. The place is that of the document.
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

/// Whether a skill was made of a document: what both of them say they say alike, which the macro has seen to.
pub(crate) const fn is_made_of(skill: &SkillSpec, doc: &SkillDoc) -> bool {
    let description = match str(&doc.description).trim_ascii().is_empty() {
        true => str(&doc.summary),
        false => str(&doc.description),
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

/// Whether a skill says what a document says, if it says anything.
const fn is_said(said: Option<&str>, text: &str) -> bool {
    let text = text.trim_ascii();
    match said {
        _ if text.is_empty() => true,
        Some(said) => same(said.trim_ascii(), text),
        None => false,
    }
}

/// Whether its tool is called without a model; a `command_tool` means nothing otherwise.
pub(crate) const fn dispatches(doc: &SkillDoc) -> bool {
    matches!(doc.invocation_mode, InvocationMode::ToolDispatch)
}

/// Whether a version satisfies what is wanted.
const fn will_do(wanted: Option<&str>, version: Option<&str>) -> bool {
    match (wanted, version) {
        (None, _) => true,
        (Some(wanted), Some(version)) => satisfied(wanted, version),
        (Some(_), None) => false,
    }
}
