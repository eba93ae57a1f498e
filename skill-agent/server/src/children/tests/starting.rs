//! Starting children: with the server, on demand, and refused starts.

use super::*;
use crate::children::{ChildError, ChildStats};
use crate::clock::SystemClock;
use skill_core::child::Restart;
use skill_core::serde_json::json;
use std::borrow::Cow;

#[timed_test::test]
async fn children_start_in_the_order_of_their_declarations() {
    let (log, clock) = (Log::default(), ManualClock::new());
    let ids = ["c", "a", "b"];
    let (mut supervisor, _sent) = supervise(ids.map(|id| stops_when_asked(id, &log)), &clock);
    supervisor.start_all().unwrap();
    for id in ids {
        started(&mut supervisor, id).await;
    }
    assert_eq!(event_now(&mut supervisor).await, None);
    assert_eq!(log.take(), ["c runs", "a runs", "b runs"]);
    assert_eq!(supervisor.stats().running, 3);
}

#[timed_test::test]
async fn a_panic_while_starting_is_handled_by_the_restart_policy() {
    let clock = ManualClock::new();
    let child = ChildSpec::new("bad", |cx: ChildContext| {
        assert!(cx.params().is_object(), "no configuration");
        async { Ok(()) }
    });
    let (mut supervisor, _sent) = supervise([child.restart(Restart::Temporary)], &clock);
    supervisor.start_all().unwrap();
    started(&mut supervisor, "bad").await;
    let reason = ExitReason::Panicked("no configuration".to_owned());
    assert_eq!(supervisor.next_event().await, event_exited("bad", reason));
    assert_eq!(event_now(&mut supervisor).await, None);
    assert_eq!(supervisor.stats(), ChildStats::default());
}

#[timed_test::test]
async fn a_child_reaches_its_agent_and_its_resources() {
    let clock = ManualClock::new();
    let child = ChildSpec::new("feed", async |cx: ChildContext| {
        let client = cx.resource::<str>().ok_or(HookError::new("no client"))?;
        let who = json!([cx.agent_name(), cx.agent_id(), &*client]);
        cx.send(Signal::new("feed.who", who))?;
        cx.deliver(Signal::new("feed.done", json!(null))).await?;
        Ok(())
    });
    let (mut supervisor, mut sent) = supervise([child.restart(Restart::Temporary)], &clock);
    supervisor.start_all().unwrap();
    started(&mut supervisor, "feed").await;
    let exited = event_exited("feed", ExitReason::Finished);
    assert_eq!(supervisor.next_event().await, exited);
    let (from, first) = sent.recv().await.unwrap();
    assert_eq!((&*from, first.ty()), ("feed", "feed.who"));
    assert_eq!(first.data(), &json!(["clerk", "clerk-1", "a client"]));
    assert_eq!(sent.recv().await.unwrap().1.ty(), "feed.done");
}

#[timed_test::test]
async fn a_child_on_demand_starts_when_spawned_and_keeps_its_parameters() {
    let clock = ManualClock::new();
    let fetch = ChildSpec::new("fetch", async |cx: ChildContext| {
        cx.send(Signal::new("fetch.asked", cx.params().clone()))?;
        Err(HookError::new("once more"))
    });
    let (mut supervisor, mut sent) = supervise([fetch.on_demand()], &clock);
    supervisor.start_all().unwrap();
    assert_eq!(event_now(&mut supervisor).await, None);

    supervisor.spawn("fetch", json!({ "page": 3 })).unwrap();
    let twice = supervisor.spawn("fetch", json!(null)).unwrap_err();
    assert_eq!(twice.to_string(), "the child `fetch` is already running");
    started(&mut supervisor, "fetch").await;
    supervisor.next_event().await;
    let again = event_restarting("fetch", 1, Duration::ZERO);
    assert_eq!(supervisor.next_event().await, again);
    assert!(matches!(
        supervisor.spawn("fetch", json!(null)),
        Err(ChildError::Running { .. })
    ));
    started(&mut supervisor, "fetch").await;
    for _ in 0..2 {
        assert_eq!(sent.recv().await.unwrap().1.data(), &json!({ "page": 3 }));
    }
}

#[timed_test::test]
async fn a_child_that_is_not_restarted_can_be_spawned_again() {
    let clock = ManualClock::new();
    let child = ending("once", End::Ok).restart(Restart::Transient);
    let (mut supervisor, _sent) = supervise([child], &clock);
    supervisor.start_all().unwrap();
    for _ in 0..2 {
        started(&mut supervisor, "once").await;
        let exited = event_exited("once", ExitReason::Finished);
        assert_eq!(supervisor.next_event().await, exited);
        supervisor.spawn("once", json!(1)).unwrap();
    }
    assert_eq!(supervisor.stats().restarts, 0);
}

#[timed_test::test]
async fn the_error_for_an_unknown_child_lists_the_declared_children() {
    let (log, clock) = (Log::default(), ManualClock::new());
    let children = ["poller", "mailer"].map(|id| stops_when_asked(id, &log).on_demand());
    let (mut supervisor, _sent) = supervise(children, &clock);
    let error = supervisor.spawn("poler", json!(null)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no child `poler`; the declared children are `poller`, `mailer`; did you mean `poller`?"
    );
    assert_eq!(
        error,
        ChildError::Unknown {
            id: "poler".to_owned(),
            suggestion: Some(Cow::Borrowed("poller")),
            known: vec!["poller".into(), "mailer".into()],
        }
    );
    let (mut empty, _sent) = supervise([], &clock);
    let error = empty.spawn("poller", json!(null)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no child `poller`; no skill of the agent declares one"
    );
}

#[test]
fn two_children_with_the_same_id_are_an_error() {
    let child = |id| ending(id, End::Ok);
    let specs = vec![
        ("search", child("poller")),
        ("mail", child("a")),
        ("feed", child("poller")),
    ];
    let (sent, _received) = mpsc::unbounded_channel();
    let host = Arc::new(TestHost {
        sent,
        client: "".into(),
    });
    let error = Supervisor::new(specs, Arc::new(SystemClock), host).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the child `poller` is declared by `search` and again by `feed`; give one of them another id"
    );
}

/// Runs outside a tokio runtime, so any use of tokio would panic.
#[test]
fn a_supervisor_without_children_needs_no_runtime() {
    let clock = ManualClock::new();
    let (mut supervisor, _sent) = supervise([], &clock);
    supervisor.start_all().unwrap();
    let mut event = std::pin::pin!(supervisor.next_event());
    let mut polled = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(event.as_mut().poll(&mut polled).is_pending());
    assert_eq!(clock.sleepers(), 0);
    let mut supervisor = supervise([], &clock).0;
    assert!(supervisor.tasks.is_none());
    let mut stop = std::pin::pin!(supervisor.stop_all());
    assert!(stop.as_mut().poll(&mut polled).is_ready());
}
