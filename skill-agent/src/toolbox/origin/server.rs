//! A server as a source.

use crate::server::ErasedServer;
use crate::toolbox::list::{Instructions, ListedTool};
use skill_core::process::{InstanceTools, tools_of_mounted};
use skill_core::{SkillSpec, Tool};
use std::ptr;
use std::sync::Arc;

/// The skills that were mounted when they were listed.
pub(in crate::toolbox) type MountedSkills = Vec<&'static SkillSpec>;

/// A server, and the tools of the skills that its agent lists, which never change.
#[derive(Debug)]
pub(in crate::toolbox) struct ServerOrigin {
    pub(in crate::toolbox) server: ErasedServer,
    name: String,
    tools: Vec<Arc<ListedTool>>,
    instructions: Vec<Instructions>,
}

impl ServerOrigin {
    pub(in crate::toolbox) fn new(server: ErasedServer) -> Self {
        let name = server.spec().name.to_owned();
        let instances = server.listed_tools();
        Self {
            tools: instances
                .iter()
                .flat_map(|instance| listed(&name, instance))
                .collect(),
            instructions: instances
                .iter()
                .filter_map(|instance| instructions(instance.skill))
                .collect(),
            server,
            name,
        }
    }

    pub(in crate::toolbox) fn name(&self) -> &str {
        &self.name
    }

    /// The tools with those of mounted skills.
    pub(in crate::toolbox) fn tools(&self, mounted: &[&'static SkillSpec]) -> Vec<Arc<ListedTool>> {
        let mounted = mounted.iter().map(|&skill| tools_of_mounted(skill));
        let mounted = mounted.flat_map(|instance| listed(&self.name, &instance));
        self.tools.iter().cloned().chain(mounted).collect()
    }

    /// The instructions of the skills with those of mounted ones.
    pub(in crate::toolbox) fn instructions(
        &self,
        mounted: &[&'static SkillSpec],
    ) -> Vec<Instructions> {
        let mounted = mounted.iter().filter_map(|skill| instructions(skill));
        self.instructions.iter().cloned().chain(mounted).collect()
    }

    /// The skills that are mounted now; `None` if they are those that are known.
    ///
    /// # Errors
    /// If the server does not answer.
    pub(in crate::toolbox) async fn mounted(
        &self,
        known: &[&'static SkillSpec],
    ) -> Result<Option<MountedSkills>, String> {
        if let Some(reason) = self.server.stop_reason() {
            return Err(format!("the server has stopped: {reason}"));
        }
        if !self.server.mounts() {
            return Ok(None);
        }
        let mounted = self.server.mounted_skills().await;
        let mounted = mounted.map_err(|error| error.to_string())?;
        // the spec of a skill is a static
        let is_same = known.len() == mounted.len()
            && known.iter().zip(&mounted).all(|(a, b)| ptr::eq(*a, *b));
        Ok((!is_same).then_some(mounted))
    }
}

fn listed(agent: &str, instance: &InstanceTools) -> Vec<Arc<ListedTool>> {
    let lane = format!("{agent}/{}", instance.skill.name);
    let listed = |tool: &Tool<'_>| {
        Arc::new(ListedTool {
            tool: tool.to_buf(),
            lane: lane.clone(),
            source: agent.to_owned(),
        })
    };
    instance.tools.iter().map(listed).collect()
}

fn instructions(skill: &SkillSpec) -> Option<Instructions> {
    skill.instructions.map(|text| Instructions {
        origin: skill.name.to_owned(),
        text: text.to_owned(),
    })
}
