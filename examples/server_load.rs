//! Many servers, many callers, a flood: what it costs, and that nothing is lost.
//!
//! Run it with `cargo run --release -p skill-examples --example server_load`; without `--release` the numbers mean little.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;
use skill_examples::memory::{MeasuringAllocator, in_use, peak, reset_peak};
use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

const SERVERS: usize = 1_000;
const CALLERS: usize = 64;
const CALLS: usize = 100_000;
/// How often the calls are measured.
const ROUNDS: usize = 5;
const SIGNALS: usize = 1_000_000;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Increment, Announce))]
pub struct Counter {
    /// The count.
    pub count: u64,
}

/// Add to the counter.
#[action]
pub fn increment(counter: &mut Counter, by: u64) -> u64 {
    counter.count += by;
    counter.count
}

/// Add to the counter and emit the count.
#[action(internal, on("counter.increment"))]
pub fn announce(counter: &mut Counter, cx: &mut Context<Counter>, by: u64) -> u64 {
    let count = increment(counter, by);
    cx.emit(Signal::new(
        "counter.incremented",
        json!({ "count": count }),
    ));
    count
}

agent! {
    /// Counts.
    pub struct Clerk {
        name: "clerk",
        skills: [Counter],
    }
}

#[global_allocator]
static ALLOCATOR: MeasuringAllocator = MeasuringAllocator;

fn rate(count: usize, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    idle().await?;
    calls().await?;
    flood().await
}

/// Measures the memory of idle servers.
async fn idle() -> Result<(), Box<dyn Error>> {
    let before = in_use();
    let start = Instant::now();
    let mut servers = Vec::with_capacity(SERVERS);
    for number in 0..SERVERS {
        let agent = Clerk::with_id(format!("clerk-{number}"));
        servers.push(AgentServer::builder(agent).start().await?);
    }
    let started = start.elapsed();
    let bytes = (in_use() - before) / SERVERS;
    println!("{SERVERS} servers started in {started:.1?}: {bytes} bytes per idle server");
    for server in &servers {
        server.call(Increment { by: 1 }).await?;
    }
    let bytes = (in_use() - before) / SERVERS;
    println!("after a call to each: {bytes} bytes per server");
    for server in servers {
        server.stop().await?;
    }
    Ok(())
}

/// The baseline: calls to a minimal task over a channel.
async fn bare() -> Result<f64, Box<dyn Error>> {
    let (mailbox, mut messages) = mpsc::channel::<(u64, oneshot::Sender<u64>)>(1024);
    tokio::spawn(async move {
        let mut count = 0;
        while let Some((by, answer)) = messages.recv().await {
            count += by;
            let _ = answer.send(count);
        }
    });
    let start = Instant::now();
    let ask = |mailbox: mpsc::Sender<(u64, oneshot::Sender<u64>)>| async move {
        for _ in 0..CALLS / CALLERS {
            let (answer, answered) = oneshot::channel();
            mailbox.send((1, answer)).await.map_err(|e| e.to_string())?;
            answered.await.map_err(|e| e.to_string())?;
        }
        Ok::<(), String>(())
    };
    let callers: Vec<_> = (0..CALLERS)
        .map(|_| tokio::spawn(ask(mailbox.clone())))
        .collect();
    for caller in callers {
        caller.await??;
    }
    Ok(rate(CALLS / CALLERS * CALLERS, start.elapsed()))
}

/// Many callers of one server, in turn with the bare channel.
async fn calls() -> Result<(), Box<dyn Error>> {
    let server = AgentServer::builder(Clerk::new()).start().await?;
    server.call(Increment { by: 0 }).await?;
    let before = in_use();
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let bare = bare().await?;
        rounds.push((served(&server).await?, bare));
    }
    let count = server.agent().await?.state().counter.count;
    let grown = in_use() as i64 - before as i64;
    let calls = (CALLS * ROUNDS) as u64;
    rounds.sort_by(|(a, x), (b, y)| (a / x).total_cmp(&(b / y)));
    let (rate, bare) = rounds[ROUNDS / 2];
    println!(
        "{calls} calls from {CALLERS} callers: {} lost, {rate:.0} calls a second, {:.2} x a bare channel (median of {ROUNDS}), {grown} bytes more in use",
        calls - count,
        rate / bare,
    );
    assert_eq!(count, calls);
    server.stop().await?;
    Ok(())
}

async fn served(server: &AgentServer<Clerk>) -> Result<f64, Box<dyn Error>> {
    let start = Instant::now();
    let ask = |server: AgentServer<Clerk>, calls: usize| async move {
        for _ in 0..calls {
            server.call(Increment { by: 1 }).await?;
        }
        Ok::<(), ServeError<std::convert::Infallible>>(())
    };
    let shares = (0..CALLERS).map(|n| CALLS / CALLERS + usize::from(n < CALLS % CALLERS));
    let callers: Vec<_> = shares
        .map(|n| tokio::spawn(ask(server.clone(), n)))
        .collect();
    for caller in callers {
        caller.await??;
    }
    Ok(rate(CALLS, start.elapsed()))
}

/// Sends signals faster than a subscriber reads them.
async fn flood() -> Result<(), Box<dyn Error>> {
    let server = AgentServer::builder(Clerk::new()).start().await?;
    let mut slow = server.subscribe("counter.**")?;
    let before = reset_peak();
    let start = Instant::now();
    for _ in 0..SIGNALS {
        server
            .send(Signal::new("counter.increment", json!({ "by": 1 })))
            .await?;
    }
    let count = server.agent().await?.state().counter.count;
    let time = start.elapsed();
    let most = peak() - before;
    let mut first: Option<Arc<Signal>> = None;
    let mut heard = 0;
    while let Some(signal) = slow.try_next() {
        first.get_or_insert(signal);
        heard += 1;
    }
    println!(
        "{SIGNALS} signals: {} lost by the server, {:.0} a second; at most {} KiB more in use; the slow subscriber has the last {heard} and lost {}",
        SIGNALS as u64 - count,
        rate(SIGNALS, time),
        most / 1024,
        slow.lost(),
    );
    assert_eq!(
        (count, heard + slow.lost() as usize),
        (SIGNALS as u64, SIGNALS)
    );
    server.stop().await?;
    Ok(())
}
