//! [`ActionOwner`]: what an action belongs to, for messages.

/// What an action or a tool belongs to, as messages name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ActionOwner<'a> {
    /// The agent itself.
    Agent,
    /// A skill, by the path of its type.
    Skill(&'a str),
    /// Another source of tools, by its name.
    Source(&'a str),
}

impl<'a> ActionOwner<'a> {
    /// The parts of its text: ``the skill `app::Mail` ``.
    pub(super) const fn text(self) -> [&'a str; 3] {
        match self {
            Self::Agent => ["", "the agent itself", ""],
            Self::Skill(path) => ["the skill `", path, "`"],
            Self::Source(name) => ["the source `", name, "`"],
        }
    }

    /// What to remove to be rid of the action.
    pub(super) const fn removable(self) -> &'static str {
        match self {
            Self::Agent => "the action",
            Self::Skill(_) => "the skill",
            Self::Source(_) => "the tool",
        }
    }
}
