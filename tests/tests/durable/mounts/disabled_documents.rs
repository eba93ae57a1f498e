//! A disabled document across restarts.

use super::{leave, with_manual};
use crate::{kill, start};
use serde_json::json;
use skill_agent::manifest::MountDocs;
use skill_agent::store::Memory;

async fn offered(memory: &Memory) -> Vec<String> {
    let server = start(with_manual(memory.clone(), "Press the button.")).await;
    let agent = server.agent().await.unwrap();
    let offered = agent.mounted().offered_docs();
    let ids = offered.map(|doc| doc.id.to_string()).collect();
    server.stop().await.unwrap();
    ids
}

#[timed_test::test]
async fn a_disabled_document_is_disabled_after_a_restart_until_it_is_enabled() {
    let memory = leave(json!({})).await;
    let server = start(with_manual(memory.clone(), "Switch it on.")).await;
    server.mount("manual", json!({})).await.unwrap();
    server.disable("manual").await.unwrap();
    kill(server).await;
    // the first restart is from a record, the second from a snapshot
    for _ in 0..2 {
        assert_eq!(offered(&memory).await, [""; 0]);
    }
    let server = start(with_manual(memory.clone(), "Switch it on.")).await;
    let agent = server.agent().await.unwrap();
    assert!(agent.mounted().doc("manual").is_some() && !agent.mounted().is_enabled("manual"));
    server.enable("manual").await.unwrap();
    kill(server).await;
    for _ in 0..2 {
        assert_eq!(offered(&memory).await, ["manual"]);
    }
}
