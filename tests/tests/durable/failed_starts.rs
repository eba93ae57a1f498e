//! A start that fails, or is dropped, before its first commit leaves the store as it was.

use super::{kill, start, subscribed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::prelude::*;
use skill_agent::server::AgentServerBuilder;
use skill_agent::store::{Memory, Store};
use skill_agent::testing::{Fault, FaultyStore};
use skill_agent::{HookError, Start, StartError};
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::task::Poll;
use std::time::Duration;

thread_local! {
    /// How often the action of `agent.init` ran. Each test has its own thread, which also runs its server.
    static OPENED: Cell<u32> = const { Cell::new(0) };
}

/// The first build.
mod old {
    use super::*;

    /// Keeps lines.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "diary", version = "1.0.0", actions(Write))]
    pub struct Diary {
        pub lines: Vec<String>,
    }

    /// Write a line, and another one in an hour.
    #[action(on("diary.write"))]
    pub fn write(diary: &mut Diary, cx: &mut Context<Diary>, line: String) -> usize {
        let again = Signal::new("diary.write", json!({ "line": "later" }));
        cx.schedule(Duration::from_secs(3_600), again);
        diary.lines.push(line);
        diary.lines.len()
    }

    agent! {
        /// Keeps a diary.
        pub struct Desk {
            name: "desk",
            skills: [Diary],
        }
    }
}

/// The next build: another shape, and hooks that change it and may fail.
mod new {
    use super::*;

    /// Keeps lines.
    #[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "diary", version = "2.0.0", config = DiaryConfig, actions(Rewrite), hooks)]
    pub struct Diary {
        pub pages: Vec<Vec<String>>,
        pub starts: u32,
    }

    /// How a start fails.
    #[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    pub struct DiaryConfig {
        /// The hook that fails.
        pub failing: String,
    }

    /// Write on a schedule.
    #[action(on("diary.write"))]
    pub fn rewrite(diary: &mut Diary, line: String) {
        diary.pages.push(vec![line]);
    }

    impl Hooks for Diary {
        fn restore(_: &str, state: Value) -> Result<Self, HookError> {
            let lines = serde_json::from_value(state["lines"].clone()).unwrap_or_default();
            let pages = vec![lines];
            Ok(Self { pages, starts: 0 })
        }

        fn on_mount(&mut self, _: Start, cx: &mut Context<Self>) -> Result<(), HookError> {
            self.starts += 1;
            cx.emit(Signal::new("diary.opened", json!(self.starts)));
            match &*cx.config().failing {
                "on_mount" => Err(HookError::new("the diary is locked")),
                "panic" => panic!("the diary is torn"),
                _ => Ok(()),
            }
        }
    }

    /// Whether the agent refuses `agent.init`.
    #[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    pub struct DeskConfig {
        /// Whether it does.
        pub is_sealed: bool,
    }

    agent! {
        /// Keeps a diary.
        pub struct Desk {
            name: "desk",
            config: DeskConfig,
            skills: [Diary],
            actions: [Open],
            hooks,
        }
    }

    /// Count the starts that ran `agent.init`.
    #[action(on("agent.init"))]
    pub async fn open(_: &DeskBase, start: String) {
        assert_eq!(start, "restored");
        OPENED.set(OPENED.get() + 1);
    }

    impl Hooks for DeskBase {
        fn prepare_signal(
            &mut self,
            signal: Signal,
            cx: &mut Context<Self>,
        ) -> Result<Signal, HookError> {
            match (signal.ty(), cx.config().is_sealed) {
                ("agent.init", true) => Err(HookError::new("the diary is sealed")),
                _ => Ok(signal),
            }
        }
    }
}

fn new_build(store: impl Store, failing: &str) -> AgentServerBuilder<new::Desk> {
    let is_sealed = failing == "agent.init";
    let failing = failing.to_owned();
    let agent = new::Desk::builder().id("desk-1");
    let agent = agent.config::<new::Diary>(new::DiaryConfig { failing });
    let agent = agent.config::<new::DeskBase>(new::DeskConfig { is_sealed });
    AgentServer::builder(agent.build().unwrap()).store(store)
}

fn old_build(store: impl Store) -> AgentServerBuilder<old::Desk> {
    AgentServer::builder(old::Desk::with_id("desk-1")).store(store)
}

/// Writes a line with the old build, which leaves a scheduled signal.
async fn write(store: impl Store, line: &str) {
    let server = start(old_build(store)).await;
    let line = line.to_owned();
    server.call(old::Write { line }).await.unwrap();
    kill(server).await;
}

/// Checks that the old build starts, and finds what it had written.
async fn assert_unchanged(store: impl Store, lines: &[&str]) {
    let server = start(old_build(store)).await;
    let recovery = server.recovery();
    assert_eq!(
        (recovery.directives, recovery.damage.clone()),
        (lines.len(), None)
    );
    assert_eq!(server.agent().await.unwrap().state().diary.lines, lines);
    kill(server).await;
}

#[timed_test::test]
async fn a_start_whose_hooks_fail_leaves_the_store_to_the_old_build() {
    let store = FaultyStore::new(Memory::default());
    write(store.clone(), "first").await;
    let writes = (store.commits().len(), store.compactions());
    for round in 0..100 {
        let failing = ["on_mount", "panic", "agent.init"][round % 3];
        let (builder, mut opened) = subscribed(new_build(store.clone(), failing), "diary.opened");
        let error = builder.start().await.unwrap_err();
        let is_expected = match failing {
            "on_mount" => matches!(
                error,
                StartError::Hook {
                    hook: "on_mount",
                    ..
                }
            ),
            "panic" => matches!(error, StartError::Panicked { .. }),
            _ => matches!(error, StartError::Init(_)),
        };
        assert!(is_expected, "{failing}: {error:?}");
        assert!(
            opened.try_next().is_none(),
            "{failing}: an effect of a start that failed"
        );
    }
    assert_eq!((store.commits().len(), store.compactions()), writes);
    assert_unchanged(store.clone(), &["first"]).await;

    let (builder, mut opened) = subscribed(new_build(store.clone(), ""), "diary.opened");
    let server = start(builder).await;
    assert_eq!(server.recovery().migrated, ["diary"]);
    let diary = server.agent().await.unwrap().state().diary.clone();
    assert_eq!(
        (diary.pages, diary.starts),
        (vec![vec!["first".to_owned()]], 1)
    );
    assert!(opened.try_next().is_some());
    kill(server).await;
    let server = start(new_build(store, "")).await;
    assert_eq!(
        server.recovery().directives,
        1,
        "the schedule; the signal was marked with `agent.init`"
    );
    assert_eq!(server.agent().await.unwrap().state().diary.starts, 2);
}

#[timed_test::test]
async fn a_start_that_is_dropped_leaves_the_store_to_one_of_the_builds() {
    // Each start is dropped after one poll more than the one before, until one is ready.
    for polls in 1.. {
        let store = FaultyStore::new(Memory::default());
        write(store.clone(), "first").await;
        let writes = (store.commits().len(), store.compactions());
        let mut starting = Box::pin(new_build(store.clone(), "").start());
        let mut left = polls;
        let ended = poll_fn(|cx| {
            let polled = starting.as_mut().poll(cx);
            left -= 1;
            match polled {
                Poll::Ready(server) => Poll::Ready(Some(server)),
                Poll::Pending if left == 0 => Poll::Ready(None),
                Poll::Pending => Poll::Pending,
            }
        })
        .await;
        if let Some(server) = ended {
            kill(server.unwrap()).await;
            assert!(polls > 1, "a start has awaits");
            return;
        }
        drop(starting);
        // A write that has begun goes on, and lets go of the log.
        while let Err(error) = store.open("desk-1").map(drop) {
            assert!(error.to_string().contains("desk-1"), "{error}");
            tokio::task::yield_now().await;
        }
        if (store.commits().len(), store.compactions()) == writes {
            assert_unchanged(store, &["first"]).await;
        } else {
            let server = start(new_build(store, "")).await;
            let left = server.recovery().directives;
            assert!(
                matches!(left, 1 | 2),
                "the schedule, and the signal until it is marked"
            );
            assert_eq!(server.agent().await.unwrap().state().diary.starts, 2);
            kill(server).await;
        }
    }
}

#[timed_test::test]
async fn a_failed_start_forgets_nothing() {
    let store = Memory::default();
    write(store.clone(), "first").await;
    let error = new_build(store.clone(), "on_mount")
        .forget("diary")
        .start()
        .await;
    assert!(matches!(error, Err(StartError::Hook { .. })));
    assert_unchanged(store.clone(), &["first"]).await;
    let server = start(new_build(store, "").forget("diary")).await;
    assert_eq!(
        server.agent().await.unwrap().state().diary.pages,
        [[""; 0]; 0]
    );
    assert_eq!(server.recovery().directives, 1);
}

#[timed_test::test]
async fn the_first_write_of_a_new_build_replaces_the_old_log_or_nothing() {
    for fault in [Fault::Refuse, Fault::FailBefore, Fault::FailAfter] {
        let store = FaultyStore::new(Memory::default());
        write(store.clone(), "first").await;
        store.on_compaction(0, fault);
        let (builder, mut opened) = subscribed(new_build(store.clone(), ""), "diary.opened");
        let error = builder.start().await.unwrap_err();
        assert!(
            matches!(error, StartError::Store { .. }),
            "{fault:?}: {error:?}"
        );
        assert!(opened.try_next().is_none(), "{fault:?}");
        assert_eq!(
            OPENED.get(),
            0,
            "{fault:?}: an async action of a start that failed"
        );
        store.restart();
        if fault == Fault::FailAfter {
            let server = start(new_build(store, "")).await;
            assert_eq!(server.agent().await.unwrap().state().diary.starts, 2);
            assert_eq!(OPENED.take(), 1);
        } else {
            assert_unchanged(store, &["first"]).await;
        }
    }
}
