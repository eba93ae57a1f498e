//! Looks up a document's requirements.

use super::LocatedDoc;
use super::doc_text::{list, str};
use super::input::CheckInput;
use super::names::{self, NameKind};
use super::suggest::suggest;
use skill_core::__private::names::Slot;
use skill_core::__private::{same, satisfies, short, split};
use skill_core::SkillSpec;
use skill_manifest::{DocText, InvocationMode, SkillDoc};

/// The input of the check, with its name tables.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'a> {
    pub(super) input: &'a CheckInput<'a>,
    pub(super) tables: &'a [Slot<'a>],
    /// Whether to suggest similar names.
    pub(super) with_suggestions: bool,
}

impl<'a> Lookup<'a> {
    pub(super) const fn new(input: &'a CheckInput<'a>, tables: &'a [Slot<'a>]) -> Self {
        Self {
            input,
            tables,
            with_suggestions: true,
        }
    }

    const fn find(&self, names: NameKind, key: &str) -> Option<usize> {
        names::find(self.input, self.tables, names, false, key)
    }

    /// Returns the most similar name of the given kind.
    pub(super) const fn suggest(&self, names: NameKind, name: &str) -> Option<&'a str> {
        if !self.with_suggestions {
            return None;
        }
        suggest(self.input, names, name)
    }

    pub(super) const fn is_reserved(&self, command: &str) -> bool {
        self.find(NameKind::Reserved, command).is_some()
    }

    /// Returns whether a model may call the tool. Returns `true` if the tools are unknown.
    const fn has_tool(&self, name: &str) -> bool {
        self.input.tools.is_none() || self.find(NameKind::Tools, name).is_some()
    }

    /// Returns whether a document's command calls a tool that does not exist.
    pub(super) const fn lacks_command_tool(&self, doc: &SkillDoc) -> bool {
        match &doc.command_tool {
            Some(tool) => dispatches(doc) && !self.has_tool(str(tool)),
            None => false,
        }
    }

    /// Returns the index of the first missing name at or after `from` among the names of one kind that a document needs.
    pub(super) const fn missing(
        &self,
        doc: &SkillDoc,
        kind: NameKind,
        mut from: usize,
    ) -> Option<usize> {
        let names = needed(doc, kind);
        while from < names.len() {
            let name = str(&names[from]);
            let is_met = match kind {
                NameKind::Tools => self.has_tool(name),
                NameKind::Types => self.find(kind, short(name)).is_some(),
                _ => self.is_met(doc, name),
            };
            if !is_met {
                return Some(from);
            }
            from += 1;
        }
        None
    }

    /// Returns the agent's skill with that name, even if it is only mounted at run time.
    pub(super) const fn skill_named(&self, name: &str) -> Option<&'a SkillSpec> {
        match self.find(NameKind::Skills, name) {
            Some(index) => self.input.skill_of_name(index),
            None => None,
        }
    }

    /// Returns the skill with the same name as a document, even if the skill is only mounted at run time. Names that look the
    /// same to a person count as equal, but a skill that was generated from the document does not count.
    pub(super) const fn shadowed(&self, candidate: &LocatedDoc<'_>) -> Option<&'a SkillSpec> {
        let found = names::find(
            self.input,
            self.tables,
            NameKind::Skills,
            true,
            candidate.key,
        );
        let Some(index) = found else {
            return None;
        };
        match self.input.skill_of_name(index) {
            Some(skill) if !is_generated_from(skill, candidate.doc) => Some(skill),
            _ => None,
        }
    }

    /// Returns whether one of the agent's skills or another document meets a document's requirement. If there are placeholders, a
    /// missing name counts as met, because a placeholder may be the required document.
    const fn is_met(&self, doc: &SkillDoc, requirement: &str) -> bool {
        let (name, wanted) = split(requirement);
        match self.required(doc, name) {
            Some((_, version)) => satisfies(wanted, version),
            None => self.input.has_placeholder_docs && !same(str(&doc.id), name),
        }
    }

    /// Returns the version of a document's requirement and, if the requirement is a document, its index. Skills take precedence
    /// over documents, but a skill that is only mounted at run time does not count.
    pub(super) const fn required(
        &self,
        doc: &SkillDoc,
        name: &str,
    ) -> Option<(Option<usize>, Option<&'a str>)> {
        if let Some(index) = self.find(NameKind::Skills, name)
            && let Some(skill) = self.input.required_skill(index)
        {
            return Some((None, skill.version));
        }
        let Some(index) = self.find(NameKind::Ids, name) else {
            return None;
        };
        let other = self.input.docs[index].doc;
        if !same(str(&other.id), name) || same(str(&doc.id), name) {
            return None;
        }
        match &other.version {
            Some(version) => Some((Some(index), Some(str(version)))),
            None => Some((Some(index), None)),
        }
    }
}

/// Returns the names of one kind that a document needs: tools, types of skills, or else skills and documents.
pub(super) const fn needed(doc: &SkillDoc, kind: NameKind) -> &[DocText] {
    match kind {
        NameKind::Tools => list(&doc.requires_tools),
        NameKind::Types => list(&doc.toolsets),
        _ => list(&doc.requires),
    }
}

/// Returns whether a skill was generated from a document. The macro has already checked that they have the same values.
pub(crate) const fn is_generated_from(skill: &SkillSpec, doc: &SkillDoc) -> bool {
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
        && agrees_with(skill.description, description)
        && agrees_with(skill.version, version)
}

/// Returns whether the skill's value fits the document: the document has the same value or none.
const fn agrees_with(said: Option<&str>, text: &str) -> bool {
    let text = text.trim_ascii();
    match said {
        _ if text.is_empty() => true,
        Some(said) => same(said.trim_ascii(), text),
        None => false,
    }
}

/// Returns whether the document's command calls a tool without a model. If it does not, `command_tool` has no effect.
pub const fn dispatches(doc: &SkillDoc) -> bool {
    matches!(doc.invocation_mode, InvocationMode::ToolDispatch)
}
