//! Which skills of an agent cannot stand beside the others.

use super::index::{EMPTY, enter};
use super::tables::AgentTables;
use crate::spec::Provenance;
use crate::{ActionSpec, Route, SkillSpec};
use skill_agent_grammar::{fnv1a, fnv1a_on, position, same, satisfied, split};

/// What is wrong with one skill, as bits: one for each rule of this file.
pub type Flags = u16;

/// Its state key is that of an earlier skill.
pub(crate) const STATE_KEY: Flags = 1;
/// Its name is that of an earlier skill.
pub(crate) const NAME: Flags = 1 << 1;
/// Its state key is a base field.
pub(crate) const BASE_FIELD: Flags = 1 << 2;
/// One of its tools has the name of an earlier one.
pub(crate) const TOOL: Flags = 1 << 3;
/// One of its routes is that of an earlier action.
pub(crate) const ROUTE: Flags = 1 << 4;
/// A skill that it requires is missing or has the wrong version.
pub(crate) const REQUIREMENT: Flags = 1 << 5;
/// It requires itself, by way of others; on the first of the circle.
pub(crate) const CIRCLE: Flags = 1 << 6;

/// The name of an action is too long for a tool once the alias stands before it.
pub(crate) const TOO_LONG: Flags = 1 << 7;
/// It has an async action, and may be mounted at run time.
pub(crate) const ASYNC: Flags = 1 << 8;

/// Examines the skills of an agent, which stands first itself. `SKILLS`, `ACTIONS` and `ROUTES` are the capacities of the
/// tables for them.
pub const fn examine<
    const N: usize,
    const SKILLS: usize,
    const ACTIONS: usize,
    const ROUTES: usize,
>(
    tables: &AgentTables,
) -> [Flags; N] {
    let (skills, actions, base) = (tables.skills, tables.actions, tables.base_keys);
    let mut flags = [0; N];
    state_keys::<SKILLS>(skills, &mut flags);
    base_fields(skills, base, &mut flags);
    let names = names::<SKILLS>(skills, &mut flags);
    tools::<ACTIONS>(skills, actions, &mut flags);
    routes::<ROUTES>(skills, &mut flags);
    requirements(skills, &names, &mut flags);
    circles::<N>(skills, &names, &mut flags);
    flags
}

/// Two skills cannot keep their state under one key.
const fn state_keys<const C: usize>(skills: &[SkillSpec], flags: &mut [Flags]) {
    let mut table = [EMPTY; C];
    let mut i = 1;
    while i < skills.len() {
        let key = skills[i].state_key;
        let mut place = fnv1a(key) as usize & (C - 1);
        while table[place] != EMPTY && !same(skills[table[place] as usize].state_key, key) {
            place = (place + 1) & (C - 1);
        }
        if table[place] == EMPTY {
            table[place] = i as u32;
        } else {
            flags[i] |= STATE_KEY;
        }
        i += 1;
    }
}

/// A state key cannot be a field of the agent's own state. Base fields are few, so they are compared one by one.
const fn base_fields(skills: &[SkillSpec], base: &[&str], flags: &mut [Flags]) {
    let mut i = 1;
    while i < skills.len() {
        let mut b = 0;
        while b < base.len() {
            if same(skills[i].state_key, base[b]) {
                flags[i] |= BASE_FIELD;
            }
            b += 1;
        }
        i += 1;
    }
}

/// Two skills cannot have one name. Gives the table from names, given and declared, to skills.
pub(crate) const fn names<const C: usize>(skills: &[SkillSpec], flags: &mut [Flags]) -> [u32; C] {
    let mut table = [EMPTY; C];
    let mut i = 1;
    while i < skills.len() {
        let mut place = fnv1a(skills[i].name) as usize & (C - 1);
        while table[place] != EMPTY && !same(skills[table[place] as usize].name, skills[i].name) {
            place = (place + 1) & (C - 1);
        }
        if table[place] == EMPTY {
            table[place] = i as u32;
        } else {
            flags[i] |= NAME;
        }
        i += 1;
    }
    // a requirement names the skill as its author does, wherever it is mounted
    let mut i = 1;
    while i < skills.len() {
        if skills[i].alias_of.is_some() {
            let place = name_place(&table, skills, skills[i].declared_name());
            if table[place] == EMPTY {
                table[place] = i as u32;
            }
        }
        i += 1;
    }
    table
}

const fn name_place(table: &[u32], skills: &[SkillSpec], name: &str) -> usize {
    let mask = table.len() - 1;
    let mut place = fnv1a(name) as usize & mask;
    while table[place] != EMPTY {
        let other = &skills[table[place] as usize];
        if same(other.name, name) || same(other.declared_name(), name) && other.alias_of.is_some() {
            break;
        }
        place = (place + 1) & mask;
    }
    place
}

/// The skill that a requirement names.
pub(crate) const fn named(table: &[u32], skills: &[SkillSpec], name: &str) -> Option<usize> {
    match table[name_place(table, skills, name)] {
        EMPTY => None,
        index => Some(index as usize),
    }
}

/// What model providers take.
pub(crate) const MAX_TOOL_NAME: usize = 64;

/// Two actions cannot be one tool. What a derived skill has twice itself was told where it was derived.
const fn tools<const C: usize>(skills: &[SkillSpec], actions: &[ActionSpec], flags: &mut [Flags]) {
    let mut table = [EMPTY; C];
    let mut n = 0;
    let mut i = 0;
    while i < skills.len() {
        let first = n;
        let mut j = 0;
        while j < skills[i].actions.len() {
            if actions[n].name.len() > MAX_TOOL_NAME {
                flags[i] |= TOO_LONG;
            }
            if let Some(other) = enter(&mut table, actions, n)
                && (other < first || skills[i].provenance.is(Provenance::Hand))
            {
                flags[i] |= TOOL;
            }
            n += 1;
            j += 1;
        }
        i += 1;
    }
}

/// One signal cannot have two routes of one pattern and one priority: their order would be that of the list.
/// What a derived skill has twice itself was told where it was derived.
pub(crate) const fn routes<const C: usize>(skills: &[SkillSpec], flags: &mut [Flags]) {
    let mut table = [(EMPTY, 0, 0); C];
    let mut i = 0;
    while i < skills.len() {
        let mut j = 0;
        while j < skills[i].actions.len() {
            let routes = skills[i].actions[j].routes;
            let mut r = 0;
            while r < routes.len() {
                let mut place = route_hash(&skills[i], &routes[r]) as usize & (C - 1);
                while table[place].0 != EMPTY {
                    let (s, a, o) = table[place];
                    let other = &skills[s as usize];
                    if same_route(&skills[i], &routes[r], other, &other.actions[a].routes[o]) {
                        if s as usize != i
                            || skills.len() == 1
                            || skills[i].provenance.is(Provenance::Hand)
                        {
                            flags[i] |= ROUTE;
                        }
                        break;
                    }
                    place = (place + 1) & (C - 1);
                }
                if table[place].0 == EMPTY {
                    table[place] = (i as u32, j, r);
                }
                r += 1;
            }
            j += 1;
        }
        i += 1;
    }
}

/// A pattern in two parts: the first segment as the instance spells it, and the rest. `calculator.add` of `Calculator as
/// calc` begins with `calc`.
pub(crate) const fn pattern_of<'a>(skill: &'a SkillSpec, route: &'a Route) -> (&'a str, &'a str) {
    let pattern = route.pattern_str();
    let (first, rest) = pattern.split_at(position(pattern, b'.'));
    if skill.alias_of.is_some() && same(first, skill.declared_name()) {
        (skill.name, rest)
    } else {
        (first, rest)
    }
}

const fn route_hash(skill: &SkillSpec, route: &Route) -> u64 {
    let (first, rest) = pattern_of(skill, route);
    fnv1a_on(fnv1a(first), rest) ^ route.priority as u64
}

pub(crate) const fn same_route(a: &SkillSpec, ra: &Route, b: &SkillSpec, rb: &Route) -> bool {
    let (first_a, rest_a) = pattern_of(a, ra);
    let (first_b, rest_b) = pattern_of(b, rb);
    ra.priority == rb.priority && same(first_a, first_b) && same(rest_a, rest_b)
}

/// What a skill requires has to be there, in a version that will do.
const fn requirements(skills: &[SkillSpec], names: &[u32], flags: &mut [Flags]) {
    let mut i = 1;
    while i < skills.len() {
        let mut r = 0;
        while r < skills[i].requires.len() {
            if !is_met(skills, names, skills[i].requires[r]) {
                flags[i] |= REQUIREMENT;
            }
            r += 1;
        }
        i += 1;
    }
}

const fn is_met(skills: &[SkillSpec], names: &[u32], requirement: &str) -> bool {
    let (name, version) = split(requirement);
    match (named(names, skills, name), version) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(other), Some(wanted)) => match skills[other].version {
            Some(version) => satisfied(wanted, version),
            None => false,
        },
    }
}

/// Requirements cannot go in a circle. A depth-first search without recursion; every skill and requirement is seen once.
pub(crate) const fn circles<const N: usize>(
    skills: &[SkillSpec],
    names: &[u32],
    flags: &mut [Flags],
) {
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let mut colour = [NEW; N];
    let mut stack = [0; N];
    let mut next = [0; N];
    let mut root = 1;
    while root < N {
        let mut depth = 0;
        if colour[root] == NEW {
            stack[0] = root;
            colour[root] = OPEN;
            depth = 1;
        }
        while depth > 0 {
            let at = stack[depth - 1];
            if next[at] == skills[at].requires.len() {
                colour[at] = DONE;
                depth -= 1;
                continue;
            }
            let (name, _) = split(skills[at].requires[next[at]]);
            next[at] += 1;
            if let Some(to) = named(names, skills, name) {
                if colour[to] == OPEN {
                    flags[to] |= CIRCLE;
                } else if colour[to] == NEW {
                    colour[to] = OPEN;
                    stack[depth] = to;
                    depth += 1;
                }
            }
        }
        root += 1;
    }
}
