//! A panic inside an action, caught: the agent goes on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
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

/// Break down.
#[action]
pub fn burst(counter: &mut Counter, cx: &mut Context<Counter>, after: bool) -> u32 {
    if after {
        counter.count += 100;
        cx.emit(Signal::new("counter.burst", json!({})));
    }
    panic!("there is no more room");
}

/// Break down where an error would have done.
#[action]
pub fn burst_or_fail(counter: &mut Counter) -> Result<u32, String> {
    counter.count += 100;
    panic!("there is no more room");
}

agent! {
    #[derive(Debug, PartialEq)]
    pub struct Clerk {
        name: "clerk",
        state: { open: bool = true },
        skills: [Counter, Counter as other],
    }
}

/// Runs what panics, on a clerk that has counted, and looks whether the clerk goes on.
#[track_caller]
fn goes_on_after(act: impl FnOnce(&mut Clerk)) {
    let mut clerk = Clerk::with_id("clerk 1");
    clerk.cmd(Increment {}).unwrap();
    clerk.other().cmd(Increment {}).unwrap();

    let caught = catch_unwind(AssertUnwindSafe(|| act(&mut clerk)));
    let message = *caught.unwrap_err().downcast::<&str>().unwrap();
    assert_eq!(message, "there is no more room");

    assert_eq!(clerk.id(), Some("clerk 1"));
    assert!(clerk.state().open);
    assert_eq!(
        clerk.state().other,
        Counter { count: 1 },
        "the other skill is as before"
    );
    assert_eq!(clerk.other().cmd(Increment {}).unwrap().output, 2);
    let count = clerk.state().counter.count;
    let done = clerk.cmd(Increment {}).unwrap();
    assert_eq!((done.output, done.directives), (count + 1, vec![]));
    assert_eq!(
        clerk.call_json("other_increment", "{}").unwrap().output,
        "3"
    );
    let batch = [Instruction::new("increment", json!({}))];
    assert_eq!(clerk.run(&batch).unwrap().output, [json!(count + 2)]);
    clerk.set(&json!({ "counter": { "count": 0 } })).unwrap();
    let again = Clerk::from_state_json(&clerk.state_value().unwrap().to_string()).unwrap();
    assert_eq!(again.state(), clerk.state());
}

#[test]
fn a_cmd_that_panics_leaves_the_agent_usable() {
    for after in [false, true] {
        goes_on_after(|clerk| drop(clerk.cmd(Burst { after })));
    }
    goes_on_after(|clerk| drop(clerk.cmd(BurstOrFail {})));
}

#[test]
fn a_call_that_panics_leaves_the_agent_usable() {
    for text in [r#"{"after":false}"#, r#"{"after":true}"#] {
        goes_on_after(|clerk| drop(clerk.call_json("burst", text)));
    }
    goes_on_after(|clerk| drop(clerk.call_json("burst_or_fail", "{}")));
}

#[test]
fn a_run_that_panics_leaves_the_agent_usable() {
    let burst = Instruction::new("burst", json!({ "after": true }));
    goes_on_after(|clerk| drop(clerk.run(&[Instruction::new("increment", json!({})), burst])));
}

#[test]
fn what_is_made_at_first_use_survives_a_panic() {
    /// Has a configuration that takes some making.
    #[derive(Skill, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "fragile", config = FragileConfig, actions(Look))]
    struct Fragile {}

    /// Fails the first time.
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

    /// Say how large it is.
    #[action]
    fn look(fragile: &Fragile, cx: &mut Context<Fragile>) -> u32 {
        let _ = fragile;
        cx.config().size
    }

    agent! {
        struct Vase { name: "vase", skills: [Fragile] }
    }

    assert!(catch_unwind(Vase::new).is_err());
    assert_eq!(Vase::new().cmd(Look {}).unwrap().output, 3);
}
