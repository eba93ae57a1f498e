//! A server as a source of tools.

use super::{Listed, Version};
use crate::list::{Instructions, ListedTool, ToolGroup, ToolKind};
use skill_agent_server::{ErasedServer, ServeError};
use skill_core::process::{InstanceTools, tools_of_mounted};
use skill_core::{SkillSpec, Tool};
use std::ptr;
use std::sync::Arc;

/// The skills that were mounted when a list was made.
pub(super) type MountedSkills = Vec<&'static SkillSpec>;

/// A server, and the tools of its agent's listed skills, which never change.
#[derive(Debug)]
pub(crate) struct ServerSource {
    pub(crate) server: ErasedServer,
    tools: Vec<Arc<ListedTool>>,
    instructions: Vec<Instructions>,
    /// The deferred skills, or one group for the whole agent.
    groups: Vec<ToolGroup>,
    /// Whether the whole agent is one group.
    is_deferred: bool,
}

impl ServerSource {
    pub(crate) fn new(server: ErasedServer) -> Self {
        let agent = server.spec().name;
        let instances = server.listed_tools();
        let kind = |tool: &Tool<'_>| {
            if server.is_async(tool.name) {
                ToolKind::AsyncAction
            } else {
                ToolKind::PureAction
            }
        };
        let tools = instances
            .iter()
            .flat_map(|instance| tools_in_lane(agent, instance, kind));
        let skills = instances.iter().map(|instance| instance.skill);
        let groups = skills.clone().filter(|skill| skill.deferred);
        Self {
            tools: tools.collect(),
            instructions: skills.filter_map(instructions_of).collect(),
            groups: groups.map(|skill| group_of(agent, skill)).collect(),
            is_deferred: false,
            server,
        }
    }

    /// Makes all tools of the agent one group.
    pub(super) fn defer(&mut self, description: String) {
        self.is_deferred = true;
        let name = self.name().to_owned();
        for listed in &mut self.tools {
            Arc::make_mut(listed).group = Some(name.clone());
        }
        self.groups = vec![ToolGroup {
            source: name.clone(),
            name,
            description,
        }];
    }

    pub(super) fn groups(&self) -> Vec<ToolGroup> {
        self.groups.clone()
    }

    pub(crate) fn name(&self) -> &'static str {
        self.server.spec().name
    }

    pub(super) fn listed(&self, mounted: MountedSkills) -> Listed {
        let others = mounted.iter().map(|&skill| tools_of_mounted(skill));
        // only listed skills can have async actions
        let others = others
            .flat_map(|instance| tools_in_lane(self.name(), &instance, |_| ToolKind::PureAction))
            .map(|mut listed| {
                if self.is_deferred {
                    Arc::make_mut(&mut listed).group = Some(self.name().to_owned());
                }
                listed
            });
        Listed {
            tools: self.tools.iter().cloned().chain(others).collect(),
            version: Version::Mounted(mounted),
        }
    }

    pub(super) fn instructions(&self, version: &Version) -> Vec<Instructions> {
        let mounted = mounted(version).iter().copied();
        let mounted = mounted.filter_map(instructions_of);
        let all = self.instructions.iter().cloned().chain(mounted);
        let whole = self.is_deferred.then(|| self.name().to_owned());
        let all = all.map(|instructions| Instructions {
            group: whole.clone().or(instructions.group),
            ..instructions
        });
        all.collect()
    }

    pub(super) async fn list(&self, known: &Version) -> Result<Option<Listed>, String> {
        if let Some(reason) = self.server.stop_reason() {
            return Err(format!("the server has stopped: {reason}"));
        }
        if !self.server.mounts() {
            return Ok(None);
        }
        let now = self.server.mounted_skills().await;
        let now = match now {
            Ok(now) => now,
            // an action of this server asked for the list; for other callers, the server responds
            Err(ServeError::Deadlock(_)) => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        // equal specs usually share an address; a spec at a different address is compared by its tools
        let known = mounted(known);
        let is_same =
            known.len() == now.len() && known.iter().zip(&now).all(|(a, b)| ptr::eq(*a, *b));
        Ok((!is_same).then(|| self.listed(now)))
    }
}

fn mounted(version: &Version) -> &[&'static SkillSpec] {
    match version {
        Version::Mounted(mounted) => mounted,
        _ => &[],
    }
}

fn tools_in_lane(
    agent: &str,
    instance: &InstanceTools,
    kind: impl Fn(&Tool<'_>) -> ToolKind,
) -> Vec<Arc<ListedTool>> {
    let lane = format!("{agent}/{}", instance.skill.name);
    let listed = |tool: &Tool<'_>| {
        Arc::new(ListedTool {
            tool: tool.to_buf(),
            lane: lane.clone(),
            source: agent.to_owned(),
            group: instance
                .skill
                .deferred
                .then(|| instance.skill.name.to_owned()),
            kind: kind(tool),
            asks: false,
        })
    };
    instance.tools.iter().map(listed).collect()
}

fn instructions_of(skill: &SkillSpec) -> Option<Instructions> {
    skill.instructions.map(|text| Instructions {
        origin: skill.name.to_owned(),
        text: text.to_owned(),
        group: skill.deferred.then(|| skill.name.to_owned()),
    })
}

fn group_of(agent: &str, skill: &SkillSpec) -> ToolGroup {
    ToolGroup {
        name: skill.name.to_owned(),
        source: agent.to_owned(),
        description: skill.description.unwrap_or_default().to_owned(),
    }
}
