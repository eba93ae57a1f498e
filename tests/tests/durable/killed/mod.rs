//! Kills the process of a served agent at random moments under load. Every acknowledged command must survive exactly
//! once, and its directives must be executed.
//!
//! The test starts its own executable as the victim, and kills it ten times. Half of the victims are another build than the one
//! before: its module has another name, its skill another version, or its state one more field, which the other builds forget. Some of
//! these die during their start, before their first answer, and the others after it.
//!
//! To run more kills, at other moments: `KILLS=300 SEED=7 cargo test -p skill-tests --test durable killed -- --nocapture`.
//! The seed determines the builds and the moments, but not what the process is doing then: the counts differ from run to run, but the
//! sets of failures must always be empty.
//!
//! The operating system keeps the page cache of a killed process, so this does not test that a response waits for the
//! disk; `commits.rs` does.

mod builds;
mod schedule;
mod seen;
mod victim;

use builds::{BuildName, audited};
use schedule::{Kill, Kills, Moment};
use seen::Seen;
use skill_agent::Agent;
use skill_agent::testing::ManualClock;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, SystemTime};
use victim::{ANSWERED, BUILD, FOLDER, Files, STARTING, is_sent_again};

/// The results over all kills.
#[derive(Debug, Default)]
struct Results {
    kills: u64,
    /// Kills of another build than the one before.
    new_builds: usize,
    /// Those of them before the first answer.
    new_builds_without_answer: usize,
    /// How often the added field was forgotten with numbers in it.
    forgotten: usize,
    acknowledged: usize,
    applied: usize,
    /// Commands that were applied but not acknowledged.
    unacknowledged: usize,
    /// Commands sent again after a kill, with the same idempotency key or signal id.
    sent_again: usize,
    signals: usize,
    /// Signals that were published again with the same id.
    repeated_signals: usize,
    /// Kills after which directives were pending.
    with_pending_directives: usize,
    /// Acknowledged commands that were lost.
    lost: BTreeSet<u64>,
    /// Commands, runs and schedules that happened more than once.
    twice: BTreeSet<u64>,
    /// Commands without their signal, run or schedule, and runs and schedules without their command.
    unfinished: BTreeSet<u64>,
    /// Signals that were published again with another id.
    changed_ids: BTreeSet<u64>,
    /// Numbers that the added field lost, or has although it was forgotten.
    wrong_in_field: BTreeSet<u64>,
}

impl Results {
    fn is_clean(&self) -> bool {
        let wrong = [
            &self.lost,
            &self.twice,
            &self.unfinished,
            &self.changed_ids,
            &self.wrong_in_field,
        ];
        wrong.iter().all(|numbers| numbers.is_empty())
    }

    /// Asserts that each case that the kills are for has occurred.
    fn assert_all_cases(&self) {
        let cases = [
            ("forgotten", self.forgotten),
            ("new_builds_without_answer", self.new_builds_without_answer),
            ("with_pending_directives", self.with_pending_directives),
            ("sent_again", self.sent_again),
        ];
        for (name, count) in cases {
            assert!(count > 0, "`{name}` is 0 after {} kills", self.kills);
        }
    }
}

fn env_number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

/// A killed process.
struct Victim {
    process: Child,
    output: BufReader<ChildStdout>,
}

impl Victim {
    fn start(files: &Files, build: BuildName) -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "killed::victim", "--nocapture"])
            .env(FOLDER, &files.0)
            .env(BUILD, format!("{build:?}"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Self { process, output }
    }

    /// Waits until the victim prints a word. Returns `false` if it ends before.
    fn prints(&mut self, word: &str) -> bool {
        let mut lines = self.output.by_ref().lines().map(Result::unwrap);
        lines.any(|line| line.ends_with(word))
    }

    /// Kills the victim. Returns whether it had answered.
    fn kill_at(mut self, moment: Moment) -> bool {
        assert!(self.prints(STARTING), "the victim exited by itself");
        let (has_answered, after) = match moment {
            Moment::AfterStarting(after) => (false, after),
            Moment::AfterAnswer(after) => (self.prints(ANSWERED), after),
        };
        std::thread::sleep(after);
        self.process.kill().unwrap();
        let status = self.process.wait().unwrap();
        assert_eq!(status.code(), None, "the victim exited by itself");
        has_answered || self.prints(ANSWERED)
    }
}

fn lines(path: &Path) -> Vec<(String, u64)> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let line = |line: &str| {
        let (word, n) = line.split_once(' ').unwrap();
        (word.to_owned(), n.parse().unwrap())
    };
    text.lines().map(line).collect()
}

/// The numbers that were sent, and those that were acknowledged.
fn commands(files: &Files) -> (BTreeSet<u64>, BTreeSet<u64>) {
    let (sent, acknowledged): (Vec<_>, Vec<_>) = lines(&files.commands())
        .into_iter()
        .partition(|(word, _)| word == "sent");
    let numbers = |lines: Vec<(String, u64)>| lines.into_iter().map(|(_, n)| n).collect();
    (numbers(sent), numbers(acknowledged))
}

fn write_numbers_to_send(files: &Files, results: &mut Results) {
    let (sent, acknowledged) = commands(files);
    let again: Vec<u64> = sent
        .difference(&acknowledged)
        .copied()
        .filter(|n| is_sent_again(*n))
        .collect();
    results.sent_again += again.len();
    let next = sent.last().map_or(1, |last| last + 1);
    let numbers_to_send: Vec<String> = again.iter().chain([&next]).map(u64::to_string).collect();
    std::fs::write(files.numbers_to_send(), numbers_to_send.join("\n")).unwrap();
}

/// Starts a server on a copy of the victim's files, and lets all pending directives finish. The victim's own files stay
/// unchanged for the next victim. The build is the one that forgets nothing.
async fn finish_directives(files: &Files, results: &mut Results) -> audited::Tally {
    // All schedules are overdue at this time.
    let clock = ManualClock::at(SystemTime::now() + Duration::from_secs(3600));
    let builder = victim::builder::<audited::Counting>(files).clock(clock);
    let server = builder.start().await.unwrap();
    assert_eq!(server.recovery().damage, None);
    results.with_pending_directives += usize::from(server.recovery().directives > 0);
    // Due schedules fire before a request is answered, and their directives are executed before the next request.
    let mut tally = audited::Tally::default();
    for _ in 0..100 {
        tally = server.agent().await.unwrap().state().tally.clone();
        if tally.ran == tally.applied && tally.scheduled == tally.applied {
            break;
        }
    }
    server.stop().await.unwrap();
    tally
}

fn check_recovery(files: &Files, results: &mut Results) -> audited::Tally {
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
    let tally = runtime.block_on(finish_directives(&copied, results));
    let (_, acknowledged) = commands(files);
    let applied: BTreeSet<u64> = tally.applied.iter().collect();
    results.lost.extend(acknowledged.difference(&applied));
    for seen in [&tally.applied, &tally.ran, &tally.scheduled] {
        results.twice.extend(&seen.twice);
    }
    for seen in [&tally.ran, &tally.scheduled] {
        let seen: BTreeSet<u64> = seen.iter().collect();
        results
            .unfinished
            .extend(applied.symmetric_difference(&seen));
    }
    let published = lines(&copied.signals());
    let mut ids: BTreeMap<u64, String> = BTreeMap::new();
    for (id, n) in &published {
        if ids.entry(*n).or_insert_with(|| id.clone()) != id {
            results.changed_ids.insert(*n);
        }
    }
    let published_numbers: BTreeSet<u64> = ids.keys().copied().collect();
    results
        .unfinished
        .extend(applied.symmetric_difference(&published_numbers));
    results.acknowledged = acknowledged.len();
    results.applied = applied.len();
    results.unacknowledged = applied.difference(&acknowledged).count();
    results.signals = published.len();
    results.repeated_signals = published.len() - ids.len();
    tally
}

/// The numbers that the added field must have.
#[derive(Default)]
struct Field(BTreeSet<u64>);

impl Field {
    /// Compares the field with the numbers that a killed victim was the first to send, and that it acknowledged.
    fn check(
        &mut self,
        kill: &Kill,
        answered: bool,
        new: BTreeSet<u64>,
        results: &mut Results,
        found: &Seen,
    ) {
        let found: BTreeSet<u64> = found.iter().collect();
        if kill.build == BuildName::Audited {
            self.0.extend(new);
        } else if answered || found.is_empty() {
            // A build that died before its first answer may have forgotten the field or not.
            results.forgotten += usize::from(!self.0.is_empty());
            results.wrong_in_field.extend(&found);
            self.0.clear();
        }
        results.wrong_in_field.extend(self.0.difference(&found));
    }
}

#[test]
fn an_acknowledged_command_survives_every_kill_exactly_once() {
    let (kills, seed) = (env_number("KILLS", 10), env_number("SEED", 1));
    let folder = tempfile::tempdir().unwrap();
    let files = Files(folder.path().to_owned());
    let (mut field, mut results) = (Field::default(), Results::default());
    for kill in Kills::new(seed).take(kills as usize) {
        let (sent_before, _) = commands(&files);
        write_numbers_to_send(&files, &mut results);
        let answered = Victim::start(&files, kill.build).kill_at(kill.moment);
        results.kills += 1;
        results.new_builds += usize::from(kill.is_new);
        results.new_builds_without_answer += usize::from(kill.is_new && !answered);
        let tally = check_recovery(&files, &mut results);
        let (_, acknowledged) = commands(&files);
        let new = acknowledged.difference(&sent_before).copied().collect();
        field.check(&kill, answered, new, &mut results, &tally.audited);
        assert!(results.is_clean(), "seed {seed}, {kill:?}: {results:#?}");
    }
    println!("seed {seed}: {results:?}");
    assert!(
        results.acknowledged > 0,
        "each kill came before the first acknowledged command"
    );
    if kills >= 100 {
        results.assert_all_cases();
    }
}

#[test]
fn victim() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return println!("not started as the victim");
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .unwrap();
    let build = std::env::var(BUILD).unwrap();
    runtime.block_on(victim::run(&build, Files(folder.into())));
}

#[test]
fn numbers_inserted_twice_are_recorded() {
    let mut seen = Seen::default();
    for n in [5, 3, 4, 9, 4, 1] {
        seen.insert(n);
    }
    assert_eq!(seen.iter().collect::<Vec<_>>(), [1, 3, 4, 5, 9]);
    assert_eq!(seen.twice, [4]);
    assert!(seen.contains(4) && !seen.contains(2) && !seen.contains(10));
}
