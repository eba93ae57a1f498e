//! An agent's tools, grouped by instance.

use crate::{Agent, Mounted, SkillSpec, Tool};

/// The tools of one instance.
#[derive(Clone, Debug)]
pub struct InstanceTools {
    /// The instance's spec. For the agent's own actions, this is the agent's spec.
    pub skill: &'static SkillSpec,
    /// The instance's tools under their names in the agent.
    pub tools: Vec<Tool<'static>>,
}

/// Returns the tools of the listed skills, grouped by instance, in list order. The agent itself comes first.
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

/// Returns the specs of the enabled mounted skills, in mounting order.
pub fn mounted_skills<G: Agent>(agent: &G) -> Vec<&'static SkillSpec> {
    let mounted = G::__mounted(agent.__parts().0);
    mounted.map(Mounted::enabled_specs).unwrap_or_default()
}

/// Returns a mounted skill's tools.
pub fn tools_of_mounted(skill: &'static SkillSpec) -> InstanceTools {
    let actions = skill.actions.iter().filter(|action| !action.internal);
    InstanceTools {
        skill,
        tools: actions.map(Tool::of).collect(),
    }
}
