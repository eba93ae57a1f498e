//! The laws about opening logs.

use super::Medium;
use super::expect::{Outcome, Session, done, equal, recovered, refused, store};
use super::fixtures::{plain, rows, snapshot};
use crate::{Commit, Refusal, StoreError};

pub(super) async fn a_log_that_was_never_written_is_empty(medium: &dyn Medium) -> Outcome {
    let mut session = Session::open(medium, "a").await?;
    for _ in 0..2 {
        session.has("its first opening", None, &[])?;
        equal("`read`", &session.read("t", b"k").await?, &None)?;
        session.has_rows("its first opening", "t", &[]).await?;
        session = session.reopen().await?;
    }
    Ok(())
}

pub(super) async fn a_log_has_one_owner_at_a_time(medium: &dyn Medium) -> Outcome {
    let store = store(medium)?;
    let is_owned = || match store.open("a").map(drop) {
        Err(StoreError::Owned { id }) if id == "a" => Ok(()),
        found => Err(format!(
            "opening the log \"a\" while it is open: expected `StoreError::Owned` with the id \"a\", found {found:?}"
        )),
    };
    for _ in 0..2 {
        let log = done("opening the log \"a\"", store.open("a"))?;
        is_owned()?;
        drop(done("opening another log beside it", store.open("b"))?);
        is_owned()?;
        drop(log);
    }
    Ok(())
}

pub(super) async fn recovery_comes_first(medium: &dyn Medium) -> Outcome {
    let store = store(medium)?;
    let mut log = done("opening a log", store.open("a"))?;
    let is_reason = |refusal: &Refusal| matches!(refusal, Refusal::NotRecovered);
    let commit = Commit::new(plain(0, 1)).put("t", "k", "v");
    let found = log.commit(commit.clone()).await;
    refused(
        "a commit before `recover`",
        found,
        "NotRecovered",
        is_reason,
    )?;
    let found = log.commit(Commit::default().put("t", "k", "v")).await;
    refused(
        "a commit of a row before `recover`",
        found,
        "NotRecovered",
        is_reason,
    )?;
    let found = log.compact(snapshot(0), commit).await;
    refused(
        "a compaction before `recover`",
        found,
        "NotRecovered",
        is_reason,
    )?;
    let found = log.read("t", b"k").await;
    refused("`read` before `recover`", found, "NotRecovered", is_reason)?;
    let found = log.scan("t", b"", 9).await;
    refused("`scan` before `recover`", found, "NotRecovered", is_reason)?;
    drop(log);
    drop(store);
    let mut session = Session::open(medium, "a").await?;
    session.has("writes before `recover`", None, &[])?;
    session.has_rows("writes before `recover`", "t", &[]).await
}

/// Ids that are prefixes of each other, one of them a number.
const PREFIXES: [&str; 5] = ["", "1", "1a", "1a/records", "1a/records/1"];

pub(super) async fn logs_do_not_mix(medium: &dyn Medium) -> Outcome {
    write_beside_one_another(medium).await?;
    for (at, id) in PREFIXES.into_iter().enumerate() {
        let mut session = Session::open(medium, id).await?;
        let action = format!("writes to the log {id:?} and to others");
        let (snapshot, kept) = if at == 1 {
            (Some(snapshot(1)), 1)
        } else {
            (None, 0)
        };
        session.has(&action, snapshot.as_ref(), &plain(0, at + 1)[kept..])?;
        let expected = if at == 2 { vec![] } else { rows(&[("k", id)]) };
        session.has_rows(&action, "t", &expected).await?;
    }
    Ok(())
}

async fn write_beside_one_another(medium: &dyn Medium) -> Outcome {
    let store = store(medium)?;
    let mut logs = Vec::new();
    for id in PREFIXES {
        logs.push(recovered(&*store, id).await?.0);
    }
    for (at, log) in logs.iter_mut().enumerate() {
        let commit = Commit::new(plain(0, at + 1)).put("t", "k", PREFIXES[at]);
        done("a commit beside other logs", log.commit(commit).await)?;
    }
    let found = logs[1].compact(snapshot(1), Commit::default()).await;
    done("a compaction beside other logs", found)?;
    let found = logs[2]
        .commit(Commit::default().delete_range("t", ..))
        .await;
    done("a commit beside other logs", found)
}

pub(super) async fn every_text_is_an_id(medium: &dyn Medium) -> Outcome {
    let long = "l".repeat(1000);
    let ids = [
        "",
        " ",
        "a",
        "A",
        "a ",
        "a\0",
        "a\0b",
        "..",
        "a/../b",
        "%61",
        "a'; --",
        "\u{e9}",
        "e\u{301}",
        "\u{1f600}",
        "\u{10ffff}\n",
        &long,
        &long[1..],
    ];
    for id in ids {
        let mut session = Session::open(medium, id).await?;
        session.has(&format!("its first opening as {id:?}"), None, &[])?;
        let commit = Commit::new(plain(0, 1)).put("t", "k", id);
        session.commit(commit).await?;
    }
    for id in ids {
        let mut session = Session::open(medium, id).await?;
        let action = format!("a commit to the log {id:?}");
        session.has(&action, None, &plain(0, 1))?;
        session.has_rows(&action, "t", &rows(&[("k", id)])).await?;
    }
    Ok(())
}
