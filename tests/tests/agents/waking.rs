//! Agents wake for what is due, and after a crash.

use crate::bank::{Deposit, MINUTE, RemindEach, RemindIn, account, builder, gate};
use skill_agent::store::{Memory, Store};
use skill_agent::testing::ManualClock;
use tokio::runtime::Builder;

#[timed_test::test]
async fn an_agent_sleeps_between_its_reminders() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .start()
        .await
        .unwrap();
    for minutes in [10, 20] {
        bank.agent("alice")
            .call(RemindIn { minutes })
            .await
            .unwrap();
    }
    for reminders in 1..=2 {
        for _ in 0..9 {
            clock.advance(MINUTE);
            bank.settled().await;
        }
        assert_eq!(bank.awake(), 0);
        clock.advance(MINUTE);
        bank.settled().await;
        assert_eq!(bank.awake(), 1); // before a call wakes it
        assert_eq!(account(&bank, "alice").await.reminders, reminders);
    }
}

#[timed_test::test(threads = 2)]
async fn many_agents_are_due_at_once() {
    let (clock, gate) = (ManualClock::new(), gate());
    let bank = builder(Memory::default(), &clock, &gate)
        .most_awake(4)
        .start()
        .await
        .unwrap();
    let ids: Vec<String> = (0..100).map(|number| format!("agent {number}")).collect();
    for id in &ids {
        bank.agent(id).call(RemindIn { minutes: 60 }).await.unwrap();
    }
    clock.advance(60 * MINUTE);
    bank.settled().await;
    assert!(bank.awake() <= 4);
    for id in &ids {
        assert_eq!(account(&bank, id).await.reminders, 1, "{id}");
    }
}

#[test]
fn a_crash_wakes_no_agent_too_late() {
    let (store, clock, gate) = (Memory::default(), ManualClock::new(), gate());
    let runtime = || Builder::new_current_thread().enable_all().build().unwrap();
    let before = runtime();
    before.block_on(async {
        let bank = builder(store.clone(), &clock, &gate).start().await.unwrap();
        // awake at the crash, so its schedule is in its own log alone
        bank.agent("alice")
            .call(RemindIn { minutes: 5 })
            .await
            .unwrap();
        bank.agent("bob").call(Deposit { cents: 1 }).await.unwrap();
    });
    drop(before); // all tasks end where they are
    runtime().block_on(async {
        let bank = builder(store, &clock, &gate).start().await.unwrap();
        bank.settled().await;
        clock.advance(5 * MINUTE);
        bank.settled().await;
        assert_eq!(account(&bank, "alice").await.reminders, 1);
        assert_eq!(account(&bank, "bob").await.cents, 1);
    });
}

#[timed_test::test]
async fn an_agent_that_is_due_and_does_not_start_is_tried_again() {
    let (store, clock, gate) = (Memory::default(), ManualClock::new(), gate());
    let bank = builder(store.clone(), &clock, &gate).start().await.unwrap();
    bank.agent("alice")
        .call(RemindIn { minutes: 5 })
        .await
        .unwrap();
    bank.stop().await.unwrap();
    let log = store.open("alice").unwrap(); // another owner
    let bank = builder(store, &clock, &gate).start().await.unwrap();
    clock.advance(5 * MINUTE);
    bank.settled().await;
    assert_eq!(bank.awake(), 0);
    drop(log);
    while bank.awake() == 0 {
        clock.advance(MINUTE);
        tokio::task::yield_now().await;
    }
    bank.settled().await;
    assert_eq!(account(&bank, "alice").await.reminders, 1);
}

#[timed_test::test]
async fn an_agent_wakes_for_each_run_of_a_schedule() {
    let (store, clock, gate) = (Memory::default(), ManualClock::new(), gate());
    let bank = builder(store.clone(), &clock, &gate).start().await.unwrap();
    bank.agent("alice")
        .call(RemindEach { minutes: 10 })
        .await
        .unwrap();
    for run in 1..=2 {
        for _ in 0..9 {
            clock.advance(MINUTE);
            bank.settled().await;
        }
        assert_eq!(bank.awake(), 0);
        clock.advance(MINUTE);
        bank.settled().await;
        assert_eq!(bank.awake(), 1); // before a call wakes it
        assert_eq!(account(&bank, "alice").await.reminders, run);
    }
    bank.stop().await.unwrap();
    let bank = builder(store, &clock, &gate).start().await.unwrap();
    bank.settled().await;
    assert_eq!(bank.awake(), 0);
    clock.advance(10 * MINUTE);
    bank.settled().await;
    assert_eq!(bank.awake(), 1);
    assert_eq!(account(&bank, "alice").await.reminders, 3);
}
