//! A new build on an old store: other schemas, other skills, another configuration.

use super::office_builds::*;
use super::{chain, kill, start};
use skill_agent::StartError;
use skill_agent::core::bounds::AgentRunsWith;
use skill_agent::prelude::*;
use skill_agent::server::{AgentServerBuilder, RecoveryError};
use skill_agent::store::{Memory, Store};
use skill_agent::testing::FaultyStore;

fn office<G: Agent + AgentRunsWith<()>>(store: impl Store) -> AgentServerBuilder<G> {
    AgentServer::builder(G::with_id("office-1")).store(store)
}

/// An old office with something in it, killed.
async fn leave(store: impl Store) {
    let server = start(office::<old::Office>(store)).await;
    server
        .call(old::Enter {
            account: 7,
            amount: 1.5,
        })
        .await
        .unwrap();
    server
        .call(old::Enter {
            account: 8,
            amount: f64::INFINITY,
        })
        .await
        .unwrap();
    server
        .call(old::Note {
            text: "hello".into(),
        })
        .await
        .unwrap();
    kill(server).await;
}

async fn old_state(store: impl Store) -> old::OfficeState {
    let server = start(office::<old::Office>(store)).await;
    let state = server.agent().await.unwrap().state().clone();
    kill(server).await;
    state
}

#[timed_test::test]
async fn restore_converts_a_state_of_another_schema() {
    let store = FaultyStore::new(Memory::default());
    leave(store.clone()).await;
    let compactions = store.compactions();
    let server = start(office::<new::Office>(store.clone())).await;
    assert_eq!(
        store.compactions(),
        compactions + 1,
        "a new build begins with a snapshot"
    );
    assert_eq!(server.recovery().migrated, ["ledger"]);
    let ledger = server.agent().await.unwrap().state().ledger.clone();
    assert_eq!(ledger.from, "1.0.0");
    assert_eq!((ledger.cents["7"], ledger.cents.len()), (150, 2));
    let account = "9".to_owned();
    server
        .call(new::EnterCents { account, cents: 1 })
        .await
        .unwrap();
    kill(server).await;
    let server = start(office::<new::Office>(store.clone())).await;
    assert_eq!(
        store.compactions(),
        compactions + 1,
        "the same build does not"
    );
    assert!(server.recovery().migrated.is_empty());
    let state = server.agent().await.unwrap().state().clone();
    assert_eq!(
        (state.ledger.cents["9"], state.notes.notes),
        (1, vec!["hello".to_owned()])
    );
}

#[timed_test::test]
async fn descriptions_in_a_schema_do_not_change_its_fingerprint() {
    let memory = Memory::default();
    leave(memory.clone()).await;
    let server = start(office::<wordy::Office>(memory)).await;
    assert!(server.recovery().migrated.is_empty());
    let ledger = server.agent().await.unwrap().state().ledger.clone();
    assert_eq!((ledger.amounts[&7], ledger.total), (1.5, f64::INFINITY));
}

#[timed_test::test]
async fn a_state_of_another_schema_without_restore_stops_the_start_and_is_unchanged() {
    let memory = Memory::default();
    leave(memory.clone()).await;
    let before = old_state(memory.clone()).await;
    let refused = office::<rude::Office>(memory.clone())
        .start()
        .await
        .unwrap_err();
    let text = chain(&refused);
    assert!(
        matches!(
            &refused,
            StartError::Recovery {
                source: RecoveryError::OtherSchema { .. },
                ..
            }
        ),
        "{text}"
    );
    for part in ["office-1", "`ledger`", "1.0.0", "3.0.0", "Hooks::restore"] {
        assert!(text.contains(part), "{text} does not say {part}");
    }
    assert_eq!(old_state(memory).await, before);
}

#[timed_test::test]
async fn the_error_of_a_failed_restore_has_its_causes() {
    let memory = Memory::default();
    leave(memory.clone()).await;
    let refused = office::<failing::Office>(memory).start().await.unwrap_err();
    let text = chain(&refused);
    let cause = "the amounts cannot be converted: invalid digit found in string";
    assert!(text.ends_with(cause), "{text}");
}

#[timed_test::test]
async fn the_state_of_a_removed_skill_stops_the_start_until_it_is_forgotten() {
    let memory = Memory::default();
    leave(memory.clone()).await;
    let before = old_state(memory.clone()).await;
    let refused = office::<bare::Office>(memory.clone())
        .start()
        .await
        .unwrap_err();
    let text = chain(&refused);
    assert!(
        matches!(
            &refused,
            StartError::Recovery {
                source: RecoveryError::UnknownSkill { .. },
                ..
            }
        ),
        "{text}"
    );
    assert!(text.contains(r#".forget("ledger")"#), "{text}");
    assert_eq!(old_state(memory.clone()).await, before);

    let server = start(office::<bare::Office>(memory.clone()).forget("ledger")).await;
    assert_eq!(server.agent().await.unwrap().state().notes.notes, ["hello"]);
    kill(server).await;
    // it is forgotten for good
    let server = start(office::<bare::Office>(memory.clone())).await;
    kill(server).await;
    let state = old_state(memory).await;
    assert_eq!(
        (state.ledger, state.notes),
        (old::Ledger::default(), before.notes)
    );
}

#[timed_test::test]
async fn a_state_that_was_forgotten_does_not_come_back() {
    let memory = Memory::default();
    leave(memory.clone()).await;
    let server = start(office::<old::Office>(memory.clone()).forget("ledger")).await;
    assert_eq!(
        server.agent().await.unwrap().state().ledger,
        old::Ledger::default()
    );
    kill(server).await;
    assert_eq!(old_state(memory).await.ledger, old::Ledger::default());
}

#[timed_test::test]
async fn another_configuration_is_reported() {
    let memory = Memory::default();
    leave(memory.clone()).await;
    let server = start(office::<old::Office>(memory.clone())).await;
    assert!(server.recovery().other_configuration.is_empty());
    kill(server).await;
    let agent = old::Office::builder()
        .id("office-1")
        .config::<old::Notes>(old::NotesConfig { limit: 5 })
        .build()
        .unwrap();
    let server = AgentServer::builder(agent)
        .store(memory.clone())
        .start()
        .await
        .unwrap();
    assert_eq!(server.recovery().other_configuration, ["notes"]);
    assert_eq!(server.agent().await.unwrap().state().notes.notes, ["hello"]);
    server.stop().await.unwrap();
}
