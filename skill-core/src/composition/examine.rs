//! Finds clashes among an agent's listed skills.

use super::effects::is_forbidden;
use super::flags::*;
use super::index::name_table;
use super::index::{EMPTY, insert};
use super::requirements::{cycles, requirements};
use super::tables::AgentTables;
use crate::spec::Provenance;
use crate::{ActionSpec, AgentSpec, Route, SkillSpec};
use skill_agent_grammar::{LONGEST_NAME, fnv1a, fnv1a_on, position, same};

/// Checks an agent's listed skills. The first entry is the agent itself. `SKILLS`, `ACTIONS` and `ROUTES` are the capacities of
/// the hash tables.
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
    let name_table = name_table::<SKILLS>(skills, &mut flags);
    tools::<ACTIONS>(skills, actions, &mut flags);
    routes::<ROUTES>(skills, &mut flags);
    requirements(skills, &name_table, &mut flags);
    cycles::<N>(skills, &name_table, &mut flags);
    references(skills, &mut flags);
    forbidden(&tables.spec, skills, &mut flags);
    flags
}

/// Flags skills with unresolved references, which were found when the instructions were rendered. `#[derive(Skill)]` itself
/// reports the references of a skill without requirements.
const fn references(skills: &[SkillSpec], flags: &mut [Flags]) {
    let mut i = 1;
    while i < skills.len() {
        let skill = &skills[i];
        let is_reported = skill.provenance.is(Provenance::Derive) && skill.requires.is_empty();
        if skill.has_unresolved_references() && !is_reported {
            flags[i] |= REFERENCE;
        }
        i += 1;
    }
}

/// Flags a state key that an earlier skill already uses.
const fn state_keys<const C: usize>(skills: &[SkillSpec], flags: &mut [Flags]) {
    let mut table = [EMPTY; C];
    let mut i = 1;
    while i < skills.len() {
        let key = skills[i].state_key;
        let mut slot = fnv1a(key) as usize & (C - 1);
        while table[slot] != EMPTY && !same(skills[table[slot] as usize].state_key, key) {
            slot = (slot + 1) & (C - 1);
        }
        if table[slot] == EMPTY {
            table[slot] = i as u32;
        } else {
            flags[i] |= STATE_KEY;
        }
        i += 1;
    }
}

/// Flags a state key that is the name of a base field. There are few base fields, so they are compared one by one.
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

/// Flags a tool name that an earlier action already uses. Duplicates within a derived skill are reported at the derive.
const fn tools<const C: usize>(skills: &[SkillSpec], actions: &[ActionSpec], flags: &mut [Flags]) {
    let mut table = [EMPTY; C];
    let mut n = 0;
    let mut i = 0;
    while i < skills.len() {
        let first = n;
        let mut j = 0;
        while j < skills[i].actions.len() {
            if actions[n].name.len() > LONGEST_NAME {
                flags[i] |= TOO_LONG;
            }
            if let Some(other) = insert(&mut table, actions, n)
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

/// Flags a route whose pattern and priority an earlier route already uses. Without this rule, the order of the two actions would
/// depend on the list. Duplicates within a derived skill are reported at the derive.
pub(crate) const fn routes<const C: usize>(skills: &[SkillSpec], flags: &mut [Flags]) {
    let mut table = [(EMPTY, 0, 0); C];
    let mut i = 0;
    while i < skills.len() {
        let mut j = 0;
        while j < skills[i].actions.len() {
            let routes = skills[i].actions[j].routes;
            let mut r = 0;
            while r < routes.len() {
                let mut slot = route_hash(&skills[i], &routes[r]) as usize & (C - 1);
                while table[slot].0 != EMPTY {
                    let (s, a, o) = table[slot];
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
                    slot = (slot + 1) & (C - 1);
                }
                if table[slot].0 == EMPTY {
                    table[slot] = (i as u32, j, r);
                }
                r += 1;
            }
            j += 1;
        }
        i += 1;
    }
}

/// Splits a pattern into its first segment and the rest. If the first segment is the skill's name, the alias replaces it:
/// `calculator.add` of `Calculator as calc` begins with `calc`.
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

/// Flags listed skills with an action whose hint the agent forbids. The agent's own actions are reported one by one.
const fn forbidden(agent: &AgentSpec, skills: &[SkillSpec], flags: &mut [Flags]) {
    let mut i = 1;
    while i < skills.len() {
        if is_forbidden(agent, &skills[i]) {
            flags[i] |= FORBIDDEN;
        }
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::composition::index::find_skill;
    use proptest::prelude::*;

    /// Generates short names, some of them equal. In small tables, many names share a slot, including the last slot.
    fn names() -> impl Strategy<Value = Vec<String>> {
        prop::collection::vec("[ab][ab0_]{0,2}", 0..7)
    }

    /// Returns the skills with a placeholder for the agent in front.
    fn after_agent(skills: impl IntoIterator<Item = SkillSpec>) -> Vec<SkillSpec> {
        std::iter::once(SkillSpec::new("agent"))
            .chain(skills)
            .collect()
    }

    proptest! {
        #[test]
        fn each_skill_is_found_by_its_name_and_repeated_names_are_flagged(
            names in names(),
            others in names(),
        ) {
            let specs = names.iter().map(|name| SkillSpec::new(name.clone().leak()));
            let skills = after_agent(specs);
            let mut flags = vec![0; skills.len()];
            let table = name_table::<8>(&skills, &mut flags);
            for name in names.iter().chain(&others) {
                let first = names.iter().position(|other| other == name);
                let found = find_skill(&table, &skills, name);
                prop_assert_eq!(found, first.map(|first| first + 1), "{}", name);
            }
            for (index, name) in names.iter().enumerate() {
                let is_repeated = names[..index].contains(name);
                prop_assert_eq!(flags[index + 1] == NAME, is_repeated, "{}", name);
            }
        }

        #[test]
        fn each_route_of_two_skills_is_flagged(patterns in names()) {
            let specs = patterns.iter().map(|pattern| {
                let mut action = ActionSpec::nothing("act");
                action.routes = vec![Route::new(pattern.clone().leak())].leak();
                let mut skill = SkillSpec::new("skill");
                skill.actions = vec![action].leak();
                skill
            });
            let skills = after_agent(specs);
            let mut flags = vec![0; skills.len()];
            routes::<8>(&skills, &mut flags);
            for (index, pattern) in patterns.iter().enumerate() {
                let is_repeated = patterns[..index].contains(pattern);
                prop_assert_eq!(flags[index + 1] == ROUTE, is_repeated, "{}", pattern);
            }
        }
    }
}
