//! Agents sleep when they are idle, and wake for calls.

use crate::bank::{Balance, Crash, Deposit, MINUTE, RemindIn, Wait, account, builder, gate};
use serde_json::json;
use skill_agent::agents::Agents;
use skill_agent::prelude::*;
use skill_agent::server::{ServeError, StopReason};
use skill_agent::store::{Memory, Redb, Store};
use skill_agent::testing::ManualClock;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

#[timed_test::test]
async fn an_agent_in_use_does_not_sleep() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    let alice = bank.agent("alice");
    let waiting = tokio::spawn(async move { alice.call(Wait {}).await });
    while bank.awake() == 0 || bank.agent("alice").stats().running == 0 {
        tokio::task::yield_now().await;
    }
    clock.advance(10 * MINUTE);
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert_eq!(bank.awake(), 1);
    gate.0.add_permits(1);
    waiting.await.unwrap().unwrap();
    clock.advance(MINUTE);
    bank.settled().await;
    assert_eq!(bank.awake(), 0);
}

#[timed_test::test]
async fn an_action_that_no_caller_waits_for_keeps_its_agent_awake() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    let alice = bank.agent("alice");
    alice
        .send(Signal::new("account.wait", json!({})))
        .await
        .unwrap();
    while alice.stats().running == 0 {
        tokio::task::yield_now().await;
    }
    for _ in 0..10 {
        clock.advance(MINUTE);
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
    }
    assert_eq!(bank.awake(), 1);
    gate.0.add_permits(1);
    bank.settled().await;
    assert_eq!(gate.0.available_permits(), 0); // the action took it
}

#[timed_test::test]
async fn a_call_waits_for_a_place_in_time() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    let mut waiting = Vec::new();
    for id in ["alice", "bob"] {
        let agent = bank.agent(id);
        waiting.push(tokio::spawn(async move { agent.call(Wait {}).await }));
    }
    while bank.awake() < 2 {
        tokio::task::yield_now().await;
    }
    let carol = bank.agent("carol");
    let sleepers = clock.sleepers();
    let late = tokio::spawn(async move { carol.call(Deposit { cents: 1 }).await });
    clock.wait_for_sleepers(sleepers + 1).await;
    clock.advance(MINUTE);
    let error = late.await.unwrap().unwrap_err();
    assert!(matches!(error, ServeError::NoPlace { within, .. } if within == MINUTE));
    assert_eq!(
        error.to_string(),
        "no place for the agent was free within 60s; this request ran nothing"
    );
    // one that is freed in time
    let carol = bank.agent("carol");
    let in_time = tokio::spawn(async move { carol.call(Deposit { cents: 1 }).await });
    gate.0.add_permits(2);
    assert_eq!(in_time.await.unwrap().unwrap(), 1);
    for waiting in waiting {
        waiting.await.unwrap().unwrap();
    }
}

#[timed_test::test]
async fn an_agent_that_changed_nothing_leaves_nothing() {
    let (store, clock, gate) = (Memory::default(), ManualClock::new(), gate());
    let bank = builder(store.clone(), &clock, &gate).start().await.unwrap();
    assert_eq!(bank.agent("alice").call(Balance {}).await.unwrap(), 0);
    bank.agent("bob").call(Deposit { cents: 1 }).await.unwrap();
    clock.advance(MINUTE);
    bank.settled().await;
    assert_eq!(bank.ids("", 10).await.unwrap(), ["bob"]);
    bank.stop().await.unwrap();
    let recovered = store.open("alice").unwrap().recover().await.unwrap();
    assert!(recovered.snapshot.is_none() && recovered.records.is_empty());
}

#[timed_test::test]
async fn ids_are_listed_in_pages() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    for id in ["c", "a", "b/1", "b"] {
        bank.agent(id).call(Deposit { cents: 1 }).await.unwrap();
    }
    assert_eq!(bank.ids("", 3).await.unwrap(), ["a", "b", "b/1"]);
    assert_eq!(bank.ids("b/1", 3).await.unwrap(), ["c"]);
}

#[timed_test::test]
async fn an_unknown_id_is_an_error_of_the_call() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    let error = bank.agent("no one").call(Balance {}).await.unwrap_err();
    let ServeError::NotStarted(start) = &error else {
        panic!("{error}");
    };
    let texts = [error.to_string(), start.to_string()];
    assert_eq!(
        texts,
        [
            "the agent was not woken; this request ran nothing",
            "no server can be built for the agent `no one`"
        ]
    );
    let no_one = bank.agent("no one");
    let send = no_one.send(Signal::new("account.remind", json!({})));
    assert_eq!(
        send.await.unwrap_err().to_string(),
        "the agent was not woken: \
         no server can be built for the agent `no one`: there is no account `no one`"
    );
    assert_eq!((bank.awake(), bank.ids("", 9).await.unwrap().len()), (0, 0));
    for id in ["", " alice"] {
        bank.agent(id).call(Balance {}).await.unwrap_err();
    }
    assert_eq!(bank.ids("", 9).await.unwrap().len(), 0);
}

#[timed_test::test]
async fn a_builder_for_another_id_is_an_error() {
    let bank = Agents::builder(Memory::default(), |id, _: Agents<Other>| {
        let agent = if id == "none" {
            Other::new()
        } else {
            Other::with_id("main")
        };
        AgentServer::builder(agent)
    });
    let bank = bank.start().await.unwrap();
    for (id, text) in [
        (
            "none",
            "the builder for the id `none` has an agent with no id; write `with_id(id)`",
        ),
        (
            "alice",
            "the builder for the id `alice` has an agent with the id `main`; write `with_id(id)`",
        ),
    ] {
        let Err(ServeError::NotStarted(error)) = bank.agent(id).agent().await else {
            panic!("{id}");
        };
        assert_eq!(error.to_string(), text);
    }
}

agent! {
    pub struct Other { name: "other", skills: [] }
}

#[timed_test::test]
async fn a_panic_of_the_function_is_an_error_of_the_call() {
    let bank = Agents::builder(Memory::default(), |id, _: Agents<Other>| {
        assert_ne!(id, "alice", "no account");
        AgentServer::builder(Other::with_id(id))
    });
    let bank = bank.start().await.unwrap();
    let Err(ServeError::NotStarted(error)) = bank.agent("alice").agent().await else {
        panic!("it was woken");
    };
    assert!(error.to_string().contains("no account"), "{error}");
    bank.agent("bob").agent().await.unwrap();
}

#[timed_test::test]
async fn an_agent_that_stops_itself_wakes_again() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    let alice = bank.agent("alice");
    alice.call(Deposit { cents: 5 }).await.unwrap();
    alice.call(Crash {}).await.unwrap();
    while bank.awake() > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(alice.call(Balance {}).await.unwrap(), 5);
    alice.kill();
    while bank.awake() > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(alice.call(Balance {}).await.unwrap(), 5);
    alice.stop().await.unwrap();
    assert_eq!(alice.call(Balance {}).await.unwrap(), 5);
}

#[timed_test::test]
async fn after_the_stop_calls_fail() {
    let (store, clock, gate) = (Memory::default(), ManualClock::new(), gate());
    let bank = builder(store.clone(), &clock, &gate).start().await.unwrap();
    let alice = bank.agent("alice");
    alice.call(Deposit { cents: 5 }).await.unwrap();
    bank.stop().await.unwrap();
    for handle in [&alice, &bank.agent("alice"), &bank.agent("bob")] {
        let error = handle.call(Balance {}).await.unwrap_err();
        assert!(matches!(error, ServeError::Stopped { .. }), "{error}");
    }
    assert!(matches!(alice.closed().await, StopReason::Stopped));
    bank.stop().await.unwrap(); // again
    // other agents may use the store
    let bank = builder(store, &clock, &gate).start().await.unwrap();
    assert_eq!(account(&bank, "alice").await.cents, 5);
}

#[timed_test::test]
async fn without_a_handle_all_agents_end() {
    let (store, clock, gate) = (Memory::default(), ManualClock::new(), gate());
    let bank = builder(store.clone(), &clock, &gate).start().await.unwrap();
    let alice = bank.agent("alice");
    alice.call(RemindIn { minutes: 5 }).await.unwrap();
    drop(bank);
    alice.call(Deposit { cents: 5 }).await.unwrap(); // the handle keeps them
    drop(alice);
    let bank = loop {
        // the servers end in their own tasks
        match builder(store.clone(), &clock, &gate).start().await {
            Ok(bank) => break bank,
            Err(_) => tokio::task::yield_now().await,
        }
    };
    clock.advance(5 * MINUTE);
    bank.settled().await;
    let alice = account(&bank, "alice").await;
    assert_eq!((alice.cents, alice.reminders), (5, 1));
}

#[timed_test::test]
async fn two_agents_cannot_share_an_index() {
    let (store, clock, gate) = (Memory::default(), ManualClock::new(), gate());
    let _bank = builder(store.clone(), &clock, &gate).start().await.unwrap();
    let error = builder(store, &clock, &gate).start().await.unwrap_err();
    assert_eq!(error.to_string(), "the store of ` bank` cannot be used");
}

#[timed_test::test]
async fn a_subscription_outlives_sleep() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    let alice = bank.agent("alice");
    let mut signals = alice.subscribe("account.*").unwrap();
    assert_eq!(bank.awake(), 0);
    for round in 0..2 {
        let transfer = crate::bank::Transfer {
            to: "bob".into(),
            cents: round,
        };
        alice.call(transfer).await.unwrap();
        assert_eq!(signals.next().await.unwrap().ty(), "account.credit");
        clock.advance(MINUTE);
        bank.settled().await;
        assert_eq!(bank.awake(), 0);
    }
    drop((alice, bank));
    assert!(signals.next().await.is_none());
}

#[timed_test::test(threads = 2)]
async fn many_callers_in_few_places_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Redb::open(folder.path().join("bank.redb")).unwrap();
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(store, &clock, &gate)
        .most_awake(3)
        .start()
        .await
        .unwrap();
    let callers = (0..8u32).map(|caller| {
        let bank = bank.clone();
        tokio::spawn(async move {
            for call in 0..12 {
                let id = format!("agent {}", (caller + call) % 10);
                bank.agent(id).call(Deposit { cents: 1 }).await.unwrap();
            }
        })
    });
    for caller in callers.collect::<Vec<_>>() {
        caller.await.unwrap();
    }
    let mut sum = 0;
    for agent in 0..10 {
        sum += account(&bank, &format!("agent {agent}")).await.cents;
    }
    assert_eq!(sum, 96);
    assert!(bank.awake() <= 3);
    bank.stop().await.unwrap();
}

#[timed_test::test]
async fn a_wake_whose_callers_left_ends() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    for _ in 0..3 {
        for polls in 0..6 {
            let alice = bank.agent("alice");
            let mut call = pin!(alice.call(Deposit { cents: 1 }));
            for _ in 0..polls {
                let polled = poll_fn(|cx| Poll::Ready(call.as_mut().poll(cx))).await;
                if polled.is_ready() {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        bank.settled().await;
        clock.advance(MINUTE);
        bank.settled().await;
        assert_eq!(bank.awake(), 0);
    }
    // each call ran once or not at all
    let deposits = account(&bank, "alice").await.cents;
    assert!((1..=18).contains(&deposits), "{deposits}");
}

/// Agents with a child that never ends.
async fn agents_with_a_child(store: Memory, clock: &ManualClock) -> Agents<Other> {
    Agents::builder(store, |id, _| {
        let child = ChildSpec::new("worker", |_| async {
            std::future::pending::<()>().await;
            Ok(())
        });
        AgentServer::builder(Other::with_id(id)).child(child)
    })
    .clock(clock.clone())
    .idle_after(MINUTE)
    .most_awake(1)
    .within(MINUTE)
    .start()
    .await
    .unwrap()
}

#[timed_test::test]
async fn a_child_keeps_its_agent_awake() {
    let clock = ManualClock::new();
    let agents = agents_with_a_child(Memory::default(), &clock).await;
    let handle = agents.agent("alice");
    handle.agent().await.unwrap();
    clock.advance(10 * MINUTE);
    agents.settled().await;
    assert_eq!(agents.awake(), 1);
    // it does not keep all of them running
    let started = handle.started().unwrap();
    let mut closed = pin!(started.handle::<Other>().when_closed());
    drop((agents, handle));
    while poll_fn(|cx| Poll::Ready(closed.as_mut().poll(cx)))
        .await
        .is_pending()
    {
        clock.advance(MINUTE); // the child does not end by itself
        tokio::task::yield_now().await;
    }
}

#[timed_test::test]
async fn a_stop_does_not_wait_for_a_call_that_is_not_polled() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    let alice = bank.agent("alice");
    let mut call = pin!(alice.call(Deposit { cents: 1 }));
    let polled = poll_fn(|cx| Poll::Ready(call.as_mut().poll(cx))).await;
    assert!(polled.is_pending());
    bank.stop().await.unwrap();
    let error = call.await.unwrap_err();
    assert!(matches!(error, ServeError::Stopped { .. }), "{error}");
}

#[timed_test::test]
async fn the_end_of_all_agents_ends_subscriptions() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    let alice = bank.agent("alice");
    let mut signals = alice.subscribe("**").unwrap();
    bank.stop().await.unwrap();
    assert!(signals.next().await.is_none());
    assert!(alice.subscribe("**").unwrap().next().await.is_none());
}
