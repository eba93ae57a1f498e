//! Signals from one agent to another.

use crate::bank::{Ask, Deposit, MINUTE, Transfer, account, builder, gate, undelivering};
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::server::{ServeError, SignalError};
use skill_agent::store::Memory;
use skill_agent::testing::ManualClock;
use std::sync::{Arc, Mutex};
use tokio::runtime::Builder;

fn transfer(to: &str, cents: i64) -> Transfer {
    let to = to.to_owned();
    Transfer { to, cents }
}

#[timed_test::test]
async fn signals_to_one_agent_arrive_in_order() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    for cents in 1..=50 {
        bank.agent("alice")
            .call(transfer("bob", cents))
            .await
            .unwrap();
        bank.agent("alice")
            .call(transfer("carol", cents))
            .await
            .unwrap();
    }
    bank.settled().await;
    let expected: Vec<i64> = (1..=50).collect();
    for id in ["bob", "carol"] {
        assert_eq!(account(&bank, id).await.credits, expected);
    }
    assert!(bank.awake() <= 2);
}

#[timed_test::test]
async fn a_signal_that_no_agent_takes_holds_up_no_other() {
    let (clock, gate) = (ManualClock::new(), gate());
    let lost = Arc::new(Mutex::new(Vec::new()));
    let taken = Arc::clone(&lost);
    let bank = builder(Memory::default(), &clock, &gate)
        .undelivered(move |signal, error| {
            let text = format!("{} {error}", signal.ty());
            taken.lock().unwrap().push(text);
        })
        .start()
        .await
        .unwrap();
    bank.agent("closed")
        .call(Deposit { cents: -1 })
        .await
        .unwrap();
    bank.agent("alice")
        .call(transfer("closed", 1))
        .await
        .unwrap();
    bank.agent("alice").call(transfer("bob", 2)).await.unwrap();
    while account(&bank, "bob").await.cents == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(lost.lock().unwrap().len(), 0);
    while lost.lock().unwrap().is_empty() {
        clock.advance(MINUTE);
        tokio::task::yield_now().await;
    }
    let expected = "account.credit instruction 1 (`credit`) failed: the account is closed";
    assert_eq!(*lost.lock().unwrap(), [expected]);
    bank.settled().await;
    assert_eq!(account(&bank, "alice").await.cents, -3);
}

#[timed_test::test]
async fn a_signal_that_is_under_way_survives_a_stop_and_is_delivered_once() {
    let (store, clock, gate) = (Memory::default(), ManualClock::new(), gate());
    let bank = builder(store.clone(), &clock, &gate).start().await.unwrap();
    bank.agent("closed")
        .call(Deposit { cents: -1 })
        .await
        .unwrap();
    bank.agent("alice")
        .call(transfer("closed", 7))
        .await
        .unwrap();
    bank.agent("alice").kill();
    bank.agent("closed")
        .call(Deposit { cents: 1 })
        .await
        .unwrap();
    bank.stop().await.unwrap();
    let bank = builder(store, &clock, &gate).start().await.unwrap();
    bank.settled().await;
    while account(&bank, "closed").await.credits.is_empty() {
        clock.advance(MINUTE);
        tokio::task::yield_now().await;
    }
    bank.settled().await;
    assert_eq!(account(&bank, "closed").await.credits, [7]);
}

#[timed_test::test]
async fn a_signal_to_the_agent_itself_is_delivered() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    bank.agent("alice")
        .call(Deposit { cents: 9 })
        .await
        .unwrap();
    bank.agent("alice")
        .call(transfer("alice", 4))
        .await
        .unwrap();
    bank.settled().await;
    assert_eq!(account(&bank, "alice").await.credits, [4]);
}

#[timed_test::test]
async fn a_signal_of_the_program_goes_to_the_agent_that_it_names() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    let gift = Signal::new("account.credit", json!({ "cents": 1 }));
    bank.send(gift.clone().with_subject("bob")).await.unwrap();
    bank.request(gift.clone().with_subject("bob"))
        .await
        .unwrap();
    bank.settled().await;
    assert_eq!(account(&bank, "bob").await.cents, 2);
    let expected = "signals of the type `account.credit` name no agent: no pattern of `deliver` matches them, or its function \
                    returned `None`";
    let error = bank.request(gift.clone()).await.unwrap_err();
    assert!(matches!(
        &error,
        ServeError::Action(SignalError::NoAgent { .. })
    ));
    assert_eq!(error.to_string(), expected);
    let error = bank.send(gift).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the signal is refused: {expected}")
    );
}

#[timed_test::test]
async fn agents_that_ask_each_other_in_a_ring_answer() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .most_awake(1)
        .start()
        .await
        .unwrap();
    bank.agent("dave").call(Deposit { cents: 4 }).await.unwrap();
    let chain = ["bob", "carol", "alice", "bob", "dave"]
        .map(str::to_owned)
        .to_vec();
    assert_eq!(bank.agent("alice").call(Ask { chain }).await.unwrap(), 4);
    bank.settled().await;
    assert!(bank.awake() <= 1, "{bank:?}");
}

#[timed_test::test]
async fn a_pattern_that_is_none_is_an_error_of_the_start() {
    let (clock, gate) = (ManualClock::new(), gate());
    let agents = builder(Memory::default(), &clock, &gate).deliver("a..b", |_| None);
    let error = agents.start().await.unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("`deliver` of the builder got an invalid pattern, `a..b`"),
        "{error}"
    );
}

#[test]
fn a_signal_that_was_taken_before_a_crash_is_not_taken_again() {
    let (store, clock, gate) = (Memory::default(), ManualClock::new(), gate());
    let runtime = || Builder::new_current_thread().enable_all().build().unwrap();
    let before = runtime();
    before.block_on(async {
        let bank = builder(store.clone(), &clock, &gate).start().await.unwrap();
        bank.agent("alice").call(transfer("bob", 7)).await.unwrap();
        // The mark is written with a later record or at the end, which does not come.
        while account(&bank, "bob").await.credits.is_empty() {
            tokio::task::yield_now().await;
        }
    });
    drop(before); // all tasks end where they are
    runtime().block_on(async {
        let bank = builder(store, &clock, &gate).start().await.unwrap();
        bank.settled().await;
        assert_eq!(account(&bank, "bob").await.credits, [7]);
        let alice = bank.agent("alice").state_json().await.unwrap();
        assert!(alice.contains("-7"), "{alice}");
    });
}

#[timed_test::test]
async fn a_function_that_panics_loses_its_signal_alone() {
    let (clock, gate) = (ManualClock::new(), gate());
    let lost = Arc::new(Mutex::new(Vec::new()));
    let taken = Arc::clone(&lost);
    let bank = undelivering(Memory::default(), &clock, &gate)
        .undelivered(move |signal, error| {
            taken.lock().unwrap().push(error.to_string());
            assert!(signal.subject() != Some("panic"), "again");
        })
        .deliver("account.*", |signal| {
            assert!(signal.subject() != Some("panic"), "no account");
            signal.subject().map(str::to_owned)
        })
        .start()
        .await
        .unwrap();
    bank.agent("alice")
        .call(transfer("panic", 1))
        .await
        .unwrap();
    bank.agent("alice").call(transfer("bob", 2)).await.unwrap();
    bank.settled().await;
    assert_eq!(account(&bank, "bob").await.cents, 2);
    assert_eq!(lost.lock().unwrap().len(), 1);
}
