//! Starts that recover many records, or a large snapshot.

use super::agent::{ID, STEP, TEXT, close, filled, on, start};
use super::by_hand::frames;
use super::{Bench, Variant, measure, milliseconds};
use crate::report::{Figure, Report};
use skill_agent::store::{Commit, Log, Redb, Store, StoreError};
use std::path::{Path, PathBuf};
use std::time::Instant;

const RECORDS: u64 = 10_000;
const MIB: usize = 1 << 20;

pub fn run(bench: &Bench<'_>, report: &mut Report) {
    let records = with_records(bench);
    let mut figures = compared(bench, 15, "10,000 records", &records);
    let (snapshot, written) = with_snapshot(bench);
    let size = bench.options.snapshot_mib();
    let name = format!("a snapshot of {size} MiB");
    figures.push(Figure::new(
        format!("first start, writes {name}"),
        written,
        "ms",
    ));
    let rounds = (640 / size).clamp(3, 15);
    figures.extend(compared(bench, rounds, &name, &snapshot));
    report.section(
        "Recovery",
        "From opening the file, which verifies all of it, to a started server; the files are in the page cache. By hand: redb opens and \
         verifies the file, and the program reads the frames and their checksums, but decodes nothing. The records are those of \
         `Step`; the snapshot has a state of texts of 1,000 bytes.",
        &figures,
    );
}

/// Writes a log with many records. A server would write a snapshot before.
fn with_records(bench: &Bench<'_>) -> PathBuf {
    let path = bench.path("records.redb");
    let server = start(bench, &path);
    bench.runtime.block_on(async {
        server.call(STEP).await.expect("the call succeeds");
        close(server).await;
        let store = Redb::open(&path).expect("the store opens");
        let log = store.open(ID).expect("the log opens");
        append(log).await.expect("the records are written");
    });
    path
}

/// Repeats the last record of a log.
async fn append(mut log: Box<dyn Log>) -> Result<(), StoreError> {
    let recovered = log.recover().await?;
    let record = recovered.records.last().expect("there is a record");
    let numbers: Vec<_> = (record.seq + 1..=RECORDS).collect();
    for numbers in numbers.chunks(1_000) {
        let numbered = |seq: &u64| {
            let mut record = record.clone();
            record.seq = *seq;
            record
        };
        let records: Vec<_> = numbers.iter().map(numbered).collect();
        log.commit(Commit::new(records)).await?;
    }
    Ok(())
}

/// Writes a log with a large snapshot, and returns how long the start took that wrote it, in milliseconds.
fn with_snapshot(bench: &Bench<'_>) -> (PathBuf, f64) {
    let path = bench.path("snapshot.redb");
    // a text has a header of 3 bytes
    let texts = bench.options.snapshot_mib() * MIB / (TEXT + 3) - 1;
    let agent = filled(texts);
    let before = Instant::now();
    let store = Redb::open(&path).expect("the store opens");
    let server = bench.runtime.block_on(on(agent, store).start());
    let written = milliseconds(before);
    bench
        .runtime
        .block_on(close(server.expect("the server starts")));
    (path, written)
}

/// Compares starts with reading the file by hand.
fn compared(bench: &Bench<'_>, rounds: usize, what: &str, path: &Path) -> Vec<Figure> {
    let variants = vec![
        Variant::new("by hand", |_| {
            let before = Instant::now();
            let frames = frames(path);
            let took = milliseconds(before);
            assert!(!frames.is_empty());
            took
        }),
        Variant::new("start", |_| {
            let before = Instant::now();
            let server = start(bench, path);
            let took = milliseconds(before);
            assert!(server.recovery().is_restored);
            bench.runtime.block_on(close(server));
            took
        }),
    ];
    let measured = measure(bench.options.rounds(rounds), variants);
    let [hand, ours] = &measured[..] else {
        unreachable!()
    };
    vec![
        Figure::of(format!("{what}: read by hand"), &hand.sample, "ms"),
        Figure::of(format!("{what}: start"), &ours.sample, "ms")
            .compared_to(&ours.sample, &hand.sample),
    ]
}
