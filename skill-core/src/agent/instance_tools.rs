//! The tools of an agent by the instance that they belong to.

use crate::{Agent, Mounted, SkillSpec, Tool};

/// The tools of one instance of a skill.
#[derive(Clone, Debug)]
pub struct InstanceTools {
    /// The spec of the instance, or of the agent for its own actions.
    pub skill: &'static SkillSpec,
    /// Its tools under their names in the agent.
    pub tools: Vec<Tool<'static>>,
}

/// The tools of the listed skills by instance, in the order of the list; the agent itself comes first.
pub fn listed_tools<G: Agent>() -> Vec<InstanceTools> {
    let tables = G::__tables();
    let skills = tables.skills.iter();
    let mut instances: Vec<_> = skills
        .map(|skill| InstanceTools {
            skill,
            tools: Vec::new(),
        })
        .collect();
    for tool in tables.tools {
        if let Some((index, _)) = tables.find(tool.name) {
            let skill = tables.action_ids[index].skill as usize;
            instances[skill].tools.push(*tool);
        }
    }
    instances
}

/// The specs of the enabled mounted skills, in the order of mounting.
pub fn mounted_skills<G: Agent>(agent: &G) -> Vec<&'static SkillSpec> {
    let mounted = G::__mounted(agent.__parts().0);
    mounted.map(Mounted::enabled_specs).unwrap_or_default()
}

/// The tools of a mounted skill.
pub fn tools_of_mounted(skill: &'static SkillSpec) -> InstanceTools {
    let actions = skill.actions.iter().filter(|action| !action.internal);
    InstanceTools {
        skill,
        tools: actions.map(Tool::of).collect(),
    }
}
