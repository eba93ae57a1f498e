//! The laws about side tables.

use super::Medium;
use super::expect::{Outcome, Session, done, equal, refused};
use super::fixtures::{plain, rows, snapshot};
use crate::{Commit, Refusal, Row};

pub(super) async fn rows_are_read_as_written(medium: &dyn Medium) -> Outcome {
    let large = vec![0x5a; 1 << 20];
    let mut session = Session::open(medium, "a").await?;
    let first = Commit::default()
        .put("t", "", "of the empty key")
        .put("t", "empty", "")
        .put("t", "large", &*large)
        .put("t", "twice", "first")
        .put("t", "twice", "second")
        .put("t", "deleted", "v")
        .delete("t", "deleted")
        .delete("t", "back")
        .put("t", "back", "v")
        .delete("t", "never there");
    session.commit(first).await?;
    let second = Commit::new(plain(0, 1))
        .put("t", "later", "v")
        .put("t", "twice", "third");
    for twice in ["second", "third"] {
        for _ in 0..2 {
            for (key, expected) in [
                ("", Some(&b"of the empty key"[..])),
                ("empty", Some(b"")),
                ("large", Some(&*large)),
                ("twice", Some(twice.as_bytes())),
                ("deleted", None),
                ("back", Some(b"v")),
                ("never there", None),
                ("later", (twice == "third").then_some(b"v")),
            ] {
                let found = session.read("t", key.as_bytes()).await?;
                equal(
                    &format!("`read` of the row {key:?}"),
                    &found.as_deref(),
                    &expected,
                )?;
            }
            session = session.reopen().await?;
        }
        if twice == "second" {
            session.commit(second.clone()).await?;
        }
    }
    session.has("a commit with a record and rows", None, &plain(0, 1))
}

/// Keys, in byte order.
const ORDERED: [&[u8]; 9] = [
    b"",
    b"\0",
    b"\0\0",
    b"\x01",
    b"1",
    b"10",
    b"2",
    b"\x7f",
    b"\xff\xff",
];

fn ordered(range: std::ops::Range<usize>) -> Vec<Row> {
    let keys = ORDERED[range].iter();
    keys.map(|key| (key.to_vec(), [b"of ", *key].concat()))
        .collect()
}

async fn with_ordered(medium: &dyn Medium) -> Outcome<Session<'_>> {
    let mut session = Session::open(medium, "a").await?;
    let put = |commit: Commit, (key, value): Row| commit.put("t", key, value);
    let commit = ordered(0..9).into_iter().rev().fold(Commit::default(), put);
    session
        .commit(commit.put("s", "k", "v").put("tt", "k", "v"))
        .await?;
    Ok(session)
}

pub(super) async fn rows_are_scanned_in_the_order_of_keys(medium: &dyn Medium) -> Outcome {
    let mut session = with_ordered(medium).await?;
    for _ in 0..2 {
        for (from, limit, expected) in [
            (&b""[..], usize::MAX, 0..9),
            (b"", 9, 0..9),
            (b"", 3, 0..3),
            (b"", 0, 0..0),
            (b"\0", 2, 1..3),
            (b"1", 3, 4..7),
            (b"11", usize::MAX, 6..9),
            (b"\x80", 5, 8..9),
            (b"\xff\xff", 5, 8..9),
            (b"\xff\xff\0", 5, 9..9),
        ] {
            let action = format!("`scan` from {from:?} with the limit {limit}");
            let found = done(&action, session.log.scan("t", from, limit).await)?;
            equal(&action, &found, &ordered(expected))?;
        }
        session = session.reopen().await?;
    }
    Ok(())
}

pub(super) async fn ranges_of_rows_are_deleted(medium: &dyn Medium) -> Outcome {
    let key = |at: usize| ORDERED[at].to_vec();
    let delete = |from: Option<usize>, to: Option<usize>| {
        let commit = Commit::default();
        match (from.map(key), to.map(key)) {
            (Some(from), Some(to)) => commit.delete_range("t", from..to),
            (Some(from), None) => commit.delete_range("t", from..),
            (None, Some(to)) => commit.delete_range("t", ..=to),
            (None, None) => commit.delete_range("t", ..),
        }
    };
    let mut session = with_ordered(medium).await?;
    let mut left = ordered(0..9);
    for (action, commit, is_deleted) in [
        (
            "a deletion from the key 4 to the key 6, which is not deleted",
            delete(Some(4), Some(6)),
            &(|at: usize| (4..6).contains(&at)) as &dyn Fn(usize) -> bool,
        ),
        (
            "a deletion of the keys up to 1",
            delete(None, Some(1)),
            &|at| at <= 1,
        ),
        (
            "a deletion of an empty range",
            delete(Some(6), Some(6)),
            &|_| false,
        ),
        (
            "a deletion from the key 8 on",
            delete(Some(8), None),
            &|at| at >= 8,
        ),
        (
            "a deletion before a row of the range is written",
            delete(Some(7), None).put("t", key(7), [b"of ", ORDERED[7]].concat()),
            &|_| false,
        ),
        ("a deletion of the table", delete(None, None), &|_| true),
    ] {
        let is_kept = |row: &Row| {
            let at = ORDERED.iter().position(|key| *key == &*row.0);
            !at.is_some_and(is_deleted)
        };
        left.retain(is_kept);
        session.commit(commit).await?;
        session.has_rows(action, "t", &left).await?;
        session = session.reopen().await?;
        session.has_rows(action, "t", &left).await?;
    }
    for other in ["s", "tt"] {
        let expected = rows(&[("k", "v")]);
        session
            .has_rows("deletions in the table `t`", other, &expected)
            .await?;
    }
    Ok(())
}

pub(super) async fn tables_do_not_mix(medium: &dyn Medium) -> Outcome {
    // these names would collide if table and key were simply joined
    let tables = ["t", "tt", "t\0", "T", "records", "t'; --", "\u{e9}"];
    let expected = |table: &str| rows(&[("", table), ("t", table), ("tk", "v")]);
    let mut session = Session::open(medium, "a").await?;
    for table in tables {
        let commit = Commit::default()
            .put(table, "", table)
            .put(table, "t", table);
        session
            .commit(commit.put(table, "tk", "v").put(table, "k", "v"))
            .await?;
        session.commit(Commit::default().delete(table, "k")).await?;
    }
    session = session.reopen().await?;
    for table in tables {
        session
            .has_rows(
                "writes to tables with similar names",
                table,
                &expected(table),
            )
            .await?;
    }
    session
        .commit(Commit::default().delete_range("t", ..))
        .await?;
    session
        .has_rows("a deletion of the table `t`", "t", &[])
        .await?;
    for table in &tables[1..] {
        session
            .has_rows("a deletion of the table `t`", table, &expected(table))
            .await?;
    }
    Ok(())
}

pub(super) async fn a_compaction_keeps_rows(medium: &dyn Medium) -> Outcome {
    let mut session = Session::open(medium, "a").await?;
    let commit = Commit::new(plain(0, 2))
        .put("t", "k", "v")
        .put("t", "l", "v");
    session.commit(commit).await?;
    session.compact(snapshot(2), Commit::default()).await?;
    let mut expected = rows(&[("k", "v"), ("l", "v")]);
    session.has_rows("a compaction", "t", &expected).await?;
    session = session.reopen().await?;
    session.has_rows("a compaction", "t", &expected).await?;
    let changes = Commit::default().delete("t", "k").put("t", "m", "v");
    session.compact(snapshot(2), changes).await?;
    expected = rows(&[("l", "v"), ("m", "v")]);
    for _ in 0..2 {
        session
            .has_rows("a compaction that changes rows", "t", &expected)
            .await?;
        session = session.reopen().await?;
        session.has("a compaction that changes rows", Some(&snapshot(2)), &[])?;
    }
    Ok(())
}

pub(super) async fn larger_names_keys_and_values_are_refused(medium: &dyn Medium) -> Outcome {
    let mut session = Session::open(medium, "a").await?;
    let (name, key) = ("n".repeat(64), vec![0xff; 4096]);
    session
        .commit(Commit::default().put(name.clone(), &*key, "v"))
        .await?;
    let found = session.read(&name, &key).await?;
    equal(
        "`read` of the largest key of the longest name",
        &found,
        &Some(b"v".to_vec()),
    )?;
    let only = key.clone()..=key.clone();
    session
        .commit(Commit::default().delete_range(name.clone(), only))
        .await?;
    session
        .has_rows("a deletion of the largest key", &name, &[])
        .await?;

    let next = || Commit::new(plain(0, 1)).put("t", "k", "v");
    let (long, large_key) = ("n".repeat(65), vec![b'k'; 4097]);
    let large_value = vec![0; (64 << 20) + 1];
    let is_name = |refusal: &Refusal| matches!(refusal, Refusal::TableName { .. });
    let is_key = |refusal: &Refusal| matches!(refusal, Refusal::KeyTooLarge { .. });
    let is_value = |refusal: &Refusal| matches!(refusal, Refusal::ValueTooLarge { .. });
    let (table, log) = ("TableName", &mut session.log);
    let commit = next().put(long.clone(), "k", "v");
    refused(
        "a commit with a name of 65 bytes",
        log.commit(commit).await,
        table,
        is_name,
    )?;
    let commit = next().delete("", "k");
    refused(
        "a commit with an empty name",
        log.commit(commit).await,
        table,
        is_name,
    )?;
    let commit = next().delete_range(long.clone(), ..);
    refused(
        "a deletion with a name of 65 bytes",
        log.commit(commit).await,
        table,
        is_name,
    )?;
    refused(
        "`read` with a name of 65 bytes",
        log.read(&long, b"k").await,
        table,
        is_name,
    )?;
    refused(
        "`scan` with a name of 65 bytes",
        log.scan(&long, b"", 1).await,
        table,
        is_name,
    )?;
    let commit = next().put("t", &*large_key, "v");
    refused(
        "a commit with a key of 4097 bytes",
        log.commit(commit).await,
        "KeyTooLarge",
        is_key,
    )?;
    let found = log.read("t", &large_key).await;
    refused(
        "`read` with a key of 4097 bytes",
        found,
        "KeyTooLarge",
        is_key,
    )?;
    let commit = next().put("t", "k", large_value);
    let found = log.compact(snapshot(1), commit).await;
    refused(
        "a compaction with a value of over 64 MiB",
        found,
        "ValueTooLarge",
        is_value,
    )?;
    session = session.reopen().await?;
    session.has("refused commits", None, &[])?;
    session.has_rows("refused commits", "t", &[]).await?;
    session.commit(next()).await
}
