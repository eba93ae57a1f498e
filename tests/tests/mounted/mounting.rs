//! Mounting skills into `Mounted`: refusals with their messages, requirements and signals.

use crate::common::mounted_fixtures::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::core::{DeliverError, NoConfig, Registry, SkillSpec};
use skill_agent::prelude::*;
use std::collections::HashSet;

fn nothing() -> Value {
    json!({})
}

#[test]
fn each_refusal_has_its_message() {
    let mut skills = Mounted::with_registry(Registry::of::<(Counter, Search)>());
    let message_of = |error: Result<Vec<Directive>, MountError>| error.unwrap_err().to_string();

    assert_eq!(
        message_of(skills.mount::<Search>(&nothing())),
        "`search` requires `auth`, which is not mounted; mount `auth` first"
    );
    skills.mount::<OldAuth>(&nothing()).unwrap();
    assert_eq!(
        message_of(skills.mount::<Search>(&nothing())),
        "`search` requires `auth` in a version that satisfies `^1.0`, but the available one has 0.9.0"
    );
    assert_eq!(
        message_of(skills.mount::<Auth>(&nothing())),
        "the name `auth` belongs to the mounted `mounted::common::mounted_fixtures::OldAuth`, not to \
         `mounted::common::mounted_fixtures::Auth`; unmount that one first, or `replace` it"
    );
    assert_eq!(
        message_of(skills.unmount::<Auth>()),
        message_of(skills.mount::<Auth>(&nothing()))
    );
    skills.replace::<Auth>(&nothing()).unwrap();
    skills.mount::<Search>(&nothing()).unwrap();
    assert_eq!(
        message_of(skills.unmount::<Auth>()),
        "`auth` cannot be unmounted, because `search` requires it; unmount `search` first"
    );
    assert_eq!(
        message_of(skills.replace::<OldAuth>(&nothing())),
        "`search` requires `auth` in a version that satisfies `^1.0`, but the available one has 0.9.0"
    );
    assert_eq!(
        message_of(skills.replace::<Counter>(&nothing())),
        "no skill or document `counter` is mounted"
    );
    assert_eq!(
        message_of(skills.enable("serch")),
        "no skill or document `serch` is mounted; did you mean `search`?"
    );
    assert_eq!(
        message_of(skills.mount_named("countr", &nothing())),
        "no skill or document `countr` is in the registry; did you mean `counter`?"
    );
    assert_eq!(
        message_of(skills.mount::<Counter>(&json!({ "counts": 1, "step": "two" }))),
        "the options of `counter` are wrong: 2 problems\n  \
         `counter.step`: invalid type: string \"two\", expected an integer\n  \
         `counter.counts`: unknown field `counts`, expected `count` or `step`; did you mean `count`?"
    );
    skills.mount::<Counter>(&nothing()).unwrap();
    assert_eq!(
        message_of(skills.mount::<SameStateKey>(&nothing())),
        "the state key `counter` of the skill `same_state_key` is already used by the skill `counter`; give one of them another `state_key`"
    );
    assert_eq!(
        message_of(skills.mount::<SameActionName>(&nothing())),
        "the action `increment` of the skill `same_action_name` has the same name as an action of `counter`; give one of them another `name`"
    );
    let mut both = Mounted::with_registry(Registry::of::<(Counter, OtherCounter)>());
    assert_eq!(
        message_of(both.mount_named("counter", &nothing())),
        "two entries of the registry have the name `counter`: `mounted::common::mounted_fixtures::Counter` and \
         `mounted::common::mounted_fixtures::OtherCounter`; remove one of them"
    );
}

#[test]
fn options_that_are_not_an_object_are_refused() {
    let mut skills = Mounted::new();
    for options in [json!(null), json!(1), json!("step")] {
        let error = skills.mount::<Counter>(&options).unwrap_err().to_string();
        assert!(error.contains("`counter`: "), "{error}");
    }
    // serde's derive would read the items as the fields in order
    for options in [json!([]), json!([9]), json!([9, 1]), json!([[9]])] {
        let error = skills.mount::<Counter>(&options).unwrap_err().to_string();
        let expected = "`counter`: invalid type: a list, expected an object";
        assert!(error.ends_with(expected), "{error}");
        let mut named = Mounted::with_registry(Registry::of::<(Counter,)>());
        assert!(named.mount_named("counter", &options).is_err());
        let all = json!({ "counter": options });
        assert!(named.mount_all_named(["counter"], &all).is_err());
    }
    assert!(skills.is_empty());
}

agent! {
    /// Lists two skills, one under an alias.
    pub struct ListingAgent {
        name: "listing_agent",
        skills: [Auth, Counter as tally],
        state: { open: u8 },
    }
}

/// Has the state key of a base field.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "other", state_key = "open")]
pub struct SameKeyAsBaseField {}

/// Has the alias of a listed skill as its name.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "tally", state_key = "other")]
pub struct SameNameAsAlias {}

/// Has an action with the name of one of an aliased skill.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "same_action_as_alias", actions(TallyReset))]
pub struct SameActionAsAlias {}

/// Share the name of an action of the agent.
#[action]
pub fn tally_reset(_: &SameActionAsAlias) {}

/// Requires a skill by its declared name.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "reader", requires("counter"))]
pub struct Reader {}

#[test]
fn listed_skills_reserve_their_names_and_meet_requirements() {
    let mut skills = Mounted::new().for_agent::<ListingAgent>();
    let mut message_of = |mount: fn(&mut Mounted, &Value) -> Result<Vec<Directive>, MountError>| {
        mount(&mut skills, &nothing()).unwrap_err().to_string()
    };
    assert_eq!(
        message_of(Mounted::mount::<OldAuth>),
        "the agent already has a skill `auth`, `mounted::common::mounted_fixtures::Auth`; remove one of them, or list the \
         agent's under another name: `mounted::common::mounted_fixtures::Auth as ...`"
    );
    assert!(
        message_of(Mounted::mount::<SameNameAsAlias>)
            .starts_with("the agent already has a skill `tally`")
    );
    assert_eq!(
        message_of(Mounted::mount::<SameKeyAsBaseField>),
        "the state key `open` of the skill `other` is already used by a base field of the agent `listing_agent`; give one of them \
         another `state_key`"
    );
    assert_eq!(
        message_of(Mounted::mount::<SameActionAsAlias>),
        "the action `tally_reset` of the skill `same_action_as_alias` has the same name as an action of `tally`; give one of them another `name`"
    );
    skills.mount::<Search>(&nothing()).unwrap();
    skills.mount::<Reader>(&nothing()).unwrap();
    skills.mount::<Counter>(&nothing()).unwrap(); // the listed one is called `tally`
    let error = skills.call_json("incremnt", "{}").unwrap_err().to_string();
    assert_eq!(
        error,
        "the agent `listing_agent` has no action `incremnt`; did you mean `increment`?"
    );
}

#[test]
fn a_failed_hook_and_an_unavailable_skill_are_errors() {
    let mut skills = Mounted::new();
    skills.mount::<Counter>(&nothing()).unwrap();
    let fail = Signal::new("count.fail", nothing());
    let error = skills.deliver(&fail).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the skill `counter` could not handle the signal"
    );
    assert!(
        matches!(error, DeliverError::Hook { source, .. } if source.to_string() == "it failed")
    );
    assert_eq!(
        skills.deliver_to("countr", &fail).unwrap_err().to_string(),
        "no skill or document `countr` is mounted; did you mean `counter`?"
    );
    skills.disable("counter").unwrap();
    assert_eq!(
        skills.deliver_to("counter", &fail).unwrap_err().to_string(),
        "`counter` is disabled; enable it first"
    );
    assert!(skills.deliver(&fail).unwrap().is_none());
    assert_eq!(skills.state::<Counter>().unwrap().count, 0);
}

/// Emits what its context shows.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Watcher {}

impl Hooks for Watcher {
    fn handle_signal(&mut self, _: &Signal, cx: &mut Context<Self>) -> Result<Handled, HookError> {
        cx.emit(Signal::new(
            "seen",
            json!([cx.agent_name(), cx.agent_id(), cx.skill()]),
        ));
        Ok(Handled::Done)
    }
}

impl Skill for Watcher {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new("watcher").requires(&["auth@>=1"]);
    const HOOKS: Option<skill_agent::core::HookEntry<Self>> =
        Some(skill_agent::core::HookEntry::of());
}

#[test]
fn a_mounted_skill_sees_its_own_name_and_the_name_of_the_agent() {
    let signal = Signal::new("look", nothing());
    for (mut skills, agent) in [
        (Mounted::new(), "mounted"),
        (Mounted::new().for_agent::<ListingAgent>(), "listing_agent"),
    ] {
        if agent == "mounted" {
            skills.mount::<Auth>(&nothing()).unwrap();
        }
        skills.mount::<Watcher>(&nothing()).unwrap();
        let directives = skills.deliver(&signal).unwrap().unwrap();
        let [Directive::Emit(seen)] = &directives[..] else {
            panic!("{directives:?}");
        };
        assert_eq!(seen.data(), &json!([agent, null, "watcher"]));
        assert_eq!(seen.origin.skill, "watcher");
    }
}

#[test]
fn a_replacement_that_would_close_a_cycle_is_refused() {
    let mut skills = Mounted::new();
    skills
        .mount_all::<(Requiring, Required)>(&nothing())
        .unwrap();
    let before = skills.clone();
    assert_eq!(
        skills
            .replace::<CyclicRequired>(&nothing())
            .unwrap_err()
            .to_string(),
        "skills require each other in a cycle: required -> requiring -> required; remove one of the `requires`"
    );
    assert_eq!(skills, before);
    skills.replace::<Required>(&nothing()).unwrap();
}

/// Has an async action.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "scout", actions(Look))]
pub struct Scout {}

/// Return true.
#[action]
pub async fn look(_: &Scout) -> bool {
    true
}

#[test]
fn a_skill_with_an_async_action_cannot_be_mounted() {
    let message = "the action `look` of the skill `scout` is async, and only listed skills have resources; \
                list the skill in `skills: [...]`";
    let mut skills = Mounted::with_registry(Registry::of::<(Scout,)>());
    let error = skills.mount::<Scout>(&nothing()).unwrap_err();
    assert_eq!(error.to_string(), message);
    let error = skills.set(&json!({ "scout": {} })).unwrap_err();
    assert_eq!(error.to_string(), format!("`scout`: {message}"));
    assert!(skills.is_empty() && skills.tools().is_empty());
}

#[test]
fn an_action_of_a_disabled_skill_says_that_it_is_disabled() {
    let mut skills = Mounted::new();
    skills.mount::<Auth>(&nothing()).unwrap();
    skills.disable("auth").unwrap();
    let message = "the skill `auth` is disabled, so `log_in` cannot be called; enable it first: `enable(\"auth\")`";
    let arguments = json!({ "user": "ann" });
    let called = skills.call_json("log_in", &arguments.to_string());
    assert_eq!(called.unwrap_err().to_string(), message);
    let run = skills.run(&[Instruction::new("log_in", arguments)]);
    assert_eq!(run.unwrap_err().source.to_string(), message);
}

#[test]
fn a_skill_is_replaced_by_the_one_of_the_registry_with_its_name() {
    let mut skills = Mounted::with_registry(Registry::of::<(Counter, Auth)>());
    skills.mount::<OldAuth>(&nothing()).unwrap();
    skills.replace_named("auth", &nothing()).unwrap();
    assert!(skills.state::<Auth>().is_some());
    let error = |result: Result<Vec<Directive>, MountError>| result.unwrap_err().to_string();
    assert_eq!(
        error(skills.replace_named("counter", &nothing())),
        "no skill or document `counter` is mounted"
    );
    assert_eq!(
        error(skills.replace_named("countr", &nothing())),
        "no skill or document `countr` is in the registry; did you mean `counter`?"
    );
    assert!(error(skills.replace_named("auth", &json!({ "x": 1 }))).contains("`x`"));
}

/// Chooses texts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "filter", config = FilterConfig, actions(Choose))]
struct Filter {
    chosen: u32,
}

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct FilterConfig {
    tags: HashSet<String>,
    #[skill(default = f64::INFINITY)]
    max: f64,
    size: u8,
}

/// Choose one.
#[action]
fn choose(filter: &mut Filter) {
    filter.chosen += 1;
}

#[test]
fn the_same_options_again_change_nothing() {
    let mut skills = Mounted::new();
    let tags: Vec<String> = (0..20).map(|tag| tag.to_string()).collect();
    let options = json!({ "tags": tags, "size": 1 });
    skills.mount::<Filter>(&options).unwrap();
    skills.mount::<Filter>(&options).unwrap();
    // a set in another order, and a default that is written
    let (mut turned, size) = (tags, json!(1));
    turned.reverse();
    let turned = json!({ "size": size, "tags": turned });
    skills.mount::<Filter>(&turned).unwrap();
    let other = json!({ "tags": ["0"], "size": 1 });
    assert!(matches!(
        skills.mount::<Filter>(&other),
        Err(MountError::OtherOptions { .. })
    ));
}
