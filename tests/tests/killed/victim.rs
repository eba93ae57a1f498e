//! The process that is killed: a server under load.

use super::tally::{Apply, Counting};
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::server::{OutboundSignal, PublishFuture, SignalSink};
use skill_agent::store::Redb;
use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::task::JoinSet;

/// The environment variable with the folder of the victim; a process without it is not a victim.
pub const FOLDER: &str = "KILLED_FOLDER";

/// How many callers there are at a time.
const CALLERS: u64 = 8;

/// The files of a run.
#[derive(Clone)]
pub struct Files(pub PathBuf);

impl Files {
    pub fn store(&self) -> PathBuf {
        self.0.join("agents.redb")
    }

    /// `begun n` and `acknowledged n`, a line each.
    pub fn commands(&self) -> PathBuf {
        self.0.join("commands")
    }

    /// `id n`, a line for each signal that the signal sink took.
    pub fn signals(&self) -> PathBuf {
        self.0.join("signals")
    }

    /// The numbers that are to be sent again, and the first that is new.
    pub fn orders(&self) -> PathBuf {
        self.0.join("orders")
    }
}

/// A file that only grows, by whole lines: each is one call of `write`, which a kill comes before or after.
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

/// The world: what it was told is in a file.
pub struct World(pub Lines);

impl SignalSink for World {
    fn publish(&self, outbound: OutboundSignal) -> PublishFuture<'_> {
        Box::pin(async move {
            let OutboundSignal::Emitted(signal) = outbound else {
                unreachable!("the agent replies to nobody")
            };
            let id = signal.id().unwrap();
            self.0.write(&format!("{id} {}", signal.data()["n"]));
            Ok(())
        })
    }
}

pub type Server = AgentServer<Counting>;

/// A number is always sent in the same way: by the first of these once, by the others again until it is acknowledged.
pub fn is_sent_again(n: u64) -> bool {
    !n.is_multiple_of(3)
}

async fn send(server: &Server, n: u64) -> bool {
    match n % 3 {
        0 => server.call(Apply { n }).await.is_ok(),
        1 => {
            let answer = server.call_with_key(n.to_string(), Apply { n }).await;
            answer.is_ok_and(|answer| answer == n)
        }
        _ => {
            let mut signal = Signal::new("tally.apply", json!({ "n": n }));
            signal.stamp(n.to_string(), "/killed", std::time::SystemTime::now());
            server.request(signal).await.is_ok_and(|answer| answer == n)
        }
    }
}

/// Works until it is killed.
pub async fn work(files: Files) {
    let orders = std::fs::read_to_string(files.orders()).unwrap();
    let mut orders: VecDeque<u64> = orders.lines().map(|line| line.parse().unwrap()).collect();
    let next = orders.pop_back().unwrap();
    let server = AgentServer::builder(Counting::with_id("counting-1"))
        .store(Redb::open(files.store()).unwrap())
        .signal_sink(World(Lines::open(&files.signals())))
        .start()
        .await
        .unwrap();
    let (again, next) = (Arc::new(Mutex::new(orders)), Arc::new(AtomicU64::new(next)));
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        let (server, again, next) = (server.clone(), again.clone(), next.clone());
        let commands = Lines::open(&files.commands());
        callers.spawn(async move {
            loop {
                let old = again.lock().unwrap().pop_front();
                let n = old.unwrap_or_else(|| next.fetch_add(1, Ordering::Relaxed));
                commands.write(&format!("begun {n}"));
                if !send(&server, n).await {
                    return n;
                }
                commands.write(&format!("acknowledged {n}"));
            }
        });
    }
    let failed = callers.join_next().await;
    panic!("a command failed: {failed:?}");
}
