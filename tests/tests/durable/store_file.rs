//! A store file that is deleted, moved or replaced under its server, and one that several agents share.

use super::library_agent::*;
use super::{book_on, chain, read, start};
use skill_agent::store::Redb;
use skill_agent::{Agent, AgentServer, Applied, StopReason};
use std::fs;
use std::path::Path;

#[cfg(unix)]
#[timed_test::test]
async fn a_server_stops_when_its_store_file_is_gone() {
    let delete = |path: &Path| fs::remove_file(path).unwrap();
    let move_away = |path: &Path| fs::rename(path, path.with_extension("old")).unwrap();
    let replace = |path: &Path| {
        let copy = path.with_extension("copy");
        fs::copy(path, &copy).unwrap();
        fs::rename(copy, path).unwrap();
    };
    for go in [&delete as &dyn Fn(&Path), &move_away, &replace] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agents.redb");
        let server = start(book_on(Redb::open(&path).unwrap())).await;
        server.call(Write { n: 1 }).await.unwrap();
        go(&path);
        let error = server.call(Write { n: 2 }).await.unwrap_err();
        assert_eq!(error.applied(), Applied::Unknown);
        let text = chain(&error);
        assert!(text.contains("deleted, moved or replaced"), "{text}");
        let reason = server.closed().await;
        assert!(matches!(reason, StopReason::Store(_)), "{reason:?}");
    }
}

/// A server of the agent `id` on a shared store.
async fn shared(id: &str, store: &Redb) -> AgentServer<Library> {
    let agent = Library::with_id(id);
    start(AgentServer::builder(agent).store(store.clone())).await
}

#[cfg(unix)]
#[timed_test::test]
async fn agents_of_one_file_stop_after_its_first_failed_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agents.redb");
    let store = Redb::open(&path).unwrap();
    let (first, second) = (shared("a", &store).await, shared("b", &store).await);
    for server in [&first, &second] {
        server.call(Write { n: 1 }).await.unwrap();
    }
    fs::rename(&path, path.with_extension("old")).unwrap();
    first.call(Write { n: 2 }).await.unwrap_err();
    // the file is back, and still not written to
    fs::rename(path.with_extension("old"), &path).unwrap();
    let error = second.call(Write { n: 2 }).await.unwrap_err();
    let text = chain(&error);
    assert!(
        text.contains("an earlier write to the file failed"),
        "{text}"
    );
    for server in [first, second] {
        let reason = server.closed().await;
        assert!(matches!(reason, StopReason::Store(_)), "{reason:?}");
    }
    drop(store);
    let store = Redb::open(&path).unwrap();
    let entries = read(&shared("b", &store).await).await.entries;
    assert_eq!(entries[0], 1);
}

#[timed_test::test]
async fn agents_of_one_file_keep_their_own_calls_and_keys() {
    const AGENTS: u64 = 16;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agents.redb");
    let store = Redb::open(&path).unwrap();
    let mut writers = Vec::new();
    for agent in 0..AGENTS {
        let server = shared(&format!("agent-{agent}"), &store).await;
        writers.push(tokio::spawn(async move {
            for n in 0..20 {
                let written = server.call_with_key(format!("{n}"), Write { n: 100 * agent + n });
                assert_eq!(written.await.unwrap() as u64, n + 1);
            }
            server.kill();
            server.closed().await;
        }));
    }
    for writer in writers {
        writer.await.unwrap();
    }
    drop(store);
    let store = Redb::open(&path).unwrap();
    for agent in 0..AGENTS {
        let server = shared(&format!("agent-{agent}"), &store).await;
        // a key that is used again returns the first answer
        let again = server
            .call_with_key("7", Write { n: 100 * agent + 7 })
            .await;
        assert_eq!(again.unwrap(), 8);
        let entries = read(&server).await.entries;
        assert_eq!(entries, (100 * agent..100 * agent + 20).collect::<Vec<_>>());
    }
}
