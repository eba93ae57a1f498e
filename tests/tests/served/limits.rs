//! A command that leads to too much fails, and nothing of it is kept.

use crate::fan_agent::*;
use crate::support::subscribed;
use serde_json::json;
use skill_agent::SignalError;
use skill_agent::StartError;
use skill_agent::prelude::*;
use skill_agent::server::Stats;
use skill_agent::server::{
    Applied, ErrorPolicy, Limit, MAX_DIRECTIVES, MAX_FOLLOW_UPS, MAX_SCHEDULES, StopReport,
};
use skill_agent::testing::ManualClock;
use std::time::Duration;

/// The limit that a command exceeded; `None` if it succeeded.
fn exceeded<T, E: std::fmt::Debug>(result: Result<T, ServeError<E>>) -> Option<(Limit, usize)> {
    match result {
        Ok(_) => None,
        Err(error @ ServeError::Limit { what, max, .. }) => {
            assert_eq!(error.applied(), Applied::No);
            Some((what, max))
        }
        Err(error) => panic!("{error:?}"),
    }
}

#[timed_test::test]
async fn commands_that_multiply_end_at_the_limit_of_their_cause() {
    for (kind, width) in [(Kind::Run, 10), (Kind::Loopback, 2), (Kind::Now, 2)] {
        reset_turns();
        let server = fan().start().await.unwrap();
        let before = ended(&server);
        let first = Repeat { kind, count: width };
        server.call(first).await.unwrap();
        let follow_ups = MAX_FOLLOW_UPS as u64;
        let all = until_ended(&server, before, 1 + follow_ups).await;
        assert_eq!(all, 1 + follow_ups, "{kind:?}");
        // each one that succeeded queued `width`, and the others failed
        let succeeded = MAX_FOLLOW_UPS / width;
        assert_eq!(state_of(&server).await.commands, succeeded, "{kind:?}");
        let failed = 1 + follow_ups - succeeded as u64;
        assert_eq!(server.stats().failed, failed, "{kind:?}");
        println!("{kind:?}: {all} commands, of which {failed} failed");
        assert_eq!(server.stop().await.unwrap(), StopReport::default());
    }
}

#[timed_test::test]
async fn ten_thousand_follow_ups_of_one_cause_pass_and_one_more_fails() {
    for (last, failures) in [(9, 0), (10, 1)] {
        let server = fan().error_policy(ErrorPolicy::Emit).start().await.unwrap();
        let mut errors = server.subscribe("agent.error").unwrap();
        // a thousand runs that queue nine marks each are ten thousand follow-ups
        let mut counts = vec![9; MAX_DIRECTIVES];
        counts[MAX_DIRECTIVES - 1] = last;
        let before = ended(&server);
        let kind = Kind::Run;
        server.call(Spread { kind, counts }).await.unwrap();
        let expected = 1 + 1_000 + 9_000 - 9 * failures;
        let all = until_ended(&server, before, expected).await;
        assert_eq!((all, server.stats().failed), (expected, failures));
        let marks = state_of(&server).await.marks as u64;
        assert_eq!(marks, 9_000 - 9 * failures);
        let error = errors.try_next();
        assert_eq!(error.is_some(), failures > 0);
        if let Some(error) = error {
            let expected = "`queue` failed: the command and those before it, which all follow from one cause, queued more than \
                            10000 follow-ups; to continue for longer, schedule with a delay, such as \
                            `cx.schedule(Duration::from_millis(100), signal)`, which begins a new cause; nothing of the \
                            command was applied";
            assert_eq!(error.data()["message"], expected);
        }
    }
}

#[timed_test::test]
async fn a_schedule_with_a_delay_begins_a_new_cause() {
    let clock = ManualClock::new();
    let server = fan().clock(clock.clone()).start().await.unwrap();
    let before = ended(&server);
    server.call(Beat { count: 900 }).await.unwrap();
    for beat in 1..=12 {
        until_ended(&server, before, beat * 901).await;
        clock.wait_for_sleepers(1).await;
        clock.advance(Duration::from_secs(1));
    }
    until_ended(&server, before, 13 * 901).await;
    assert_eq!(server.stats().failed, 0);
    assert_eq!(state_of(&server).await.marks, 13 * 900);
}

listed_enum! {
    /// A way into a command that has a caller.
    enum Way {
        Call,
        CallWithKey,
        CallWithDeadline,
        CallByName,
        RoutedSignal,
        AsyncAction,
        AsyncActionByName,
        SignalToAsyncAction,
    }
}

/// Queues `count` emissions, with an answer for the caller.
async fn queue(server: &AgentServer<FanAgent>, way: Way, count: usize) -> Option<(Limit, usize)> {
    let kind = Kind::Emit;
    let data = json!({ "kind": kind, "count": count });
    let command = Queue { kind, count };
    match way {
        Way::Call => exceeded(server.call(command).await),
        Way::CallWithKey => exceeded(server.call_with_key(format!("{count}"), command).await),
        Way::CallWithDeadline => {
            let within = server.within(Duration::from_secs(3600));
            exceeded(within.call(command).await)
        }
        Way::CallByName => exceeded(server.call_json("queue", data.to_string()).await),
        Way::RoutedSignal => exceeded(server.request(Signal::new("fan.queue", data)).await),
        Way::AsyncAction => exceeded(server.call(Fetch { kind, count }).await),
        Way::AsyncActionByName => exceeded(server.call_json("fetch", data.to_string()).await),
        Way::SignalToAsyncAction => exceeded(server.request(Signal::new("fan.fetch", data)).await),
    }
}

#[timed_test::test]
async fn a_thousand_directives_pass_and_one_more_fails_for_every_way_in() {
    for way in Way::ALL {
        let server = fan().start().await.unwrap();
        let mut notes = server.subscribe("note.taken").unwrap();
        let before = (state_of(&server).await, server.stats().handled);
        let limit = queue(&server, *way, MAX_DIRECTIVES + 1).await;
        let expected = Some((Limit::Directives, MAX_DIRECTIVES));
        assert_eq!(limit, expected, "{way:?}");
        let after = (state_of(&server).await, server.stats().handled);
        assert_eq!(after, before, "{way:?}");
        assert_eq!(server.stats().failed, 1, "{way:?}");
        assert!(notes.try_next().is_none(), "{way:?}");

        assert_eq!(queue(&server, *way, MAX_DIRECTIVES).await, None, "{way:?}");
        assert_ne!(state_of(&server).await, before.0, "{way:?}");
        let noted = std::iter::from_fn(|| notes.try_next()).count();
        assert_eq!(noted, MAX_DIRECTIVES, "{way:?}");
    }
}

#[timed_test::test]
async fn a_run_that_queues_too_much_is_undone_and_reported() {
    for action in ["queue", "fetch"] {
        let builder = fan().error_policy(ErrorPolicy::Emit);
        let (builder, mut errors) = subscribed(builder, "agent.error");
        let server = builder.start().await.unwrap();
        let mut notes = server.subscribe("note.taken").unwrap();
        let params = json!({ "kind": "emit", "count": MAX_DIRECTIVES + 1 });
        let signal = Signal::new(format!("fan.{action}"), params);
        server.send(signal).await.unwrap();
        let error = errors.next().await.unwrap();
        let message = error.data()["message"].as_str().unwrap();
        let expected =
            "the command queued more than 1000 directives; nothing of the command was applied";
        assert!(message.ends_with(expected), "{message}");

        let (kind, counts) = (Kind::Emit, vec![MAX_DIRECTIVES + 1, 3]);
        server.call(Spread { kind, counts }).await.unwrap();
        let error = errors.next().await.unwrap();
        let message = error.data()["message"].as_str().unwrap();
        assert!(message.ends_with(expected), "{message}");
        for _ in 0..3 {
            notes.next().await.unwrap();
        }
        assert!(notes.try_next().is_none());
        // `spread` and one `queue`
        let fan = state_of(&server).await;
        assert_eq!((fan.commands, fan.marks), (2, 0));
        assert_eq!(server.stop().await.unwrap(), StopReport::default());
    }
}

#[timed_test::test]
async fn what_a_hook_queues_to_run_within_the_command_counts() {
    let server = fan().start().await.unwrap();
    // No action starts: `fetch` would never end.
    hold(true);
    let handled = |ty, times| Signal::new(ty, json!({ "times": times }));
    for ty in ["fan.marks", "fan.fetches"] {
        let answer = server.request(handled(ty, MAX_DIRECTIVES + 1)).await;
        let limit = exceeded::<_, SignalError>(answer);
        assert_eq!(limit, Some((Limit::Directives, MAX_DIRECTIVES)), "{ty}");
    }
    assert_eq!(state_of(&server).await, Fan::default());
    let marks = handled("fan.marks", MAX_DIRECTIVES);
    server.request(marks).await.unwrap();
    assert_eq!(state_of(&server).await.marks, MAX_DIRECTIVES);
}

#[timed_test::test]
async fn on_mount_that_queues_too_much_fails_the_start() {
    queue_on_mount(Kind::Emit, MAX_DIRECTIVES + 1);
    let error = fan().start().await.unwrap_err();
    let StartError::Limit { what, max, .. } = error else {
        panic!("{error:?}")
    };
    assert_eq!((what, max), (Limit::Directives, MAX_DIRECTIVES));
    queue_on_mount(Kind::Emit, MAX_DIRECTIVES);
    fan().start().await.unwrap();
}

fn change(cancel: &[&str], schedule: &[&str]) -> Change {
    let texts = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect();
    Change {
        cancel: texts(cancel),
        schedule: texts(schedule),
    }
}

#[timed_test::test]
async fn a_hundred_thousand_schedules_may_wait_and_one_more_fails() {
    let clock = ManualClock::new();
    let server = fan().clock(clock).start().await.unwrap();
    let plan = |count| Plan {
        count,
        seconds: 3600,
    };
    server.call(change(&[], &["kept", "other"])).await.unwrap();
    for _ in 1..MAX_SCHEDULES / 1_000 {
        server.call(plan(1_000)).await.unwrap();
    }
    server.call(plan(998)).await.unwrap();
    let before = state_of(&server).await;
    let too_many = Some((Limit::Schedules, MAX_SCHEDULES));
    assert_eq!(exceeded(server.call(plan(1)).await), too_many);
    let new = server.call(change(&[], &["kept", "new"])).await;
    assert_eq!(exceeded(new), too_many);
    let only_cancels_after = server.call(change(&["unknown"], &["new"])).await;
    assert_eq!(exceeded(only_cancels_after), too_many);
    let now = Queue {
        kind: Kind::Now,
        count: 1,
    };
    assert_eq!(exceeded(server.call(now).await), too_many);
    assert_eq!(state_of(&server).await, before);
    assert_eq!(server.stats().scheduled, MAX_SCHEDULES as u64);

    // Neither a replacement nor a new one for a cancelled one adds to them.
    server.call(change(&[], &["kept", "other"])).await.unwrap();
    server.call(change(&["kept"], &["new"])).await.unwrap();
    server
        .call(change(&["new"], &["new", "new"]))
        .await
        .unwrap();
    server.call(change(&["new"], &[])).await.unwrap();
    assert_eq!(exceeded(server.call(plan(2)).await), too_many);
    server.call(plan(1)).await.unwrap();
    assert_eq!(server.stop().await.unwrap().dropped, MAX_SCHEDULES);
}

#[timed_test::test]
async fn overdue_schedules_are_delivered_while_calls_are_answered() {
    let clock = ManualClock::new();
    let server = fan().clock(clock.clone()).start().await.unwrap();
    for _ in 0..50 {
        let plan = Plan {
            count: 1_000,
            seconds: 1,
        };
        server.call(plan).await.unwrap();
    }
    clock.wait_for_sleepers(1).await;
    clock.advance(Duration::from_secs(1));
    let mut answers = 0;
    while state_of(&server).await.marks < 50_000 {
        // the others wait where a key can cancel them, and not as steps
        let Stats {
            scheduled, handled, ..
        } = server.stats();
        assert!(
            scheduled + handled + 2_048 > 50_000,
            "{scheduled} {handled}"
        );
        answers += 1;
    }
    assert!(answers >= 10, "{answers}");
    assert_eq!(server.stats().failed, 0);
}
