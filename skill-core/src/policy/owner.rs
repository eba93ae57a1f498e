//! [`ActionOwner`]: the owner of an action, for messages.

use std::fmt;

/// The owner of an action or a tool, for messages: the agent itself, a skill, or another source of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionOwner<'a>(Kind<'a>);

// not public, because rustc would then stop shortening the names of the traits `Skill` and `Agent` in errors
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind<'a> {
    Agent,
    Skill(&'a str),
    Source(&'a str),
}

impl<'a> ActionOwner<'a> {
    /// Creates the owner for the agent itself.
    pub const fn agent() -> Self {
        Self(Kind::Agent)
    }

    /// Creates the owner for a skill, from the path of its type.
    pub const fn skill(type_path: &'a str) -> Self {
        Self(Kind::Skill(type_path))
    }

    /// Creates the owner for any other source of tools, from its name.
    pub const fn source(name: &'a str) -> Self {
        Self(Kind::Source(name))
    }

    /// Returns the owner as a phrase in parts: ``the skill `app::Mail` ``.
    pub(super) const fn text(self) -> [&'a str; 3] {
        match self.0 {
            Kind::Agent => ["the agent itself", "", ""],
            Kind::Skill(path) => ["the skill `", path, "`"],
            Kind::Source(name) => ["the source `", name, "`"],
        }
    }

    /// Returns the phrase that follows `actions of`, in parts.
    pub(super) const fn possessor(self) -> [&'a str; 3] {
        match self.0 {
            Kind::Agent => ["its own", "", ""],
            _ => self.text(),
        }
    }

    /// Returns the item whose removal removes the action.
    pub(super) const fn removable(self) -> &'static str {
        match self.0 {
            Kind::Agent => "the action",
            Kind::Skill(_) => "the skill",
            Kind::Source(_) => "the tool",
        }
    }
}

impl fmt::Display for ActionOwner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().iter().try_for_each(|part| f.write_str(part))
    }
}
