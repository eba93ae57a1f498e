//! [`ActionOwner`]: the owner of an action, for messages.

use std::fmt;

/// The owner of an action or a tool, as messages name it: the agent itself, a skill, or another source of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionOwner<'a>(Kind<'a>);

// not public: rustc would no longer call the traits `Skill` and `Agent` by their short names in errors
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind<'a> {
    Agent,
    Skill(&'a str),
    Source(&'a str),
}

impl<'a> ActionOwner<'a> {
    /// The agent itself.
    pub const fn agent() -> Self {
        Self(Kind::Agent)
    }

    /// A skill, by the path of its type.
    pub const fn skill(type_path: &'a str) -> Self {
        Self(Kind::Skill(type_path))
    }

    /// Another source of tools, by its name.
    pub const fn source(name: &'a str) -> Self {
        Self(Kind::Source(name))
    }

    /// The parts of its text: ``the skill `app::Mail` ``.
    pub(super) const fn text(self) -> [&'a str; 3] {
        match self.0 {
            Kind::Agent => ["the agent itself", "", ""],
            Kind::Skill(path) => ["the skill `", path, "`"],
            Kind::Source(name) => ["the source `", name, "`"],
        }
    }

    /// The parts of the text after `actions of`.
    pub(super) const fn possessor(self) -> [&'a str; 3] {
        match self.0 {
            Kind::Agent => ["its own", "", ""],
            _ => self.text(),
        }
    }

    /// The item whose removal removes the action.
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
