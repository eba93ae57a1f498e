//! The killed process: a server under load.

use super::builds::{Build, BuildName, audited, first, released, renamed};
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::server::{AgentServerBuilder, OutboundSignal, PublishFuture, SignalSink};
use skill_agent::store::Redb;
use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::task::JoinSet;

/// The environment variable with the folder of the victim's files. A process without it is not the victim.
pub const FOLDER: &str = "KILLED_FOLDER";

/// The environment variable with the name of the victim's build.
pub const BUILD: &str = "KILLED_BUILD";

/// The word that a victim prints before its server starts.
pub const STARTING: &str = "starting";

/// The word that a victim prints after its first answer.
pub const ANSWERED: &str = "answered";

/// The number of concurrent callers.
const CALLERS: u64 = 8;

/// The files of a victim.
#[derive(Clone)]
pub struct Files(pub PathBuf);

impl Files {
    pub fn store(&self) -> PathBuf {
        self.0.join("agents.redb")
    }

    /// Lines `sent n` and `acknowledged n`.
    pub fn commands(&self) -> PathBuf {
        self.0.join("commands")
    }

    /// A line `id n` for each published signal.
    pub fn signals(&self) -> PathBuf {
        self.0.join("signals")
    }

    /// The numbers to send again, and the first new number.
    pub fn numbers_to_send(&self) -> PathBuf {
        self.0.join("numbers_to_send")
    }
}

/// A file to which whole lines are appended. Each line is one call of `write`, so a kill happens before or after it.
pub struct Lines(File);

impl Lines {
    pub fn open(path: &Path) -> Self {
        let file = OpenOptions::new().append(true).create(true).open(path);
        Self(file.unwrap())
    }

    pub fn write(&self, line: &str) {
        let bytes = format!("{line}\n");
        let written = (&self.0).write(bytes.as_bytes()).unwrap();
        assert_eq!(written, bytes.len());
    }
}

/// A signal sink that writes to a file.
pub struct FileSink(pub Lines);

impl SignalSink for FileSink {
    fn publish(&self, outbound: OutboundSignal) -> PublishFuture<'_> {
        Box::pin(async move {
            let OutboundSignal::Emitted(signal) = outbound else {
                unreachable!("the agent sends no replies")
            };
            let id = signal.id().unwrap();
            self.0.write(&format!("{id} {}", signal.data()["n"]));
            Ok(())
        })
    }
}

/// A builder for a server on the files of a victim.
pub fn builder<B: Build>(files: &Files) -> AgentServerBuilder<B> {
    let builder = AgentServer::builder(B::with_id("counting-1"))
        .store(Redb::open(files.store()).unwrap())
        .signal_sink(FileSink(Lines::open(&files.signals())));
    match B::FORGET {
        Some(field) => builder.forget(field),
        None => builder,
    }
}

/// Whether a number is sent again until it is acknowledged. A number is always sent in the same way.
pub fn is_sent_again(n: u64) -> bool {
    !n.is_multiple_of(3)
}

async fn send<B: Build>(server: &AgentServer<B>, n: u64) -> bool {
    let answer = match n % 3 {
        0 => B::apply(server, n).await,
        1 => B::apply_with_key(server, n).await,
        _ => {
            let mut signal = Signal::new("tally.apply", json!({ "n": n }));
            signal.stamp(n.to_string(), "/killed", std::time::SystemTime::now());
            return server.request(signal).await.is_ok_and(|answer| answer == n);
        }
    };
    answer == Some(n)
}

/// Sends commands to a build until the process is killed.
pub async fn run(build: &str, files: Files) {
    let is = |name: BuildName| format!("{name:?}") == build;
    match BuildName::ALL.into_iter().find(|name| is(*name)).unwrap() {
        BuildName::First => run_build::<first::Counting>(files).await,
        BuildName::Renamed => run_build::<renamed::Counting>(files).await,
        BuildName::Audited => run_build::<audited::Counting>(files).await,
        BuildName::Released => run_build::<released::Counting>(files).await,
    }
}

async fn run_build<B: Build>(files: Files) {
    let numbers_to_send = std::fs::read_to_string(files.numbers_to_send()).unwrap();
    let mut numbers_to_send: VecDeque<u64> = numbers_to_send
        .lines()
        .map(|line| line.parse().unwrap())
        .collect();
    let next = numbers_to_send.pop_back().unwrap();
    println!("{STARTING}");
    let server = builder::<B>(&files).start().await.unwrap();
    let (again, next, has_answered) = (
        Arc::new(Mutex::new(numbers_to_send)),
        Arc::new(AtomicU64::new(next)),
        Arc::new(AtomicBool::new(false)),
    );
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        let (server, again, next) = (server.clone(), again.clone(), next.clone());
        let (commands, has_answered) = (Lines::open(&files.commands()), has_answered.clone());
        callers.spawn(async move {
            loop {
                let old = again.lock().unwrap().pop_front();
                let n = old.unwrap_or_else(|| next.fetch_add(1, Ordering::Relaxed));
                commands.write(&format!("sent {n}"));
                if !send(&server, n).await {
                    return n;
                }
                commands.write(&format!("acknowledged {n}"));
                if !has_answered.swap(true, Ordering::Relaxed) {
                    println!("{ANSWERED}");
                }
            }
        });
    }
    let failed = callers.join_next().await;
    panic!("a command failed: {failed:?}");
}
