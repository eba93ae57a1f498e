//! Finds clashes among an agent's skills.

use super::effects::{data_flow, with_skill};
use super::flags::*;
use super::members::{Members, NameKind};
use super::requirements::cycles;
use super::tables::AgentTables;
use crate::policy::DataFlow;
use crate::spec::Provenance;
use crate::{Route, SkillSpec};
use skill_agent_grammar::names::{SEED, Slot, insert};
use skill_agent_grammar::{LONGEST_NAME, fnv1a, fnv1a_on, position, same};

/// The rules that an agent's skills break, and a hash table of the agent's routes.
#[derive(Debug)]
pub struct CheckedSkills<const N: usize, const ROUTES: usize> {
    /// In the order of `Members`.
    pub flags: [Flags; N],
    pub(super) routes: [Option<RouteAt>; ROUTES],
}

/// A route's position: its skill, its action in the skill, and its place in the action.
pub(super) type RouteAt = [usize; 3];

/// Checks the skills that an agent lists or may mount. `N` is their number, [`members`](AgentTables::members). `NAMES` and
/// `ROUTES` are the capacities of the hash tables.
pub const fn examine<const N: usize, const NAMES: usize, const ROUTES: usize>(
    agent: &AgentTables,
) -> CheckedSkills<N, ROUTES> {
    let mut all = Members::of(agent);
    let mut flags = [0; N];
    let names = name_table::<NAMES>(&all, NameKind::Name, NAME, &mut flags);
    let declared = name_table::<NAMES>(&all, NameKind::Declared, 0, &mut flags);
    name_table::<NAMES>(&all, NameKind::StateKey, STATE_KEY, &mut flags);
    all.tables = [&names, &declared];
    let routes = route_table(agent.skills, &mut flags);
    let flow = match agent.mountable {
        // only mountable skills are checked against it
        [] => DataFlow::new(),
        _ => data_flow(agent),
    };
    let (mut at, mut first) = (1, agent.skills[0].actions.len());
    while at < N {
        flags[at] |= own_rules(&all, at, &flow) | action_rules(&all, at, first);
        first += all.skill(at).actions.len();
        at += 1;
    }
    cycles::<N>(&all, &mut flags);
    CheckedSkills { flags, routes }
}

/// Builds the table of one kind of name. Flags each skill whose name an earlier skill already has.
const fn name_table<const C: usize>(
    all: &Members<'_>,
    kind: NameKind,
    flag: Flags,
    flags: &mut [Flags],
) -> [Slot<'static>; C] {
    let mut table = [None; C];
    let mut at = 1;
    while at < all.len() {
        if let Some(name) = kind.of(all.skill(at))
            && insert(&mut table, SEED, false, name, at).is_some()
        {
            flags[at] |= flag;
        }
        at += 1;
    }
    table
}

/// Returns the rules about the skill itself that it breaks.
const fn own_rules(all: &Members<'_>, at: usize, flow: &DataFlow<'static>) -> Flags {
    let (skill, mut flags) = (all.skill(at), 0);
    if all.has_base_field(at) {
        flags |= BASE_FIELD;
    }
    // unresolved references were found when the instructions were rendered; `#[derive(Skill)]` itself reports those of a skill
    // without requirements
    let is_reported = skill.provenance.is(Provenance::Derive) && skill.requires.is_empty();
    if skill.has_unresolved_references() && !is_reported {
        flags |= REFERENCE;
    }
    // a data flow of the listed skills alone is reported at the agent
    if !all.is_listed(at)
        && !flow.is_complete()
        && with_skill(*flow, skill).is_refused_by(&all.agent.spec)
    {
        flags |= DATA_FLOW;
    }
    let mut r = 0;
    while r < skill.requires.len() {
        if !all.is_met(at, skill.requires[r]) {
            flags |= REQUIREMENT;
        }
        r += 1;
    }
    flags
}

/// Returns the rules that a skill's actions break. `first` is the index of the first one, if the skill is listed.
const fn action_rules(all: &Members<'_>, at: usize, first: usize) -> Flags {
    let (skill, mut flags) = (all.skill(at), 0);
    let mut a = 0;
    while a < skill.actions.len() {
        let action = &skill.actions[a];
        if all.agent.spec.forbids(action.hints) {
            flags |= FORBIDDEN;
        }
        if !all.is_listed(at) {
            if action.is_async {
                flags |= ASYNC;
            }
            if all.same_action(at, a, action.name).is_some() {
                flags |= MOUNTED_TOOL;
            }
        } else {
            let name = all.agent.actions[first + a].name;
            if name.len() > LONGEST_NAME {
                flags |= TOO_LONG;
            }
            if let Some(other) = all.same_action(at, a, name)
                && counts(skill, at, other.skill as usize)
            {
                flags |= TOOL;
            }
        }
        a += 1;
    }
    flags
}

/// Returns whether a duplicate in `other` is reported at the skill. Duplicates within a derived skill are reported at the derive.
const fn counts(skill: &SkillSpec, at: usize, other: usize) -> bool {
    other != at || skill.provenance.is(Provenance::Hand)
}

/// Builds the table of the skills' routes. Flags each skill with a route whose pattern and priority an earlier route already
/// uses. Without this rule, the order of the two actions would depend on the list.
pub(super) const fn route_table<const C: usize>(
    skills: &[SkillSpec],
    flags: &mut [Flags],
) -> [Option<RouteAt>; C] {
    let mut table = [None; C];
    let mut s = 0;
    while s < skills.len() {
        let mut a = 0;
        while a < skills[s].actions.len() {
            let routes = skills[s].actions[a].routes;
            let mut r = 0;
            while r < routes.len() {
                let slot = route_slot(&table, skills, &skills[s], &routes[r]);
                match table[slot] {
                    None => table[slot] = Some([s, a, r]),
                    Some([other, ..]) if counts(&skills[s], s, other) => flags[s] |= ROUTE,
                    Some(_) => {}
                }
                r += 1;
            }
            a += 1;
        }
        s += 1;
    }
    table
}

/// Returns the slot of the first route with the pattern and priority of a skill's route, or the free slot for it.
pub(super) const fn route_slot(
    table: &[Option<RouteAt>],
    skills: &[SkillSpec],
    skill: &SkillSpec,
    route: &Route,
) -> usize {
    let mask = table.len() - 1;
    let (first, rest) = pattern_of(skill, route);
    let hash = fnv1a_on(fnv1a(first), rest) ^ route.priority as u64;
    let mut slot = hash as usize & mask;
    while let Some([s, a, r]) = table[slot] {
        let other = &skills[s].actions[a].routes[r];
        let (other_first, other_rest) = pattern_of(&skills[s], other);
        if other.priority == route.priority && same(other_first, first) && same(other_rest, rest) {
            break;
        }
        slot = (slot + 1) & mask;
    }
    slot
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ActionSpec;
    use proptest::prelude::*;
    use std::sync::OnceLock;

    /// Generates short names, some of them equal. In small tables, many names share a slot, including the last slot.
    fn names() -> impl Strategy<Value = Vec<String>> {
        prop::collection::vec("[ab][ab0_]{0,2}", 0..7)
    }

    proptest! {
        #[test]
        fn each_skill_is_found_by_its_name_and_repeated_names_are_flagged(
            names in names(),
            others in names(),
        ) {
            let specs: Vec<_> = names
                .iter()
                .map(|name| &*Box::leak(Box::new(SkillSpec::new(name.clone().leak()))))
                .collect();
            static SCHEMA: OnceLock<schemars::Schema> = OnceLock::new();
            let agent = AgentTables::empty(&SCHEMA);
            let linear = Members::new(&agent, &specs);
            let mut flags = vec![0; linear.len()];
            let table = name_table::<8>(&linear, NameKind::Name, NAME, &mut flags);
            let mut hashed = linear;
            hashed.tables = [&table, &[]];
            for name in names.iter().chain(&others) {
                let first = names.iter().position(|other| other == name);
                for all in [linear, hashed] {
                    let found = all.required(all.len() - 1, name);
                    prop_assert_eq!(found, first.map(|first| first + 1), "{}", name);
                }
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
            let skills: Vec<_> = std::iter::once(SkillSpec::new("agent")).chain(specs).collect();
            let mut flags = vec![0; skills.len()];
            route_table::<8>(&skills, &mut flags);
            for (index, pattern) in patterns.iter().enumerate() {
                let is_repeated = patterns[..index].contains(pattern);
                prop_assert_eq!(flags[index + 1] == ROUTE, is_repeated, "{}", pattern);
            }
        }
    }
}
