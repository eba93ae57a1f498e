//! The skills of one agent, with the lookups that all rules share: at compile time, and when a skill is mounted.

use super::index::find_const;
use super::tables::{ActionId, AgentTables, action_count};
use crate::{ActionSpec, SkillSpec};
use skill_agent_grammar::names::{self, SEED, Slot};
use skill_agent_grammar::{contains, same, satisfies, split};

/// The agent itself, its listed skills, and the skills that are mounted or may be, in this order.
#[derive(Clone, Copy)]
pub(crate) struct Members<'a> {
    pub(crate) agent: &'a AgentTables,
    mounted: &'a [&'static SkillSpec],
    /// A hash table for each [`NameKind`], or an empty slice for a linear search. Linear searches through a thousand skills are
    /// too slow for checks of each skill, but not for the message about one.
    pub(super) tables: [&'a [Slot<'static>]; 2],
}

/// A kind of name of skills.
#[derive(Clone, Copy)]
pub(crate) enum NameKind {
    Name,
    /// The name in the spec of an aliased skill. Requirements may refer to a skill by this name too.
    Declared,
    StateKey,
}

impl NameKind {
    pub(super) const fn of(self, skill: &SkillSpec) -> Option<&'static str> {
        match self {
            Self::Name => Some(skill.name),
            Self::Declared => skill.alias_of,
            Self::StateKey => Some(skill.state_key),
        }
    }
}

impl AgentTables {
    /// Returns the number of listed and mountable skills, and of the agent itself.
    pub const fn members(&self) -> usize {
        self.skills.len() + self.mountable.len()
    }
}

impl<'a> Members<'a> {
    /// The members of an agent that has mounted the skills in `mounted`.
    pub(crate) const fn new(agent: &'a AgentTables, mounted: &'a [&'static SkillSpec]) -> Self {
        Self {
            agent,
            mounted,
            tables: [&[]; 2],
        }
    }

    /// The members of an agent that has mounted all skills that it may mount.
    pub(super) const fn of(agent: &'a AgentTables) -> Self {
        Self::new(agent, agent.mountable)
    }

    pub(crate) const fn len(&self) -> usize {
        self.agent.skills.len() + self.mounted.len()
    }

    pub(crate) const fn skill(&self, at: usize) -> &'static SkillSpec {
        if self.is_listed(at) {
            &self.agent.skills[at]
        } else {
            self.mounted[at - self.agent.skills.len()]
        }
    }

    pub(super) const fn is_listed(&self, at: usize) -> bool {
        at < self.agent.skills.len()
    }

    /// Returns a skill's actions under their names in the agent.
    pub(super) const fn actions(&self, at: usize) -> &'static [ActionSpec] {
        let own = self.skill(at).actions;
        if !self.is_listed(at) {
            return own;
        }
        let (before, _) = self.agent.skills.split_at(at);
        let first = action_count(before);
        self.agent.actions.split_at(first).1.split_at(own.len()).0
    }

    /// Finds the first skill with that name.
    const fn find(&self, kind: NameKind, name: &str) -> Option<usize> {
        if (kind as usize) < self.tables.len() && !self.tables[kind as usize].is_empty() {
            return names::find(self.tables[kind as usize], SEED, false, name);
        }
        let mut at = 1;
        while at < self.len() {
            if let Some(other) = kind.of(self.skill(at))
                && same(other, name)
            {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    /// Returns the first skill with the same name or state key, if it is not the skill at `at` itself.
    pub(crate) const fn earlier(&self, kind: NameKind, at: usize) -> Option<usize> {
        match kind.of(self.skill(at)) {
            Some(name) => match self.find(kind, name) {
                Some(other) if other < at => Some(other),
                _ => None,
            },
            None => None,
        }
    }

    /// Returns whether a skill's state key is the name of a base field.
    pub(crate) const fn has_base_field(&self, at: usize) -> bool {
        contains(self.agent.base_keys, self.skill(at).state_key)
    }

    /// Returns the agent's action that has the name of a skill's action. The agent's actions are its own and those of the listed
    /// skills.
    pub(crate) const fn same_action(
        &self,
        at: usize,
        action: usize,
        name: &str,
    ) -> Option<ActionId> {
        let Some(other) = find_const(self.agent.index, self.agent.actions, name) else {
            return None;
        };
        let other = self.agent.action_ids[other];
        if other.skill as usize == at && other.action as usize == action {
            return None;
        }
        Some(other)
    }

    /// Returns the skill that the skill at `at` requires by `name`. A listed skill cannot require a mounted one.
    pub(super) const fn required(&self, at: usize, name: &str) -> Option<usize> {
        match self.find(NameKind::Name, name) {
            Some(found) if self.is_listed(found) || !self.is_listed(at) => Some(found),
            _ => self.find(NameKind::Declared, name),
        }
    }

    /// Returns whether a requirement of the skill at `at` is met. A wrong version counts as unmet.
    pub(super) const fn is_met(&self, at: usize, requirement: &str) -> bool {
        let (name, wanted) = split(requirement);
        match self.required(at, name) {
            Some(other) => satisfies(wanted, self.skill(other).version),
            None => false,
        }
    }
}
