//! Many agents in one file, compared with many callers of one agent.

use super::agent::{DurableAgent, STEP, close, on};
use super::disk::written;
use super::{Bench, Server, Variant, called, measure, rates};
use crate::report::{Figure, Goal, Report};
use skill_agent::Agent;
use skill_agent::store::{Redb, Store};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const CALLERS: usize = 64;
/// The calls of a variant in one round.
const CALLS: usize = CALLERS * 32;
/// Rounds that count bytes.
const COUNTED: usize = 8;

/// Servers whose agents share a file, and the number of calls so far.
#[derive(Clone)]
struct Servers(Arc<Vec<Server>>, Arc<AtomicUsize>);

impl Servers {
    fn start(bench: &Bench<'_>, agents: usize) -> Self {
        let path = bench.path(&format!("{agents}-agents.redb"));
        let store = Redb::open(path).expect("the store opens");
        let start = |agent| start(bench, agent, store.clone());
        Self(Arc::new((0..agents).map(start).collect()), Arc::default())
    }

    /// Returns the next server, so that each has the same number of calls, and the number of the call.
    fn next(&self) -> (Server, usize) {
        let call = self.1.fetch_add(1, Ordering::Relaxed);
        (self.0[call % self.0.len()].clone(), call)
    }
}

fn start(bench: &Bench<'_>, agent: usize, store: impl Store) -> Server {
    let agent = DurableAgent::with_id(format!("bench-{agent}"));
    let server = bench.runtime.block_on(on(agent, store).start());
    server.expect("the server starts")
}

async fn step(servers: Servers) -> bool {
    servers.next().0.call(STEP).await.is_ok()
}

async fn keyed_step(servers: Servers) -> bool {
    let (server, call) = servers.next();
    let key = format!("order {call}");
    server.call_with_key(key, STEP).await.is_ok()
}

/// Returns how many KiB a call of 64 callers writes.
fn size<F: Future<Output = bool> + Send + 'static>(
    bench: &Bench<'_>,
    servers: &Servers,
    call: fn(Servers) -> F,
) -> Option<f64> {
    let before = written()?;
    for _ in 0..COUNTED {
        called(bench, (CALLERS, CALLS), servers, call, &mut Vec::new());
    }
    Some((written()? - before) / (COUNTED * CALLS) as f64 / 1024.0)
}

pub fn run(bench: &Bench<'_>, report: &mut Report) {
    let (one, many) = (Servers::start(bench, 1), Servers::start(bench, CALLERS));
    let calls = (CALLERS, CALLS);
    let variants = vec![
        Variant::new("one agent, 64 callers", |times| {
            called(bench, calls, &one, step, times).rate
        }),
        Variant::new("64 agents of one file, 64 callers", |times| {
            called(bench, calls, &many, step, times).rate
        }),
        Variant::new("one agent, 64 callers with keys", |times| {
            called(bench, calls, &one, keyed_step, times).rate
        }),
        Variant::new("64 agents of one file, 64 callers with keys", |times| {
            called(bench, calls, &many, keyed_step, times).rate
        }),
    ];
    let measured = measure(bench.options.rounds(21), variants);
    let mut figures = rates(&measured);
    figures[1].goal = Some(Goal::RatioAtLeast(0.5));
    figures[2].goal = Some(Goal::RatioAtLeast(0.6));
    let sizes = size(bench, &one, step).zip(size(bench, &one, keyed_step));
    if let Some((without, keyed)) = sizes {
        let name = "one agent, 64 callers: written";
        figures.push(Figure::new(name, without, "KiB"));
        let figure = Figure::new("one agent, 64 callers with keys: written", keyed, "KiB");
        let figure = figure.compared_to_value(name, without);
        figures.push(figure.goal(Goal::RatioAtMost(1.5)));
    }
    report.section(
        "Many agents in one file",
        "One thread writes to a `Redb` file. It merges the commits of all agents that wait into one transaction with one fsync. The bytes \
         are for one call, as the system counts them. A call with a key writes two more rows.",
        &figures,
    );
    bench.runtime.block_on(async {
        for server in one.0.iter().chain(&*many.0) {
            close(server.clone()).await;
        }
    });
}
