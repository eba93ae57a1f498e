//! An agent remains usable after a caught panic of an action.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::HookError;
use skill_agent::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Counts, up to a point.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Increment, Burst, BurstOrFail))]
pub struct Counter {
    pub count: u32,
}

/// Add one.
#[action]
pub fn increment(counter: &mut Counter) -> u32 {
    counter.count += 1;
    counter.count
}

/// Panic.
#[action]
pub fn burst(counter: &mut Counter, cx: &mut Context<Counter>, after: bool) -> u32 {
    if after {
        counter.count += 100;
        cx.emit(Signal::new("counter.burst", json!({})));
    }
    panic!("there is no more room");
}

/// Panic in an action that could return an error.
#[action]
pub fn burst_or_fail(counter: &mut Counter) -> Result<u32, String> {
    counter.count += 100;
    panic!("there is no more room");
}

agent! {
    #[derive(Debug, PartialEq)]
    pub struct CounterAgent {
        name: "counter_agent",
        state: { open: bool = true },
        skills: [Counter, Counter as other],
    }
}

/// Runs a panicking closure on an agent and checks that the agent still works.
#[track_caller]
fn assert_usable_after(act: impl FnOnce(&mut CounterAgent)) {
    let mut agent = CounterAgent::with_id("agent 1");
    agent.cmd(Increment {}).unwrap();
    agent.other().cmd(Increment {}).unwrap();

    let caught = catch_unwind(AssertUnwindSafe(|| act(&mut agent)));
    let message = *caught.unwrap_err().downcast::<&str>().unwrap();
    assert_eq!(message, "there is no more room");

    assert_eq!(agent.id(), Some("agent 1"));
    assert!(agent.state().open);
    assert_eq!(
        agent.state().other,
        Counter { count: 1 },
        "the other skill is unchanged"
    );
    assert_eq!(agent.other().cmd(Increment {}).unwrap().output, 2);
    let count = agent.state().counter.count;
    let done = agent.cmd(Increment {}).unwrap();
    assert_eq!((done.output, done.directives), (count + 1, vec![]));
    assert_eq!(
        agent.call_json("other_increment", "{}").unwrap().output,
        "3"
    );
    let batch = [Instruction::new("increment", json!({}))];
    assert_eq!(agent.run(&batch).unwrap().output, [json!(count + 2)]);
    agent.set(&json!({ "counter": { "count": 0 } })).unwrap();
    let again = CounterAgent::from_state_json(&agent.state_value().unwrap().to_string()).unwrap();
    assert_eq!(again.state(), agent.state());
}

#[test]
fn a_cmd_that_panics_leaves_the_agent_usable() {
    for after in [false, true] {
        assert_usable_after(|agent| drop(agent.cmd(Burst { after })));
    }
    assert_usable_after(|agent| drop(agent.cmd(BurstOrFail {})));
}

#[test]
fn a_call_that_panics_leaves_the_agent_usable() {
    for text in [r#"{"after":false}"#, r#"{"after":true}"#] {
        assert_usable_after(|agent| drop(agent.call_json("burst", text)));
    }
    assert_usable_after(|agent| drop(agent.call_json("burst_or_fail", "{}")));
}

#[test]
fn a_run_that_panics_leaves_the_agent_usable() {
    let burst = Instruction::new("burst", json!({ "after": true }));
    assert_usable_after(|agent| {
        drop(agent.run(&[Instruction::new("increment", json!({})), burst]))
    });
}

mod street {
    use super::*;

    /// Counts the signals that it gets, and panics.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "listener", hooks)]
    pub struct Listener {
        pub heard: u32,
    }

    impl Hooks for Listener {
        fn handle_signal(
            &mut self,
            _: &Signal,
            _: &mut Context<Self>,
        ) -> Result<Handled, HookError> {
            self.heard += 1;
            panic!("it is too loud");
        }
    }

    agent! {
        #[derive(Debug, PartialEq)]
        pub struct Street {
            name: "street",
            skills: [Counter as listed, Listener],
            mounted: [Counter],
        }
    }
}

/// Runs a panicking closure on a value.
fn panicking<T>(mut value: T, act: impl FnOnce(&mut T)) -> T {
    assert!(catch_unwind(AssertUnwindSafe(|| act(&mut value))).is_err());
    value
}

#[test]
fn a_typed_command_that_panics_keeps_its_changes() {
    let agent = panicking(CounterAgent::new(), |agent| {
        drop(agent.cmd(Burst { after: true }));
    });
    assert_eq!(agent.state().counter.count, 100);
    let agent = panicking(CounterAgent::new(), |agent| {
        drop(agent.cmd(BurstOrFail {}));
    });
    assert_eq!(agent.state().counter.count, 100);
    let agent = panicking(CounterAgent::new(), |agent| {
        drop(agent.other().cmd(BurstOrFail {}));
    });
    assert_eq!(agent.state().other.count, 100);
}

#[test]
fn a_call_by_name_that_panics_keeps_its_changes_without_mounted_skills() {
    for (action, arguments) in [("burst", r#"{"after":true}"#), ("burst_or_fail", "{}")] {
        let agent = panicking(CounterAgent::new(), |agent| {
            drop(agent.call_json(action, arguments));
        });
        assert_eq!(agent.state().counter.count, 100, "{action}");
    }
}

#[test]
fn a_call_by_name_that_panics_is_undone_with_mounted_skills() {
    let new = || {
        let mut street = street::Street::new();
        street.mounted_mut().mount::<Counter>(&json!({})).unwrap();
        street
    };
    for action in ["burst_or_fail", "listed_burst_or_fail"] {
        let street = panicking(new(), |street| drop(street.call_json(action, "{}")));
        assert_eq!(street, new(), "{action}");
    }
}

#[test]
fn a_run_that_panics_is_undone() {
    let run = [
        Instruction::new("increment", json!({})),
        Instruction::new("burst_or_fail", json!({})),
    ];
    let agent = panicking(CounterAgent::new(), |agent| drop(agent.run(&run)));
    assert_eq!(agent, CounterAgent::new());
    let mut skills = Mounted::new();
    skills.mount::<Counter>(&json!({})).unwrap();
    let after = panicking(skills.clone(), |skills| drop(skills.run(&run)));
    assert_eq!(after, skills);
}

#[test]
fn a_call_of_a_mounted_collection_that_panics_keeps_its_changes() {
    let mut skills = Mounted::new();
    skills.mount::<Counter>(&json!({})).unwrap();
    let skills = panicking(skills, |skills| {
        drop(skills.call_json("burst_or_fail", "{}"))
    });
    let state = serde_json::to_value(&skills).unwrap();
    assert_eq!(state["counter"]["count"], 100);
}

#[test]
fn a_hook_that_panics_changes_nothing() {
    let signal = Signal::new("street.noise", json!({}));
    let street = panicking(street::Street::new(), |street| {
        drop(street.deliver(&signal))
    });
    assert_eq!(street, street::Street::new());
    let mut skills = Mounted::new();
    skills.mount::<street::Listener>(&json!({})).unwrap();
    let after = panicking(skills.clone(), |skills| drop(skills.deliver(&signal)));
    assert_eq!(after, skills);
}

#[test]
fn a_value_initialized_on_first_use_can_be_retried_after_a_panic() {
    /// Has a configuration whose default panics once.
    #[derive(Skill, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "fragile", config = FragileConfig, actions(Look))]
    struct Fragile {}

    /// Panics the first time.
    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    struct FragileConfig {
        size: u32,
    }

    impl Default for FragileConfig {
        fn default() -> Self {
            use std::sync::atomic::{AtomicU32, Ordering};
            static MADE: AtomicU32 = AtomicU32::new(0);
            assert_ne!(MADE.fetch_add(1, Ordering::Relaxed), 0, "the first time");
            Self { size: 3 }
        }
    }

    /// Return the size.
    #[action]
    fn look(fragile: &Fragile, cx: &mut Context<Fragile>) -> u32 {
        let _ = fragile;
        cx.config().size
    }

    agent! {
        struct FragileAgent { name: "fragile_agent", skills: [Fragile] }
    }

    assert!(catch_unwind(FragileAgent::new).is_err());
    assert_eq!(FragileAgent::new().cmd(Look {}).unwrap().output, 3);
}
