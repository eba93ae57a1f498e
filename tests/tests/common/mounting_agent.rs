//! An agent that mounts skills at run time by actions and signals, and one without `mounted` that tries to.

use super::mounted_fixtures::{Auth, Counter, Search};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::prelude::*;
use std::borrow::Cow;

/// Mounts and unmounts skills.
#[derive(Skill, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "manager", actions(Enable, EnableBoth, Disable, TryOut), hooks)]
pub struct Manager {
    pub asked: u32,
}

/// Mount a skill.
#[action]
pub fn enable(
    manager: &mut Manager,
    cx: &mut Context<Manager>,
    skill: String,
    #[arg(default = json!({}))] options: Value,
) -> u32 {
    cx.mount(skill, &options);
    manager.asked += 1;
    manager.asked
}

/// Mount two skills.
#[action]
pub fn enable_both(_: &Manager, cx: &mut Context<Manager>, first: String, then: String) {
    cx.mount(first, &json!({}));
    cx.mount(then, &json!({}));
}

/// Unmount a skill.
#[action]
pub fn disable(_: &Manager, cx: &mut Context<Manager>, skill: String) {
    cx.unmount(skill);
}

/// Mount a skill, and fail.
#[action]
pub fn try_out(_: &Manager, cx: &mut Context<Manager>, skill: String) -> Result<(), String> {
    cx.mount(skill, &json!({}));
    Err("not today".to_owned())
}

impl Hooks for Manager {
    fn handle_signal(
        &mut self,
        signal: &Signal,
        cx: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        let skill = signal.data()["skill"].as_str().unwrap_or_default();
        match signal.ty() {
            "enable_skill" => cx.mount(skill, &json!({})),
            "disable_skill" => cx.unmount(skill),
            "fail" => {
                cx.mount(skill, &json!({}));
                return Err(HookError::new("not today"));
            }
            _ => {
                cx.mount(skill, &json!({}));
                return Ok(Handled::Ignored);
            }
        }
        self.asked += 1;
        Ok(Handled::Done)
    }
}

agent! {
    /// Can mount three skills.
    #[derive(Debug, PartialEq, Eq, Hash)]
    pub struct MountingAgent {
        name: "mounting_agent",
        state: { open: bool = true },
        skills: [Manager],
        mounted: [Counter, Search, Auth],
    }
}

agent! {
    /// Has no `mounted` list.
    pub struct PlainAgent {
        name: "plain_agent",
        skills: [Manager],
    }
}

pub fn state(agent: &MountingAgent) -> Value {
    serde_json::to_value(agent.state()).unwrap()
}

pub fn errors(directives: &[Directive]) -> Vec<(String, String)> {
    let error = |directive: &Directive| match directive {
        Directive::Error {
            message, origin, ..
        } => (origin.skill.to_string(), message.clone()),
        other => panic!("{other:?}"),
    };
    directives.iter().map(error).collect()
}

/// Returns the names of the registered and deregistered actions, with `+` and `-`.
pub fn registered(directives: &[Directive]) -> Vec<String> {
    let name = |directive: &Directive| {
        let (sign, action) = match directive {
            Directive::RegisterAction { action, .. } => ('+', action),
            Directive::DeregisterAction { action, .. } => ('-', action),
            other => panic!("{other:?}"),
        };
        // the name is a constant of the skill, not a copy
        assert!(matches!(action, Cow::Borrowed(_)), "{action}");
        format!("{sign}{action}")
    };
    directives.iter().map(name).collect()
}
