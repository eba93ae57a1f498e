//! Kills a process with durable conversations at random moments: during requests, in calls, at approvals, in streams and in
//! decisions. After each kill the histories are valid, and the results in them are true.
//!
//! To run more kills: `KILLS=200 SEED=7 cargo test -p skill-tests --test conversations killed -- --nocapture`. The seed determines
//! the moments, but not what the process is doing then.

mod victim;
mod world;

use crate::numbers::Numbers;
use skill_agent::chat::{ConversationPage, ConversationStatus, Stop};
use skill_agent::server::{Applied, Verdict};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;
use victim::{FOLDER, STARTING};
use world::{Files, World, number, plan};

/// The time within which a kill comes.
const RUN: Duration = Duration::from_millis(400);

fn env_number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

/// The findings after the kills.
#[derive(Debug, Default)]
struct Found {
    kills: u64,
    interrupted: usize,
    waiting: usize,
    with_queue: usize,
    turns: u64,
    acknowledged: usize,
    told_as_unknown: usize,
    /// Calls that have perhaps run, according to the history, and have not.
    told_and_not_run: usize,
    denied: usize,
    told_as_not_run: usize,
    effects: usize,
}

/// Kills a victim at a random moment.
fn kill(files: &Files, after: Duration) {
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killed::victim", "--nocapture"])
        .env(FOLDER, &files.0)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(process.stdout.take().unwrap());
    let mut lines = output.lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains(STARTING)));
    std::thread::sleep(after);
    process.kill().unwrap();
    let status = process.wait().unwrap();
    assert_eq!(status.code(), None, "the victim exited by itself");
}

/// The result of a call in a history.
#[derive(Debug, PartialEq)]
enum Said {
    Ran,
    Denied,
    NotRun,
    Unknown,
    Waits,
}

fn said(page: &ConversationPage) -> BTreeMap<String, (String, Said)> {
    let mut said = BTreeMap::new();
    let calls = page.history.iter().flat_map(|message| message.calls());
    let results = page.history.iter().flat_map(|message| message.results());
    for (call, result) in calls.zip(results) {
        assert_eq!(call.id, result.id);
        let arguments: serde_json::Value = serde_json::from_str(&call.call.arguments).unwrap();
        let Some(text) = arguments["text"].as_str() else {
            continue;
        };
        let what = match &result.result {
            Ok(_) => Said::Ran,
            Err(error) if result.is_pending() => {
                assert_eq!(error.applied(), Applied::No);
                Said::Waits
            }
            Err(error) if error.applied() == Applied::Unknown => Said::Unknown,
            Err(error) if error.to_string().contains("it was not run") => Said::NotRun,
            Err(error) => {
                assert!(error.to_string().contains("denied"), "{text}: {error}");
                Said::Denied
            }
        };
        let tool = call.call.name.clone();
        assert!(
            said.insert(text.to_owned(), (tool, what)).is_none(),
            "{text} twice"
        );
    }
    said
}

/// Compares the results in the histories with the effects.
async fn check(world: &World, files: &Files, found: &mut Found) {
    let mut effects: BTreeMap<String, usize> = BTreeMap::new();
    for text in world.effects(files).await {
        *effects.entry(text).or_default() += 1;
    }
    for (text, times) in &effects {
        assert_eq!(*times, 1, "{text} has run {times} times");
    }
    (found.acknowledged, found.told_as_unknown, found.denied) = (0, 0, 0);
    (found.told_as_not_run, found.told_and_not_run) = (0, 0);
    found.effects = effects.len();
    for info in world.chats.list("").await.unwrap() {
        let page = world.chats.get(&info.id).await.unwrap();
        assert_eq!(world.accepts(&page.history), Ok(()), "{}", info.id);
        for (text, (tool, said)) in said(&page) {
            let has_run = effects.contains_key(&text);
            match said {
                Said::Ran => {
                    assert!(
                        has_run,
                        "`{tool}` of {text} is acknowledged and has not run"
                    );
                    found.acknowledged += 1;
                }
                Said::Denied => {
                    assert!(!has_run, "`{tool}` of {text} is denied and has run");
                    found.denied += 1;
                }
                Said::NotRun => {
                    assert!(
                        !has_run,
                        "the result of `{tool}` says that {text} was not run, but it was"
                    );
                    found.told_as_not_run += 1;
                }
                // the server may have carried out the verdict before the kill
                Said::Waits => {}
                Said::Unknown => {
                    // a server knows which of its actions ran, unless it was still running
                    let is_known = ["add_note", "book", "remove_note", "refund"];
                    assert!(!is_known.contains(&&*tool), "`{tool}` of {text} is known");
                    found.told_as_unknown += 1;
                    found.told_and_not_run += usize::from(!has_run);
                }
            }
        }
    }
}

/// Takes all conversations to their ends.
async fn finish(world: &World) {
    for info in world.chats.list("").await.unwrap() {
        let id = &info.id;
        loop {
            let page = world.chats.get(id).await.unwrap();
            let running = match page.info.status {
                ConversationStatus::Idle => break,
                ConversationStatus::Waiting => {
                    let call = &page.pending[0].id;
                    world.chats.decide(id, call, Verdict::Approve).await
                }
                ConversationStatus::Interrupted => world.chats.resume(id).await,
                running => panic!("{id} is {running:?}"),
            };
            let turn = running.unwrap().wait().await.unwrap();
            assert!(
                matches!(turn.stop, Stop::Answered | Stop::Approval),
                "{turn:?}"
            );
        }
        assert!(world.chats.get(id).await.unwrap().queued.is_empty());
    }
}

/// Checks that no call and no answer of the last plan is missing. An earlier plan may have been left for a new message.
async fn check_complete(world: &World, files: &Files) {
    let mut unsaid = world.effects(files).await;
    for info in world.chats.list("").await.unwrap() {
        let page = world.chats.get(&info.id).await.unwrap();
        let said = said(&page);
        let has_perhaps_run = |text: &String| {
            let said = said.get(text).map(|(_, said)| said);
            matches!(said, Some(Said::Ran | Said::Unknown))
        };
        unsaid.retain(|text| !has_perhaps_run(text));
        let last = page.history.iter().filter_map(number).next_back().unwrap();
        for (tool, text) in plan(last).into_iter().flatten() {
            if tool != "list_notes" {
                assert!(said.contains_key(&text), "`{tool}` of {text} is missing");
            }
        }
        let answer = page.history.last().unwrap();
        assert!(answer.text().contains(&format!("{last}.4")), "{answer:?}");
    }
    assert!(
        unsaid.is_empty(),
        "{unsaid:?} have run and are in no history"
    );
}

fn copy(files: &Files) -> (tempfile::TempDir, Files) {
    let folder = tempfile::tempdir().unwrap();
    let copied = Files(folder.path().to_owned());
    for (from, to) in [
        (files.keeper(), copied.keeper()),
        (files.bank(), copied.bank()),
        (files.printed(), copied.printed()),
    ] {
        if from.exists() {
            std::fs::copy(from, to).unwrap();
        }
    }
    (folder, copied)
}

#[test]
fn no_call_is_lost_or_repeated_after_a_kill() {
    let (kills, seed) = (env_number("KILLS", 6), env_number("SEED", 1));
    let folder = tempfile::tempdir().unwrap();
    let files = Files(folder.path().to_owned());
    let (mut numbers, mut found) = (Numbers::new(seed), Found::default());
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_time().build().unwrap();
    for _ in 0..kills {
        let after = Duration::from_micros(numbers.below(RUN.as_micros() as u64));
        kill(&files, after);
        found.kills += 1;
        let (_folder, copied) = copy(&files);
        runtime.block_on(async {
            let world = World::open(&copied).await;
            let infos = world.chats.list("").await.unwrap();
            let with = |status| infos.iter().filter(|info| info.status == status).count();
            found.interrupted += with(ConversationStatus::Interrupted);
            found.waiting += with(ConversationStatus::Waiting);
            found.turns = infos.iter().map(|info| info.turns).sum();
            for info in &infos {
                let page = world.chats.get(&info.id).await.unwrap();
                found.with_queue += usize::from(!page.queued.is_empty());
            }
            check(&world, &copied, &mut found).await;
            finish(&world).await;
            check(&world, &copied, &mut Found::default()).await;
            check_complete(&world, &copied).await;
            world.stop().await;
        });
    }
    println!("seed {seed}: {found:?}");
    assert!(found.interrupted > 0 && found.acknowledged > 0, "{found:?}");
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
    runtime.block_on(victim::run(Files(folder.into())));
}
