//! An assistant that signals give skills to, and take them from (seed 000, section 6.3).

use super::{Arithmetic, Auth, AuthenticatedSearch, Counter, HttpClient};
use serde_json::{Value, json};
use skill_agent::prelude::*;

agent! {
    /// Begins without skills, and can gain those of its list.
    #[derive(Debug, PartialEq)]
    pub struct Assistant {
        name: "assistant",
        hooks,
        mounted: [Arithmetic, Counter, AuthenticatedSearch, Auth, HttpClient],
    }
}

impl Hooks for AssistantBase {
    /// `enable_skill` mounts the skill it names, `disable_skill` unmounts it; all else is for the skills.
    fn handle_signal(
        &mut self,
        signal: &Signal,
        cx: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        let skill = || match signal.data()["skill"].as_str() {
            Some(name) => Ok(name.to_owned()),
            None => Err(HookError::new("`skill` is missing: the name of one")),
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
