//! A served agent whose process is killed at random moments under load: every acknowledged command is kept exactly once, and
//! its directives are executed.
//!
//! The test starts itself as the victim. Ten kills; for more, and for other moments:
//! `KILLS=200 SEED=7 cargo test -p skill-tests --test killed -- --nocapture`. Which moments a seed gives is written down, what
//! the process does at that moment is not: the figures differ, the zeros do not.
//!
//! A killed process leaves its page cache to the system: that an answer waits for the disk is tested in `durable`.

mod tally;
mod victim;

use skill_agent::store::Redb;
use skill_agent::testing::ManualClock;
use skill_agent::{Agent, AgentServer};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};
use tally::{Counting, Seen, Tally};
use victim::{FOLDER, Files, Lines, World, is_sent_again};

/// What was found, over all kills.
#[derive(Debug, Default)]
struct Verdict {
    kills: u64,
    acknowledged: usize,
    applied: usize,
    /// Applied, and nobody was told.
    unacknowledged: usize,
    /// Sent again after a kill, by key or with the id of the signal.
    sent_again: usize,
    signals: usize,
    /// Signals that came again, with the same id.
    doubles: usize,
    /// Kills after which there was something to carry out.
    with_directives: usize,
    /// Acknowledged commands that are not there.
    lost: BTreeSet<u64>,
    /// Commands, runs and schedules that happened more than once.
    twice: BTreeSet<u64>,
    /// Commands without their signal, run or schedule; runs and schedules without their command.
    unfinished: BTreeSet<u64>,
    /// Signals that came again with another id.
    other_ids: BTreeSet<u64>,
}

impl Verdict {
    fn is_clean(&self) -> bool {
        let wrong = [&self.lost, &self.twice, &self.unfinished, &self.other_ids];
        wrong.iter().all(|numbers| numbers.is_empty())
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

/// xorshift64*, which is good enough to be killed by.
struct Moments(u64);

impl Moments {
    fn next(&mut self) -> Duration {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let random = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        Duration::from_micros(random % 300_000)
    }
}

fn start_victim(files: &Files) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "victim", "--nocapture"])
        .env(FOLDER, &files.0)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

fn lines(path: &Path) -> Vec<(String, u64)> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let line = |line: &str| {
        let (word, n) = line.split_once(' ').unwrap();
        (word.to_owned(), n.parse().unwrap())
    };
    text.lines().map(line).collect()
}

/// The numbers that were begun, and those that were acknowledged.
fn commands(files: &Files) -> (BTreeSet<u64>, BTreeSet<u64>) {
    let (begun, acknowledged): (Vec<_>, Vec<_>) = lines(&files.commands())
        .into_iter()
        .partition(|(word, _)| word == "begun");
    let numbers = |lines: Vec<(String, u64)>| lines.into_iter().map(|(_, n)| n).collect();
    (numbers(begun), numbers(acknowledged))
}

fn give_orders(files: &Files, verdict: &mut Verdict) {
    let (begun, acknowledged) = commands(files);
    let again: Vec<u64> = begun
        .difference(&acknowledged)
        .copied()
        .filter(|n| is_sent_again(*n))
        .collect();
    verdict.sent_again += again.len();
    let next = begun.last().map_or(1, |last| last + 1);
    let orders: Vec<String> = again.iter().chain([&next]).map(u64::to_string).collect();
    std::fs::write(files.orders(), orders.join("\n")).unwrap();
}

/// Recovers a copy of what the victim left, so that the next one finds it as it was, and lets everything come to its end.
async fn come_to_its_end(files: &Files, verdict: &mut Verdict) -> Tally {
    // whatever was scheduled is overdue
    let clock = ManualClock::at(SystemTime::now() + Duration::from_secs(3600));
    let server = AgentServer::builder(Counting::with_id("counting-1"))
        .store(Redb::open(files.store()).unwrap())
        .signal_sink(World(Lines::open(&files.signals())))
        .clock(clock)
        .start()
        .await
        .unwrap();
    assert_eq!(server.recovery().damage, None);
    verdict.with_directives += usize::from(server.recovery().directives > 0);
    // Schedules fire before a question is answered, and what they lead to is done before the next.
    let mut tally = Tally::default();
    for _ in 0..100 {
        tally = server.agent().await.unwrap().state().tally.clone();
        if tally.followed == tally.applied && tally.rung == tally.applied {
            break;
        }
    }
    server.stop().await.unwrap();
    tally
}

fn judge(files: &Files, verdict: &mut Verdict) {
    let copy = tempfile::tempdir().unwrap();
    let copied = Files(copy.path().to_owned());
    for (from, to) in [
        (files.store(), copied.store()),
        (files.signals(), copied.signals()),
    ] {
        if from.exists() {
            std::fs::copy(from, to).unwrap();
        }
    }
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.build().unwrap();
    let tally = runtime.block_on(come_to_its_end(&copied, verdict));
    let (_, acknowledged) = commands(files);
    let applied: BTreeSet<u64> = tally.applied.iter().collect();
    verdict.lost.extend(acknowledged.difference(&applied));
    for seen in [&tally.applied, &tally.followed, &tally.rung] {
        verdict.twice.extend(&seen.twice);
    }
    for seen in [&tally.followed, &tally.rung] {
        let seen: BTreeSet<u64> = seen.iter().collect();
        verdict
            .unfinished
            .extend(applied.symmetric_difference(&seen));
    }
    let told = lines(&copied.signals());
    let mut ids: BTreeMap<u64, String> = BTreeMap::new();
    for (id, n) in &told {
        if ids.entry(*n).or_insert_with(|| id.clone()) != id {
            verdict.other_ids.insert(*n);
        }
    }
    let told_of: BTreeSet<u64> = ids.keys().copied().collect();
    verdict
        .unfinished
        .extend(applied.symmetric_difference(&told_of));
    verdict.acknowledged = acknowledged.len();
    verdict.applied = applied.len();
    verdict.unacknowledged = applied.difference(&acknowledged).count();
    verdict.signals = told.len();
    verdict.doubles = told.len() - ids.len();
}

#[test]
fn an_acknowledged_command_survives_every_kill_exactly_once() {
    let (kills, seed) = (number("KILLS", 10), number("SEED", 1));
    let folder = tempfile::tempdir().unwrap();
    let files = Files(folder.path().to_owned());
    let (mut moments, mut verdict) = (Moments(seed.max(1)), Verdict::default());
    for kill in 1..=kills {
        give_orders(&files, &mut verdict);
        let mut victim = start_victim(&files);
        let moment = moments.next();
        std::thread::sleep(moment);
        victim.kill().unwrap();
        let status = victim.wait().unwrap();
        assert_eq!(status.code(), None, "the victim ended by itself");
        verdict.kills = kill;
        judge(&files, &mut verdict);
        assert!(verdict.is_clean(), "seed {seed}, {moment:?}: {verdict:#?}");
    }
    println!("seed {seed}: {verdict:?}");
    assert!(
        verdict.acknowledged > 0,
        "it was killed too early each time"
    );
}

#[test]
fn victim() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return println!("nobody is to be killed");
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .unwrap();
    runtime.block_on(victim::work(Files(folder.into())));
}

#[test]
fn numbers_that_come_twice_are_seen() {
    let mut seen = Seen::default();
    for n in [5, 3, 4, 9, 4, 1] {
        seen.insert(n);
    }
    assert_eq!(seen.iter().collect::<Vec<_>>(), [1, 3, 4, 5, 9]);
    assert_eq!(seen.twice, [4]);
    assert!(seen.contains(4) && !seen.contains(2) && !seen.contains(10));
}
