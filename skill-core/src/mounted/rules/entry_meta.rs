//! The metadata of skills and documents that the mounting rules need.

use crate::mounted::document::Document;
use crate::{ActionSpec, SkillSpec};
use skill_agent_grammar::{satisfies, short, split};
use skill_agent_schema::shorten_name;
use std::borrow::Cow;

/// The kind of a document. A skill has its type's path instead.
pub(crate) const DOCUMENT: &str = "document";

/// The metadata of a skill or a document.
#[derive(Clone, Copy)]
pub(crate) enum EntryMeta<'a> {
    Skill(&'static SkillSpec),
    Document(&'a dyn Document),
}

/// A requirement of a skill or a document.
#[derive(Clone, Copy)]
pub(crate) enum Requirement<'a> {
    /// A skill or a document by name, with an optional version requirement.
    Name(&'a str, Option<&'a str>),
    /// An action that a model may call.
    Tool(&'a str),
    /// A skill by its Rust type, `path:Type`.
    Toolset(&'a str),
}

impl<'a> EntryMeta<'a> {
    pub(crate) fn name(self) -> &'a str {
        match self {
            Self::Skill(spec) => spec.name,
            Self::Document(document) => document.id(),
        }
    }

    /// Returns the name for an error message. A document's name is shortened, because it may be long.
    pub(crate) fn display_name(self) -> Cow<'static, str> {
        match self {
            Self::Skill(spec) => Cow::Borrowed(spec.name),
            Self::Document(document) => display_text(document.id()),
        }
    }

    /// Returns the name in normalized form. Skill names are always normalized.
    pub(crate) fn key(self) -> Cow<'a, str> {
        match self {
            Self::Skill(spec) => Cow::Borrowed(spec.name),
            Self::Document(document) => document.key(),
        }
    }

    pub(crate) fn version(self) -> Option<&'a str> {
        match self {
            Self::Skill(spec) => spec.version,
            Self::Document(document) => document.version(),
        }
    }

    /// Returns the path of the Rust type, or `document`.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Skill(spec) => spec.type_path,
            Self::Document(_) => DOCUMENT,
        }
    }

    pub(crate) fn actions(self) -> &'static [ActionSpec] {
        match self {
            Self::Skill(spec) => spec.actions,
            Self::Document(_) => &[],
        }
    }

    /// Returns the state key, or `None` for a document.
    pub(crate) fn state_key(self) -> Option<&'static str> {
        match self {
            Self::Skill(spec) => Some(spec.state_key),
            Self::Document(_) => None,
        }
    }

    /// Returns the requirements.
    pub(crate) fn requirements(self) -> Vec<Requirement<'a>> {
        let parse = |requirement: &'a str| {
            let (name, wanted) = split(requirement);
            Requirement::Name(name, wanted)
        };
        match self {
            Self::Skill(spec) => spec.requires.iter().map(|text| parse(text)).collect(),
            Self::Document(document) => {
                let requires = document.requires().iter().map(|text| parse(text));
                let tools = document.tools().into_iter().map(Requirement::Tool);
                let toolsets = document
                    .toolsets()
                    .iter()
                    .map(|toolset| Requirement::Toolset(toolset));
                requires.chain(tools).chain(toolsets).collect()
            }
        }
    }
}

impl Requirement<'_> {
    /// Returns whether `version` satisfies the requirement.
    pub(crate) fn accepts(self, version: Option<&str>) -> bool {
        match self {
            Self::Name(_, wanted) => satisfies(wanted, version),
            Self::Tool(_) | Self::Toolset(_) => true,
        }
    }

    /// Returns whether the skill or document in `meta` meets the requirement, regardless of its version.
    pub(crate) fn is_met_by(self, meta: EntryMeta<'_>) -> bool {
        match (self, meta) {
            (Self::Name(name, _), meta) => name == meta.name(),
            (Self::Tool(tool), meta) => has_tool(meta.actions(), tool),
            (Self::Toolset(toolset), EntryMeta::Skill(spec)) => {
                short(spec.type_path) == short(toolset)
            }
            (Self::Toolset(_), EntryMeta::Document(_)) => false,
        }
    }
}

/// Shortens a string from a document for an error message.
pub(crate) fn display_text(text: &str) -> Cow<'static, str> {
    Cow::Owned(shorten_name(text).into_owned())
}

/// Returns whether `actions` include the tool. Internal actions are not tools.
pub(crate) fn has_tool(actions: &[ActionSpec], tool: &str) -> bool {
    actions
        .iter()
        .any(|spec| spec.name == tool && !spec.internal)
}
