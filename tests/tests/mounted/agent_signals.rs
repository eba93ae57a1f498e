//! Signals to agents that mount skills, and the order in which skills receive them.

use crate::common::mounting_agent::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::core::DeliverError;
use skill_agent::core::directive::Origin;
use skill_agent::prelude::*;
use std::error::Error;

#[test]
fn signal_handlers_can_mount_skills_and_mounted_skills_receive_signals() {
    let mut agent = MountingAgent::new();
    let skill = |ty: &'static str, skill: &str| Signal::new(ty, json!({ "skill": skill }));
    let up = Signal::new("count.up", json!({}));
    assert!(agent.deliver(&up).unwrap().is_none());

    let directives = agent
        .deliver(&skill("enable_skill", "counter"))
        .unwrap()
        .unwrap();
    assert_eq!(registered(&directives), ["+increment", "+reset"]);
    let directives = agent.deliver(&up).unwrap().unwrap();
    assert!(matches!(&directives[..], [Directive::Emit(signal)] if signal.data() == &json!(1)));

    let before = agent.clone();
    let error = agent.deliver(&skill("fail", "auth")).unwrap_err();
    assert_eq!(error.source().unwrap().to_string(), "not today");
    assert!(agent.deliver(&skill("other", "auth")).unwrap().is_none());
    let error = agent
        .deliver(&Signal::new("count.fail", json!({})))
        .unwrap_err();
    assert!(matches!(error, DeliverError::Hook { .. }));
    assert_eq!(agent, before);

    let directives = agent
        .deliver(&skill("disable_skill", "counter"))
        .unwrap()
        .unwrap();
    assert_eq!(registered(&directives), ["-increment", "-reset"]);
    assert!(agent.deliver(&up).unwrap().is_none());
}

/// Requires the skill that is listed after it.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "listed_first", requires("listed_second"), hooks)]
pub struct ListedFirst {}

/// Requires nothing.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "listed_second", hooks)]
pub struct ListedSecond {}

impl Hooks for ListedFirst {
    fn handle_signal(&mut self, _: &Signal, cx: &mut Context<Self>) -> Result<Handled, HookError> {
        cx.stop("listed_first");
        Ok(Handled::Done)
    }
}

impl Hooks for ListedSecond {
    fn handle_signal(&mut self, _: &Signal, cx: &mut Context<Self>) -> Result<Handled, HookError> {
        cx.stop("listed_second");
        Ok(Handled::Done)
    }
}

agent! {
    struct OrderedAgent { name: "ordered_agent", skills: [ListedFirst, ListedSecond] }
}

#[test]
fn a_signal_is_offered_to_required_skills_first() {
    let signal = Signal::new("bell", json!({}));
    let directives = OrderedAgent::new().deliver(&signal).unwrap().unwrap();
    assert_eq!(
        directives,
        [Directive::stop(
            "listed_second",
            Origin::new("listed_second")
        )]
    );
}
