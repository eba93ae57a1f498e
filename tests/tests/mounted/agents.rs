//! Agents that mount skills: the key `mounted` of `agent!`, and `cx.mount`.

use crate::common::mounted_fixtures::*;
use crate::common::mounting_agent::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::core::Stamp;
use skill_agent::core::process::{self, Input, Transaction};
use skill_agent::prelude::*;
use std::time::SystemTime;

/// Runs an action and returns its directives.
type RunWith<'a> = dyn Fn(&mut MountingAgent) -> Vec<Directive> + 'a;

#[test]
fn an_action_mounts_a_skill_through_every_kind_of_call() {
    let mount = || Enable {
        skill: "counter".into(),
        options: json!({ "step": 2 }),
    };
    let instruction = Instruction::of(&mount()).unwrap();
    let text = instruction.params.to_string();
    let stamp = Stamp::new(SystemTime::UNIX_EPOCH, "c-1");
    let ways: [(&str, &RunWith<'_>); 5] = [
        ("cmd", &|agent| agent.cmd(mount()).unwrap().directives),
        ("cmd_stamped", &|agent| {
            agent.cmd_stamped(&stamp, mount()).unwrap().directives
        }),
        ("call_json", &|agent| {
            agent.call_json("enable", &text).unwrap().directives
        }),
        ("call_json_stamped", &|agent| {
            agent
                .call_json_stamped(&stamp, "enable", &text)
                .unwrap()
                .directives
        }),
        ("run", &|agent| {
            agent
                .run(std::slice::from_ref(&instruction))
                .unwrap()
                .directives
        }),
    ];
    for (way, run) in ways {
        let mut agent = MountingAgent::new();
        let directives = run(&mut agent);
        assert_eq!(registered(&directives), ["+increment", "+reset"], "{way}");
        let cause = if way.ends_with("_stamped") {
            Some("c-1")
        } else {
            None
        };
        assert!(
            directives.iter().all(|directive| matches!(
                directive,
                Directive::RegisterAction { skill, origin, .. }
                    if skill == "counter" && origin.skill == "counter" && origin.cause.as_deref() == cause
                        && origin.tags == ["skill"]
            )),
            "{way}: {directives:?}"
        );
        assert_eq!(
            state(&agent),
            json!({ "open": true, "manager": { "asked": 1 }, "skills": { "counter": { "count": 0, "step": 2 } } }),
            "{way}"
        );
        let again = run(&mut agent);
        assert!(again.is_empty(), "{way}: idempotent");
    }
}

#[test]
fn mounted_actions_are_found_after_listed_ones() {
    let mut agent = MountingAgent::new();
    assert_eq!(
        agent.call_json("increment", "{}").unwrap_err().to_string(),
        "the skill `counter` is not mounted, so `increment` cannot be called; mount it first: `mount(\"counter\", ...)`"
    );
    agent.mounted_mut().mount::<Counter>(&json!({})).unwrap();
    assert_eq!(agent.call_json("increment", "{}").unwrap().output, "1");
    let run = agent.run(&[
        Instruction::new("enable", json!({ "skill": "auth" })),
        Instruction::new("log_in", json!({ "user": "ann" })),
        Instruction::new("reset", json!({})),
        Instruction::new("increment", json!({})),
    ]);
    assert_eq!(run.unwrap().output[3], json!(1));
    assert_eq!(
        agent.call_json("reset", "{}").unwrap_err().to_string(),
        "the action `reset` is internal: only code, routes and other actions may run it"
    );
    assert_eq!(
        agent.call_json("log_ni", "{}").unwrap_err().to_string(),
        "the agent `mounting_agent` has no action `log_ni`; did you mean `log_in`?"
    );
    assert_eq!(
        MountingAgent::tools()
            .iter()
            .map(|tool| tool.name)
            .collect::<Vec<_>>(),
        ["enable", "enable_both", "disable", "try_out"]
    );
    assert_eq!(
        agent
            .all_tools()
            .iter()
            .map(|tool| tool.name)
            .collect::<Vec<_>>(),
        [
            "enable",
            "enable_both",
            "disable",
            "try_out",
            "increment",
            "log_in"
        ]
    );
    assert_eq!(
        PlainAgent::new().all_tools().len(),
        PlainAgent::tools().len()
    );
}

#[test]
fn a_refused_mount_fails_a_call_by_name_and_is_a_directive_of_a_typed_one() {
    let mut agent = MountingAgent::new();
    let refused = [
        (
            json!({ "skill": "countr" }),
            "no skill or document `countr` is in the registry; did you mean `counter`?",
        ),
        (
            json!({ "skill": "search" }),
            "`search` requires `auth`, which is not mounted; mount `auth` first",
        ),
        (
            json!({ "skill": "counter", "options": { "stp": 1 } }),
            "the options of `counter` are wrong: `counter.stp`: unknown field `stp`, expected `count` or \
             `step`; did you mean `step`?",
        ),
    ];
    for (n, (arguments, message)) in refused.into_iter().enumerate() {
        let failed = format!("a mount operation that `enable` queued failed: {message}");
        let error = agent.call_json("enable", &arguments.to_string());
        assert_eq!(error.unwrap_err().to_string(), failed);
        let instruction = Instruction::new("enable", arguments.clone());
        let error = agent.run(&[instruction]).unwrap_err();
        assert!(error.to_string().ends_with(&failed), "{error}");
        assert_eq!(agent.state().manager.asked, n as u32, "undone");
        let action: Enable = serde_json::from_value(arguments).unwrap();
        let outcome = agent.cmd(action).unwrap();
        assert_eq!(outcome.output, n as u32 + 1);
        let expected = [("manager".to_owned(), message.to_owned())];
        assert_eq!(errors(&outcome.directives), expected);
        assert!(agent.mounted().is_empty());
    }
}

#[test]
fn the_mounts_of_one_action_are_applied_together_or_not_at_all() {
    let mut agent = MountingAgent::new();
    let both = |first: &str, then: &str| EnableBoth {
        first: first.into(),
        then: then.into(),
    };
    let directives = agent.cmd(both("counter", "search")).unwrap().directives;
    assert_eq!(errors(&directives).len(), 1);
    assert!(agent.mounted().is_empty());
    let directives = agent.cmd(both("auth", "search")).unwrap().directives;
    assert_eq!(registered(&directives), ["+log_in", "+query"]);

    let directives = agent
        .cmd(Disable {
            skill: "auth".into(),
        })
        .unwrap()
        .directives;
    assert_eq!(
        errors(&directives),
        [(
            "manager".to_owned(),
            "`auth` cannot be unmounted, because `search` requires it; unmount `search` first"
                .to_owned()
        )]
    );
    let directives = agent
        .cmd(Disable {
            skill: "search".into(),
        })
        .unwrap()
        .directives;
    assert_eq!(registered(&directives), ["-query"]);
    assert!(
        agent
            .cmd(Disable {
                skill: "search".into()
            })
            .unwrap()
            .directives
            .is_empty()
    );
}

#[test]
fn an_action_that_fails_mounts_nothing() {
    let mut agent = MountingAgent::new();
    let before = agent.clone();
    assert!(
        agent
            .cmd(TryOut {
                skill: "counter".into()
            })
            .is_err()
    );
    assert!(
        agent
            .call_json("try_out", r#"{"skill":"counter"}"#)
            .is_err()
    );
    let run = agent.run(&[
        Instruction::new("enable", json!({ "skill": "counter" })),
        Instruction::new("increment", json!({})),
        Instruction::new("try_out", json!({ "skill": "auth" })),
    ]);
    assert_eq!(
        run.unwrap_err().to_string(),
        "instruction 3 (`try_out`) failed: not today"
    );
    assert_eq!(agent, before);
}

#[test]
fn a_failed_run_restores_mounted_states() {
    let mut agent = MountingAgent::new();
    agent.mounted_mut().mount::<Counter>(&json!({})).unwrap();
    let before = agent.clone();
    let run = agent.run(&[
        Instruction::new("increment", json!({})),
        Instruction::new("disable", json!({ "skill": "counter" })),
        Instruction::new("increment", json!({})),
    ]);
    let error = run.unwrap_err();
    assert_eq!(error.index, 2);
    assert_eq!(
        error.source.to_string(),
        "the skill `counter` is not mounted, so `increment` cannot be called; mount it first: `mount(\"counter\", ...)`"
    );
    assert_eq!(agent, before);
}

#[test]
fn mounting_in_an_agent_without_a_mounted_list_is_an_error() {
    let mut agent = PlainAgent::new();
    let directives = agent
        .cmd(Enable {
            skill: "counter".into(),
            options: json!({}),
        })
        .unwrap()
        .directives;
    let message = "the agent `plain_agent` has no mountable skills, so `counter` cannot be mounted or unmounted; write `mounted: [...]` in its `agent!`";
    assert_eq!(
        errors(&directives),
        [("manager".to_owned(), message.to_owned())]
    );
    assert_eq!(
        serde_json::to_value(agent.state()).unwrap(),
        json!({ "manager": { "asked": 1 } })
    );
    assert!(agent.set(&json!({ "skills": {} })).is_err());
}

#[test]
fn mounted_skills_see_the_name_and_id_of_the_agent() {
    let mut agent = MountingAgent::with_id("h-1");
    agent.mounted_mut().mount::<Watcher>(&json!({})).unwrap();
    assert_eq!(
        agent.call_json("look", "{}").unwrap().output,
        r#"["mounting_agent","h-1","watcher"]"#
    );
}

/// Returns what its context shows, and mounts another skill.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "watcher", actions(Look, EnableAuth))]
pub struct Watcher {}

/// Return the names and ids of the context.
#[action]
pub fn look(_: &Watcher, cx: &mut Context<Watcher>) -> (String, Option<String>, String) {
    let id = cx.agent_id().map(str::to_owned);
    (cx.agent_name().to_owned(), id, cx.skill().to_owned())
}

/// Mount another skill and unmount this one.
#[action]
pub fn enable_auth(_: &Watcher, cx: &mut Context<Watcher>) {
    cx.mount("auth", &json!({}));
    cx.unmount("watcher");
}

#[test]
fn an_action_of_a_mounted_skill_can_mount_skills() {
    let mut agent = MountingAgent::new();
    agent.mounted_mut().mount::<Watcher>(&json!({})).unwrap();
    let directives = agent.call_json("enable_auth", "{}").unwrap().directives;
    assert_eq!(
        registered(&directives),
        ["+log_in", "-look", "-enable_auth"]
    );
    assert_eq!(agent.mounted().names().collect::<Vec<_>>(), ["auth"]);
}

#[test]
fn a_listed_skill_cannot_also_be_mounted() {
    let mut agent = MountingAgent::new();
    let error = agent
        .mounted_mut()
        .mount::<Manager>(&json!({}))
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the agent already has a skill `manager`")
    );
}

agent! {
    /// Lists skills under aliases, and has `#[cfg]` entries.
    pub struct AliasingAgent {
        name: "aliasing_agent",
        skills: [Counter as tally, Auth as door],
        mounted: [#[cfg(any())] SameStateKey, #[cfg(all())] Counter, Search, SameActionName],
    }
}

#[test]
fn a_requirement_is_met_by_an_aliased_skill() {
    let mut agent = AliasingAgent::new();
    agent
        .mounted_mut()
        .mount_named("search", &json!({}))
        .unwrap();
    agent
        .mounted_mut()
        .mount_named("counter", &json!({}))
        .unwrap();
    assert_eq!(agent.call_json("increment", "{}").unwrap().output, "1");
    assert_eq!(
        agent.call_json("tally_increment", "{}").unwrap().output,
        "1"
    );
    // two skills of the `mounted` list may share an action name, but not be mounted together
    assert!(
        agent
            .mounted_mut()
            .mount_named("same_action_name", &json!({}))
            .is_err()
    );
    assert!(
        agent
            .mounted_mut()
            .mount_named("same_state_key", &json!({}))
            .is_err()
    );
}

#[test]
fn a_transaction_can_call_internal_actions_of_mounted_skills() {
    let mut agent = MountingAgent::new();
    agent.mounted_mut().mount::<Counter>(&json!({})).unwrap();
    agent.call_json("increment", "{}").unwrap();
    let reset = process::resolve(&agent, "reset").unwrap();
    let mut transaction = Transaction::begin(&mut agent);
    transaction.call(reset, Input::Text("{}"), None).unwrap();
    assert_eq!(transaction.commit().0.len(), 1);
    assert_eq!(state(&agent)["skills"]["counter"]["count"], 0);
}
