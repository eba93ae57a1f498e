//! The progress of calls as events of their turn.

use crate::support::{Gate, Gates, gate, short};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::chat::{Chat, Event, Scripted, Stop, TurnStream};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision, PROGRESS_CAPACITY, Verdict};
use skill_agent::toolbox::Toolbox;
use tokio::sync::mpsc;

/// Walks.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "walks", actions(Walk, WalkOn, Fall, CountWalks))]
pub struct Walks {}

/// Walk some steps, and one more after a gate.
#[action(read_only)]
pub async fn walk(
    _: &Walks,
    cx: &mut Context<Walks>,
    gate: &Gate,
    name: String,
    steps: usize,
) -> String {
    for step in 1..=steps {
        cx.progress(json!({ name.as_str(): step }));
    }
    gate.pass(&name).await;
    cx.progress(json!({ name.as_str(): "home" }));
    name
}

/// Walk until the call is cancelled.
#[action(read_only)]
pub async fn walk_on(_: &Walks, cx: &mut Context<Walks>, gate: &Gate) {
    cx.progress("on");
    cx.cancelled().await;
    cx.progress("too late");
    gate.pass("called back").await;
}

/// Walk and fall.
#[action(read_only)]
pub async fn fall(_: &Walks, cx: &mut Context<Walks>) {
    cx.progress("walking");
    cx.progress("stumbling");
    panic!("a stone");
}

/// Count the walks.
#[action(read_only)]
pub fn count_walks(_: &Walks) -> usize {
    0
}

agent! {
    pub struct Walker {
        name: "walker",
        skills: [Walks],
    }
}

/// A server, the gate of its walks, and the walks that have come to it.
async fn walker() -> (AgentServer<Walker>, Gate, mpsc::UnboundedReceiver<String>) {
    let (gate, begun) = gate();
    let builder = AgentServer::builder(Walker::new()).resources(Gates { gate: gate.clone() });
    (builder.start().await.unwrap(), gate, begun)
}

fn walking(walks: &[(&str, usize)]) -> Scripted {
    let walks = walks.iter();
    let walks = walks.map(|(name, steps)| ("walk", json!({ "name": name, "steps": steps })));
    Scripted::new().calls(walks).text("Done.")
}

fn chat(model: Scripted, server: &AgentServer<Walker>) -> Chat {
    Chat::builder(model, Toolbox::of(server)).build().unwrap()
}

fn shown(event: &Event) -> Option<String> {
    match event {
        Event::Calling(call) => Some(format!("calling {}", call.id)),
        Event::Progress(progress) => {
            let (id, name) = (&progress.id, &progress.name);
            Some(format!("{id} {name} {}", progress.value))
        }
        Event::Called(call) => Some(format!("called {}", call.id)),
        _ => None,
    }
}

/// The events of the calls up to the end, as texts.
pub(crate) async fn of_calls(mut turn: TurnStream<'_>) -> Vec<String> {
    let mut events = Vec::new();
    while let Some(event) = turn.next().await {
        events.extend(shown(&event.unwrap()));
    }
    events
}

/// Reads events up to the next progress.
pub(crate) async fn next_progress(turn: &mut TurnStream<'_>) -> Value {
    loop {
        match turn.next().await.unwrap().unwrap() {
            Event::Progress(progress) => return progress.value,
            Event::Done(turn) => panic!("{turn:?}"),
            _ => {}
        }
    }
}

#[timed_test::test]
async fn progress_comes_between_the_beginning_and_the_end_of_its_call() {
    let (server, gate, _begun) = walker().await;
    gate.open("a");
    let mut chat = chat(walking(&[("a", 2)]), &server);
    let mut events = Vec::new();
    let mut turn = chat.stream("Go.");
    while let Some(event) = turn.next().await {
        let event = event.unwrap();
        events.push(shown(&event).unwrap_or_else(|| short(&event)));
    }
    assert_eq!(
        events,
        [
            "delta walk",
            "calling call_1_1_0",
            r#"call_1_1_0 walk {"a":1}"#,
            r#"call_1_1_0 walk {"a":2}"#,
            r#"call_1_1_0 walk {"a":"home"}"#,
            "called call_1_1_0",
            "step 1 with 3 messages",
            "text Done.",
            "step 2 with 1 messages",
            "done Answered",
        ]
    );
}

#[timed_test::test]
async fn calls_in_parallel_report_in_their_own_order_each_before_its_end() {
    let (server, gate, mut begun) = walker().await;
    let walks = [("a", 3), ("b", 2), ("c", 0)];
    let mut chat = chat(walking(&walks), &server);
    tokio::spawn(async move {
        for _ in 0..3 {
            begun.recv().await.unwrap();
        }
        for name in ["c", "a", "b"] {
            gate.open(name);
        }
    });
    let events = of_calls(chat.stream("Go.")).await;
    assert_eq!(events.len(), 3 + (4 + 3 + 1) + 3, "{events:?}");
    for (index, (name, steps)) in walks.iter().enumerate() {
        let id = format!("call_1_1_{index}");
        let own = events.iter().filter(|event| event.contains(&id));
        let own: Vec<&str> = own.map(String::as_str).collect();
        let mut expected = vec![format!("calling {id}")];
        let values = (1..=*steps).map(Value::from).chain(["home".into()]);
        expected.extend(values.map(|value| format!("{id} walk {}", json!({ *name: value }))));
        expected.push(format!("called {id}"));
        assert_eq!(own, expected);
    }
}

#[timed_test::test]
async fn a_reader_that_is_slow_gets_the_last_values_and_slows_nothing_down() {
    let (server, gate, mut begun) = walker().await;
    let mut chat = chat(walking(&[("a", 10_000)]), &server);
    let mut turn = chat.stream("Go.");
    let mut values = vec![next_progress(&mut turn).await];
    // the action has gone on while its progress was not read
    assert_eq!(begun.recv().await.unwrap(), "a");
    gate.open("a");
    while server.stats().running > 0 {
        assert_eq!(server.call(CountWalks {}).await.unwrap(), 0);
    }
    loop {
        match turn.next().await.unwrap().unwrap() {
            Event::Progress(progress) => values.push(progress.value),
            Event::Called(call) => break assert!(call.result.is_ok()),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(values.pop().unwrap(), json!({ "a": "home" }));
    let steps: Vec<u64> = values
        .iter()
        .map(|step| step["a"].as_u64().unwrap())
        .collect();
    let least = 10_000 - PROGRESS_CAPACITY as u64;
    assert!(
        steps.is_sorted_by(|a, b| a < b) && steps[0] > least,
        "{steps:?}"
    );
    assert_eq!(steps.last(), Some(&10_000));
    turn.finish().await.unwrap();
}

#[timed_test::test]
async fn a_stream_that_is_dropped_cancels_a_call_that_has_reported() {
    let (server, _gate, mut begun) = walker().await;
    let model = Scripted::new().calls([("walk_on", json!({}))]);
    let mut chat = chat(model, &server);
    let mut turn = chat.stream("Go.");
    assert_eq!(next_progress(&mut turn).await, "on");
    drop(turn);
    assert_eq!(begun.recv().await.unwrap(), "called back");
    assert_eq!((chat.history().len(), chat.pending().len()), (0, 0));
    assert_eq!(server.call(CountWalks {}).await.unwrap(), 0);
}

#[timed_test::test]
async fn a_call_that_panics_has_reported_before() {
    let (server, _gate, _begun) = walker().await;
    let model = Scripted::new().calls([("fall", json!({}))]).text("Ouch.");
    let mut chat = chat(model, &server);
    let mut turn = chat.stream("Go.");
    assert_eq!(next_progress(&mut turn).await, "walking");
    assert_eq!(next_progress(&mut turn).await, "stumbling");
    let Event::Called(call) = turn.next().await.unwrap().unwrap() else {
        panic!("the call has ended");
    };
    assert!(call.result.unwrap_err().to_string().contains("panicked"));
    assert_eq!(turn.finish().await.unwrap().text(), "Ouch.");
}

#[timed_test::test]
async fn progress_that_was_not_read_comes_before_the_end_of_a_call_that_is_cancelled() {
    let (server, _gate, mut begun) = walker().await;
    let mut chat = chat(walking(&[("a", 3)]), &server);
    let canceller = chat.canceller();
    let mut turn = chat.stream("Go.");
    assert_eq!(next_progress(&mut turn).await, json!({ "a": 1 }));
    begun.recv().await.unwrap();
    canceller.cancel();
    let expected = [
        r#"call_1_1_0 walk {"a":2}"#,
        r#"call_1_1_0 walk {"a":3}"#,
        "called call_1_1_0",
    ];
    for expected in expected {
        let event = turn.next().await.unwrap().unwrap();
        assert_eq!(shown(&event).as_deref(), Some(expected));
    }
    assert_eq!(turn.finish().await.unwrap().stop, Stop::Cancelled);
}

#[timed_test::test]
async fn all_calls_are_cancelled_before_the_first_event_about_it() {
    let (server, _gate, mut begun) = walker().await;
    let model = Scripted::new().calls([("walk_on", json!({})), ("walk_on", json!({}))]);
    let mut chat = chat(model, &server);
    let canceller = chat.canceller();
    let mut turn = chat.stream("Go.");
    for _ in 0..2 {
        assert_eq!(next_progress(&mut turn).await, "on");
    }
    canceller.cancel();
    turn.next().await.unwrap().unwrap();
    for _ in 0..2 {
        assert_eq!(begun.recv().await.unwrap(), "called back");
    }
}

#[timed_test::test]
async fn an_approved_call_reports_its_progress() {
    let (gate, mut begun) = gate();
    let builder = AgentServer::builder(Walker::new()).resources(Gates { gate: gate.clone() });
    let builder = builder
        .guard(|_: &Attempt<'_>| Decision::Ask)
        .approver(|_: ApprovalRequest| async { Verdict::Later });
    let server = builder.start().await.unwrap();
    let mut chat = chat(walking(&[("a", 1)]), &server);
    let id = chat.send("Go.").await.unwrap().pending[0].id.clone();

    // cancelled, so that it waits again
    let canceller = chat.canceller();
    let mut turn = chat.stream_decide(&id, true);
    assert_eq!(next_progress(&mut turn).await, json!({ "a": 1 }));
    begun.recv().await.unwrap();
    canceller.cancel();
    let turn = turn.finish().await.unwrap();
    assert_eq!((turn.stop, turn.pending.len()), (Stop::Cancelled, 1));

    server.agent().await.unwrap(); // by now the action knows that it is cancelled
    // it may still take the first of them in its grace period
    gate.open("a");
    gate.open("a");
    assert_eq!(
        of_calls(chat.stream_decide(&id, true)).await,
        [
            r#"call_1_1_0 walk {"a":1}"#,
            r#"call_1_1_0 walk {"a":"home"}"#,
            "called call_1_1_0",
        ]
    );
}
