//! Durable calls, compared with the commits of redb and SQLite.

use super::agent::{ID, STEP, close, start};
use super::by_hand::{ByHand, Change, RECORDED, RedbByHand, SqliteByHand};
use super::disk::{append, written};
use super::handed::Handed;
use super::{Bench, Measured, Server, Variant, called, measure, repeated};
use crate::callers::processor_time;
use crate::report::{Figure, Goal, Report};
use skill_agent::store::{Commit, Log, Record, Redb, Store};
use std::fs::File;

const CALLERS: usize = 64;
/// The commits of a variant in one round: few, because the time of an fsync changes from second to second.
const COMMITS: usize = 5;
/// Those with many callers: more, because the first and the last ones of a round are not full.
const FULL_COMMITS: usize = 20;
/// Rounds that count bytes and processor time.
const COUNTED: usize = 60;

/// From this fsync on, in milliseconds, group commit must be worth it.
const SLOW_FSYNC: f64 = 1.0;

/// The stores that are compared.
struct Stores {
    plain: RedbByHand,
    handed: Handed,
    with_state: RedbByHand,
    sqlite: SqliteByHand,
    server: Server,
}

impl Stores {
    fn create(bench: &Bench<'_>, change: &Change, name: &str) -> Self {
        let path = |engine: &str| bench.path(&format!("{name}-{engine}"));
        Self {
            plain: RedbByHand::create(&path("plain.redb"), change, false),
            handed: Handed::start(
                bench,
                RedbByHand::create(&path("handed.redb"), change, false),
            ),
            with_state: RedbByHand::create(&path("state.redb"), change, true),
            sqlite: SqliteByHand::create(&path("log.sqlite"), change),
            server: start(bench, &path("server.redb")),
        }
    }

    /// Each store, with `commits` in a round that `callers` share.
    fn variants<'a>(
        &'a mut self,
        bench: &'a Bench<'_>,
        callers: usize,
        commits: usize,
    ) -> [Variant<'a>; 5] {
        let Self {
            plain,
            handed,
            with_state,
            sqlite,
            server,
        } = self;
        let (handed, server) = (&*handed, &*server);
        [
            by_hand("redb's own commit", plain, callers, commits),
            Variant::new("a task and a thread by hand", move |times| {
                let calls = (callers, callers * commits);
                called(bench, calls, handed, Handed::call, times).rate
            }),
            by_hand(
                "redb by hand, record and state",
                with_state,
                callers,
                commits,
            ),
            by_hand("SQLite", sqlite, callers, commits),
            Variant::new("durable call", move |times| {
                let calls = (callers, callers * commits);
                called(bench, calls, server, step, times).rate
            }),
        ]
    }
}

fn by_hand<'a>(
    name: &str,
    store: &'a mut impl ByHand,
    callers: usize,
    commits: usize,
) -> Variant<'a> {
    Variant::new(name, move |times| {
        let rate = repeated(commits, times, || store.commit(callers as u64));
        rate * callers as f64
    })
}

async fn step(server: Server) -> bool {
    server.call(STEP).await.is_ok()
}

/// The log of a server, used without one.
struct LogAlone {
    log: Box<dyn Log>,
    last: Record,
}

impl LogAlone {
    /// Opens the log from which the change was taken.
    fn open(bench: &Bench<'_>) -> Self {
        let store = Redb::open(bench.path(RECORDED)).expect("the store opens");
        let mut log = store.open(ID).expect("the log opens");
        let recovered = bench.runtime.block_on(log.recover());
        let mut records = recovered.expect("the log is read").records;
        Self {
            log,
            last: records.pop().expect("there is a record"),
        }
    }

    /// Appends the last record again.
    async fn commit(&mut self) {
        self.last.seq += 1;
        let commit = Commit::new([self.last.clone()]);
        self.log.commit(commit).await.expect("the record is stored");
    }
}

pub fn run(bench: &Bench<'_>, report: &mut Report) {
    let change = Change::recorded(bench);
    let mut one = Stores::create(bench, &change, "one");
    let mut many = Stores::create(bench, &change, "many");
    let mut file = File::create(bench.path("appended")).expect("the file is created");
    let mut log = LogAlone::open(bench);
    let mut variants = vec![
        Variant::new("4 KiB appended, fsync", |times| {
            repeated(COMMITS, times, || {
                append(&mut file).expect("the file is synced")
            })
        }),
        Variant::new("a log of `Redb` without a server", |times| {
            repeated(COMMITS, times, || bench.runtime.block_on(log.commit()))
        }),
    ];
    variants.extend(one.variants(bench, 1, COMMITS));
    variants.extend(many.variants(bench, CALLERS, FULL_COMMITS));
    let measured = measure(bench.options.rounds(201), variants);
    let stats = many.server.stats();
    let shared = stats.records as f64 / stats.commits as f64;
    rates(report, change.size(), shared, &measured);
    times(report, &measured);
    counts(bench, report, &mut one);
    bench.runtime.block_on(async {
        close(one.server).await;
        close(many.server).await;
    });
}

/// Prints calls per second; `shared` is the number of records that 64 callers have in one commit.
fn rates(report: &mut Report, size: usize, shared: f64, measured: &[Measured]) {
    let [
        fsync,
        log,
        own,
        handed,
        state,
        sqlite,
        call,
        own_many,
        handed_many,
        state_many,
        sqlite_many,
        call_many,
    ] = measured
    else {
        unreachable!()
    };
    let mut figures = vec![rate(&fsync.sample.name, fsync)];
    let others = [state, sqlite, log, own, handed];
    figures.extend(compared(
        "1 caller",
        call,
        &others,
        Some(Goal::RatioAtLeast(0.8)),
    ));
    let others = [state_many, sqlite_many, own_many, handed_many];
    figures.extend(compared("64 at once", call_many, &others, None));
    let name = "durable call, 64 callers: records in a commit";
    figures.push(Figure::new(name, shared, ""));
    let gain = rate("durable call, 64 callers, beside 1", call_many)
        .compared_to(&call_many.sample, &call.sample);
    figures.push(Figure {
        goal: (fsync.time(0.5) > SLOW_FSYNC).then_some(Goal::RatioAtLeast(30.0)),
        ..gain
    });
    report.section(
        "A durable call",
        &format!(
            "`server.call(Step {{ .. }})` with a `Redb` store, on tokio's multi-threaded runtime, compared with what a program does that \
             writes the same {size} bytes, with a checksum, into one table with the record's number as key: redb with \
             `Durability::Immediate`, SQLite in WAL mode with `synchronous = FULL`. *Record and state* also replaces a row with the \
             state; the log of `Redb` is the one of the server. *A task and a thread* is a program by hand whose task receives calls, and hands \
             their commits to a thread with redb. *64 at once* are 64 callers, and 64 records in one commit by hand. More calls per second \
             are better, and `least` is the slowest round. The goal of 30 x holds where an fsync takes more than {SLOW_FSYNC} ms."
        ),
        &figures,
    );
}

/// The rates of commits by hand, each followed by that of durable calls; the last one has a goal.
fn compared(
    whose: &str,
    call: &Measured,
    by_hand: &[&Measured],
    goal: Option<Goal>,
) -> Vec<Figure> {
    let mut figures = Vec::new();
    for of in by_hand {
        let beside = format!("durable call, {whose}, beside {}", of.sample.name);
        figures.push(rate(&format!("{}, {whose}", of.sample.name), of));
        figures.push(rate(&beside, call).compared_to(&call.sample, &of.sample));
    }
    if let Some(last) = figures.last_mut() {
        last.goal = goal;
    }
    figures
}

fn rate(name: &str, measured: &Measured) -> Figure {
    Figure::of(name, &measured.sample, "calls/s")
}

/// Prints how long calls take.
fn times(report: &mut Report, measured: &[Measured]) {
    let [fsync, log, own, handed, _, sqlite, call, .., call_many] = measured else {
        unreachable!()
    };
    let mut figures = Vec::new();
    for (what, part) in [("p50", 0.5), ("p99", 0.99)] {
        for (of, whose) in [
            (fsync, "1 caller"),
            (own, "1 caller"),
            (handed, "1 caller"),
            (log, "1 caller"),
            (sqlite, "1 caller"),
            (call, "1 caller"),
            (call_many, "64 callers"),
        ] {
            let name = format!("{}, {whose}: {what}", of.sample.name);
            let figure = Figure::new(name, of.time(part), "ms");
            figures.push(figure.compared_to_value(&own.sample.name, own.time(part)));
        }
    }
    report.section(
        "The time of a durable call",
        "The same calls. Every 1,000 records the server writes a snapshot, and SQLite copies its log into its table every 1,000 pages.",
        &figures,
    );
}

/// Prints what a commit costs apart from the disk: the processor time, and on a system that counts them the bytes.
fn counts(bench: &Bench<'_>, report: &mut Report, stores: &mut Stores) {
    let mut variants = stores.variants(bench, 1, COMMITS);
    let mut totals = variants.each_ref().map(|_| (0.0, written().map(|_| 0.0)));
    for _ in 0..COUNTED {
        for (variant, (time, size)) in variants.iter_mut().zip(&mut totals) {
            let before = (written(), processor_time());
            (variant.round)(&mut Vec::new());
            *time += processor_time() - before.1;
            let bytes = before.0.zip(written());
            *size = size
                .zip(bytes)
                .map(|(size, (before, after))| size + after - before);
        }
    }
    let (mut times, mut sizes) = (Vec::new(), Vec::new());
    for (Variant { name, .. }, (time, size)) in variants.iter().zip(totals) {
        let each = |count: f64| count / (COUNTED * COMMITS) as f64;
        let time = each(time) / 1e3;
        times.push(Figure::new(format!("{name}: processor time"), time, "µs"));
        let size = size.map(|size| each(size) / 1024.0);
        sizes.extend(size.map(|size| Figure::new(format!("{name}: written"), size, "KiB")));
    }
    let compared = |figures: Vec<Figure>| {
        let own = figures.first().map_or(f64::NAN, |figure| figure.value);
        let figures = figures.into_iter();
        figures.map(move |figure| figure.compared_to_value("redb's own commit", own))
    };
    let mut figures: Vec<_> = compared(times).chain(compared(sizes)).collect();
    figures[variants.len() - 1].goal = Some(Goal::RatioAtMost(1.5));
    report.section(
        "What a durable call computes and writes",
        "1 caller; each round runs all variants. The processor time covers all threads, in the program and in the system. The bytes are the \
         writes of the process for one change, as the system counts them.",
        &figures,
    );
}
