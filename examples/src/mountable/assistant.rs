//! An assistant that mounts and unmounts skills by signals.

use super::{Arithmetic, Auth, AuthenticatedSearch, Counter, HttpClient};
use serde_json::{Value, json};
use skill_agent::prelude::*;

agent! {
    /// Starts without skills, and can mount the skills of its list.
    #[derive(Debug, PartialEq)]
    pub struct Assistant {
        name: "assistant",
        hooks,
        mounted: [Arithmetic, Counter, AuthenticatedSearch, Auth, HttpClient],
    }
}

impl Hooks for AssistantBase {
    /// Mounts the skill that `enable_skill` names, and unmounts the one that `disable_skill` names.
    fn handle_signal(
        &mut self,
        signal: &Signal,
        cx: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        let skill = || match signal.data()["skill"].as_str() {
            Some(name) => Ok(name),
            None => Err(HookError::new(
                "`skill` is missing: write the name of a skill",
            )),
        };
        match signal.ty() {
            "enable_skill" => match &signal.data()["options"] {
                Value::Null => cx.mount(skill()?, &json!({})),
                options => cx.mount(skill()?, options),
            },
            "disable_skill" => cx.unmount(skill()?),
            _ => return Ok(Handled::Ignored),
        }
        Ok(Handled::Done)
    }
}
