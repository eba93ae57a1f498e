//! What mounting asks of a skill and of a document alike.

use super::document::Document;
use crate::composition::short;
use crate::json::shorten;
use crate::{ActionSpec, SkillSpec};
use skill_agent_grammar::{satisfied, split};
use std::borrow::Cow;

/// What a skill or a document says of itself.
#[derive(Clone, Copy)]
pub(super) enum EntryMeta<'a> {
    Skill(&'static SkillSpec),
    Document(&'a dyn Document),
}

/// One thing without which something cannot be mounted.
#[derive(Clone, Copy)]
pub(super) enum Requirement<'a> {
    /// A skill or a document, and the version that is wanted.
    Name(&'a str, Option<&'a str>),
    /// An action that a model may call.
    Tool(&'a str),
    /// A skill by its Rust type, `path:Type`.
    Toolset(&'a str),
}

impl<'a> EntryMeta<'a> {
    pub(super) fn name(self) -> &'a str {
        match self {
            Self::Skill(spec) => spec.name,
            Self::Document(document) => document.id(),
        }
    }

    /// The name for an error, which a document may have as long as it likes.
    pub(super) fn shown_name(self) -> Cow<'static, str> {
        match self {
            Self::Skill(spec) => Cow::Borrowed(spec.name),
            Self::Document(document) => shown(document.id()),
        }
    }

    /// The name in the form in which names are compared; a name of a skill is in it already.
    pub(super) fn key(self) -> Cow<'a, str> {
        match self {
            Self::Skill(spec) => Cow::Borrowed(spec.name),
            Self::Document(document) => document.key(),
        }
    }

    pub(super) fn version(self) -> Option<&'a str> {
        match self {
            Self::Skill(spec) => spec.version,
            Self::Document(document) => document.version(),
        }
    }

    /// The Rust type, or what a document is.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Skill(spec) => spec.type_path,
            Self::Document(_) => "document",
        }
    }

    pub(super) fn actions(self) -> &'static [ActionSpec] {
        match self {
            Self::Skill(spec) => spec.actions,
            Self::Document(_) => &[],
        }
    }

    /// Where the state is kept; a document has none.
    pub(super) fn state_key(self) -> Option<&'static str> {
        match self {
            Self::Skill(spec) => Some(spec.state_key),
            Self::Document(_) => None,
        }
    }

    /// What it cannot be mounted without.
    pub(super) fn needs(self) -> Vec<Requirement<'a>> {
        let named = |requirement: &'a str| {
            let (name, wanted) = split(requirement);
            Requirement::Name(name, wanted)
        };
        match self {
            Self::Skill(spec) => spec.requires.iter().map(|it| named(it)).collect(),
            Self::Document(document) => {
                let requires = document.requires().iter().map(|it| named(it));
                let tools = document.tools().into_iter().map(Requirement::Tool);
                let toolsets = document
                    .toolsets()
                    .iter()
                    .map(|it| Requirement::Toolset(it));
                requires.chain(tools).chain(toolsets).collect()
            }
        }
    }
}

impl Requirement<'_> {
    /// Whether a version will do.
    pub(super) fn takes(self, version: Option<&str>) -> bool {
        match self {
            Self::Name(_, Some(wanted)) => version.is_some_and(|it| satisfied(wanted, it)),
            Self::Name(_, None) | Self::Tool(_) | Self::Toolset(_) => true,
        }
    }

    /// Whether it is there with this one, of whatever version.
    pub(super) fn is_served_by(self, about: EntryMeta<'_>) -> bool {
        match (self, about) {
            (Self::Name(name, _), about) => name == about.name(),
            (Self::Tool(tool), about) => is_offered(about.actions(), tool),
            (Self::Toolset(toolset), EntryMeta::Skill(spec)) => {
                short(spec.type_path) == short(toolset)
            }
            (Self::Toolset(_), EntryMeta::Document(_)) => false,
        }
    }
}

/// A text of a document for an error.
pub(super) fn shown(text: &str) -> Cow<'static, str> {
    Cow::Owned(shorten(text, 64).into_owned())
}

/// Whether a model may call the tool: an internal action is none.
pub(super) fn is_offered(actions: &[ActionSpec], tool: &str) -> bool {
    actions.iter().any(|it| it.name == tool && !it.internal)
}
