//! References in skill instructions, and the tools that they resolve to.
//!
//! `{Record}` is the tool of the action whose struct is `Record`, in the skill itself or else in the skills it requires. In the
//! agent, the tool's name replaces the reference, such as `left_record` for a skill under the alias `left`.

use crate::{ActionSpec, SkillSpec};
use skill_agent_grammar::{TextPieces, same, short, split};

/// The actions that a reference may mean.
#[derive(Clone, Copy)]
pub(crate) enum Found<'a> {
    Nothing,
    /// Only an internal action. Internal actions are not tools.
    Internal,
    One(ToolOf<'a>),
    /// The first two of several tools.
    Two(ToolOf<'a>, ToolOf<'a>),
}

/// A tool of one instance.
#[derive(Clone, Copy)]
pub(crate) struct ToolOf<'a> {
    pub(crate) skill: &'a SkillSpec,
    pub(crate) action: &'a ActionSpec,
}

impl ToolOf<'_> {
    /// Returns the parts of the tool's name in the agent.
    pub(crate) const fn name(&self) -> [&str; 3] {
        match self.skill.alias_of {
            Some(_) => [self.skill.name, "_", self.action.name],
            None => ["", "", self.action.name],
        }
    }

    /// Returns whether `other` is the same tool of the same instance. A skill can be required twice, by its name and by its
    /// alias.
    const fn is(&self, other: &ToolOf<'_>) -> bool {
        same(self.skill.name, other.skill.name) && same(self.action.name, other.action.name)
    }
}

impl<'a> Found<'a> {
    /// Adds the skill's actions whose struct is called `name`.
    pub(crate) const fn and_of(mut self, skill: &'a SkillSpec, name: &str) -> Self {
        let mut i = 0;
        while i < skill.actions.len() {
            let action = &skill.actions[i];
            if same(short(action.type_path), name) {
                self = self.and(ToolOf { skill, action });
            }
            i += 1;
        }
        self
    }

    const fn and(self, tool: ToolOf<'a>) -> Self {
        match self {
            Self::Nothing if tool.action.internal => Self::Internal,
            Self::Nothing | Self::Internal if !tool.action.internal => Self::One(tool),
            Self::One(first) if !tool.action.internal && !first.is(&tool) => Self::Two(first, tool),
            _ => self,
        }
    }

    /// Returns whether a tool was found.
    pub(crate) const fn is_tool(&self) -> bool {
        matches!(self, Self::One(_) | Self::Two(..))
    }
}

/// Returns whether a skill requires an instance, by its own name or by its alias.
pub(crate) const fn requires(skill: &SkillSpec, other: &SkillSpec) -> bool {
    let mut r = 0;
    while r < skill.requires.len() {
        let (name, _) = split(skill.requires[r]);
        if same(other.name, name) || same(other.declared_name(), name) {
            return true;
        }
        r += 1;
    }
    false
}

/// Finds the actions that a reference of `skill` may mean: the skill's own actions, or else the actions of its requirements among
/// `others`.
pub(crate) const fn find<'a>(
    skill: &'a SkillSpec,
    others: &'a [SkillSpec],
    name: &str,
) -> Found<'a> {
    let mut found = Found::Nothing.and_of(skill, name);
    if found.is_tool() {
        return found;
    }
    let mut i = 0;
    while i < others.len() {
        if requires(skill, &others[i]) {
            found = found.and_of(&others[i], name);
        }
        i += 1;
    }
    found
}

/// Returns whether an action of the skill or of its requirements has mistakes, so that its struct is unknown.
pub(super) const fn is_incomplete(skill: &SkillSpec, others: &[SkillSpec]) -> bool {
    if has_stubs(skill) {
        return true;
    }
    let mut i = 0;
    while i < others.len() {
        if requires(skill, &others[i]) && has_stubs(&others[i]) {
            return true;
        }
        i += 1;
    }
    false
}

const fn has_stubs(skill: &SkillSpec) -> bool {
    skill.__is_stub() || has_stub(skill.actions)
}

/// Returns whether one of the actions has mistakes.
pub const fn has_stub(actions: &[ActionSpec]) -> bool {
    let mut i = 0;
    while i < actions.len() {
        if actions[i].__is_stub() {
            return true;
        }
        i += 1;
    }
    false
}

/// Returns the instructions of `skill` with tool names in place of references. `others` are the other skills of the agent.
///
/// # Errors
/// Returns the first reference that does not resolve to exactly one tool, and the actions that it may mean.
pub(crate) fn rendered<'a>(
    skill: &'a SkillSpec,
    others: &'a [SkillSpec],
) -> Result<Option<String>, (&'static str, Found<'a>)> {
    let Some(text) = skill.instructions else {
        return Ok(None);
    };
    if !skill.has_references() {
        return Ok(Some(text.to_owned()));
    }
    let mut rendered = String::with_capacity(text.len());
    for piece in TextPieces::of(text) {
        if !piece.is_reference {
            rendered.push_str(piece.text);
            continue;
        }
        match find(skill, others, piece.text) {
            Found::One(tool) => rendered.extend(tool.name()),
            found => return Err((piece.text, found)),
        }
    }
    Ok(Some(rendered))
}
