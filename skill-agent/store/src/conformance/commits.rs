//! The laws about commits and compactions.

use super::Medium;
use super::expect::{Outcome, Session, refused};
use super::fixtures::{full, plain, rows, snapshot};
use crate::{Commit, Refusal};

pub(super) async fn committed_records_are_recovered(medium: &dyn Medium) -> Outcome {
    let mut large = plain(202, 1);
    large[0].states[0].state = vec![0x5a; 8 << 20];
    let groups = [
        plain(0, 1),
        vec![full(2)],
        plain(2, 200),
        large,
        plain(203, 1),
    ];
    let mut session = Session::open(medium, "a").await?;
    let mut written = Vec::new();
    for group in groups {
        session.commit(Commit::new(&*group)).await?;
        written.extend(group);
        session = session.reopen().await?;
        session.has("a commit", None, &written)?;
    }
    for seq in 204..210 {
        session.commit(Commit::new(plain(seq, 1))).await?;
        written.extend(plain(seq, 1));
    }
    let session = session.reopen().await?;
    session.has("several commits", None, &written)
}

pub(super) async fn records_are_consecutive(medium: &dyn Medium) -> Outcome {
    let mut session = Session::open(medium, "a").await?;
    session.commit(Commit::new(plain(0, 2))).await?;
    session = session.reopen().await?;
    let mut gap = plain(2, 3);
    gap.remove(1);
    let mut turned = plain(2, 2);
    turned.reverse();
    for (action, records, expected) in [
        ("a commit of record 4 after record 2", plain(3, 1), (4, 2)),
        ("a commit of record 2 after record 2", plain(1, 1), (2, 2)),
        ("a commit of record 1 after record 2", plain(0, 1), (1, 2)),
        (
            "a commit of the records 3 and 5 after record 2",
            gap,
            (5, 3),
        ),
        (
            "a commit of the records 4 and 3 after record 2",
            turned,
            (4, 2),
        ),
    ] {
        let reason = format!("Sequence {{ found: {}, last: {} }}", expected.0, expected.1);
        let found = session.log.commit(Commit::new(records)).await;
        refused(
            action,
            found,
            &reason,
            |refusal| matches!(refusal, Refusal::Sequence { found, last } if (*found, *last) == expected),
        )?;
    }
    session.commit(Commit::new(plain(2, 1))).await?;
    let session = session.reopen().await?;
    let written = [plain(0, 2), plain(2, 1)].concat();
    session.has("refused commits", None, &written)
}

pub(super) async fn a_refused_write_changes_nothing(medium: &dyn Medium) -> Outcome {
    let mut session = Session::open(medium, "a").await?;
    let first = Commit::new(plain(0, 2))
        .put("t", "k", "v")
        .put("t", "l", "w");
    session.commit(first).await?;
    let mut gap = plain(2, 3);
    gap.remove(1);
    let refused_commit = Commit::new(gap)
        .put("t", "k", "refused")
        .put("u", "k", "refused")
        .delete("t", "l");
    let is_reason = |refusal: &Refusal| matches!(refusal, Refusal::Sequence { .. });
    let found = session.log.commit(refused_commit.clone()).await;
    refused(
        "a commit of the records 3 and 5",
        found,
        "Sequence",
        is_reason,
    )?;
    let found = session.log.compact(snapshot(2), refused_commit).await;
    refused(
        "a compaction with the records 3 and 5",
        found,
        "Sequence",
        is_reason,
    )?;
    let found = session.log.compact(
        snapshot(4),
        Commit::new(plain(2, 1)).put("t", "k", "refused"),
    );
    refused(
        "a compaction with record 3 and snapshot 4",
        found.await,
        "Sequence",
        is_reason,
    )?;
    for _ in 0..2 {
        let expected = rows(&[("k", "v"), ("l", "w")]);
        session.has_rows("refused writes", "t", &expected).await?;
        session.has_rows("refused writes", "u", &[]).await?;
        session = session.reopen().await?;
        session.has("refused writes", None, &plain(0, 2))?;
    }
    session.commit(Commit::new(plain(2, 1))).await
}

pub(super) async fn an_empty_commit_writes_nothing(medium: &dyn Medium) -> Outcome {
    let mut session = Session::open(medium, "a").await?;
    session.commit(Commit::default()).await?;
    session.commit(Commit::new(plain(0, 1))).await?;
    session.commit(Commit::default()).await?;
    session = session.reopen().await?;
    session.has("empty commits", None, &plain(0, 1))?;
    session.commit(Commit::new(plain(1, 1))).await
}

pub(super) async fn a_compaction_replaces_records_by_a_snapshot(medium: &dyn Medium) -> Outcome {
    let records = plain(0, 9);
    let mut session = Session::open(medium, "a").await?;
    session.compact(snapshot(0), Commit::default()).await?;
    session.commit(Commit::new(&records[..4])).await?;
    for (action, at, commit) in [
        ("a compaction of some of the records", 2, 4..4),
        ("a compaction of the records before its commit", 4, 4..6),
        ("a compaction of some records of its commit", 7, 6..8),
        ("a compaction of everything with its commit", 9, 8..9),
        ("a compaction by a snapshot of the same number", 9, 9..9),
    ] {
        let last = commit.end;
        let commit = Commit::new(&records[commit]);
        session.compact(snapshot(at), commit).await?;
        session = session.reopen().await?;
        session.has(action, Some(&snapshot(at)), &records[at as usize..last])?;
    }
    session.commit(Commit::new(plain(9, 1))).await?;
    let session = session.reopen().await?;
    let action = "a compaction and a commit";
    session.has(action, Some(&snapshot(9)), &plain(9, 1))
}

pub(super) async fn a_snapshot_is_of_a_number_in_the_log(medium: &dyn Medium) -> Outcome {
    let mut session = Session::open(medium, "a").await?;
    session.commit(Commit::new(plain(0, 3))).await?;
    session.compact(snapshot(2), Commit::default()).await?;
    session = session.reopen().await?;
    let is_reason = |refusal: &Refusal| matches!(refusal, Refusal::Sequence { .. });
    for (action, at) in [
        (
            "a compaction by a snapshot of number 1 after one of number 2",
            1,
        ),
        ("a compaction by a snapshot of number 4 after record 3", 4),
    ] {
        let found = session.log.compact(snapshot(at), Commit::default()).await;
        refused(action, found, "Sequence", is_reason)?;
    }
    let session = session.reopen().await?;
    session.has("refused compactions", Some(&snapshot(2)), &plain(0, 3)[2..])
}

pub(super) async fn a_dropped_write_is_whole_or_absent(medium: &dyn Medium) -> Outcome {
    let mut session = Session::open(medium, "a").await?;
    let (mut last, mut kept) = (0, Vec::new());
    // one future is dropped before it is polled, and one after its first step
    for (round, is_polled) in [false, true, true, false].into_iter().enumerate() {
        let key = [round as u8];
        let write = session
            .log
            .commit(Commit::new(plain(last, 20)).put("t", key, "v"));
        if is_polled {
            first_step(write).await;
        } else {
            drop(write);
        }
        if session.read("t", &key).await?.is_some() {
            kept.extend(plain(last, 20));
            last += 20;
        }
        session.commit(Commit::new(plain(last, 1))).await?;
        kept.extend(plain(last, 1));
        last += 1;
        session = session.reopen().await?;
        session.has("a write whose future was dropped", None, &kept)?;
    }
    Ok(())
}

/// Polls a future once and drops it.
async fn first_step<T>(mut future: impl Future<Output = T> + Unpin) {
    std::future::poll_fn(|cx| {
        let _ = std::pin::Pin::new(&mut future).poll(cx);
        std::task::Poll::Ready(())
    })
    .await;
}
