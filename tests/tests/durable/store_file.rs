//! A store file that is deleted, moved or replaced under its server.

use super::library_agent::*;
use super::{book_on, chain, start};
use skill_agent::store::Redb;
use skill_agent::{Applied, StopReason};
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
