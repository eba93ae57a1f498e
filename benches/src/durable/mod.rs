//! Measures calls and starts of an agent with a store, compared with redb and SQLite used by hand.

mod agent;
mod agents;
mod answers;
mod by_hand;
mod chain;
mod commits;
mod disk;
mod handed;
mod read_back;
mod recovery;

use crate::callers::round;
use crate::measure::{Sample, in_turn, quantile};
use crate::options::Options;
use crate::report::{Figure, Report};
use agent::DurableAgent;
use disk::Disk;
use skill_agent::AgentServer;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tempfile::TempDir;
use tokio::runtime::Runtime;

type Part = (&'static str, fn(&Bench<'_>, &mut Report));

pub const PARTS: [Part; 6] = [
    ("commits", commits::run),
    ("agents", agents::run),
    ("chain", chain::run),
    ("answers", answers::run),
    ("recovery", recovery::run),
    ("read-back", read_back::run),
];

/// The options, runtime and folder that all parts share.
pub struct Bench<'a> {
    options: &'a Options,
    runtime: Runtime,
    folder: TempDir,
}

impl Bench<'_> {
    /// Returns the path of a file of this run.
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Measures the parts that the options select.
pub fn run(options: &Options, report: &mut Report) {
    if !PARTS.iter().any(|(name, _)| options.wants(name)) {
        return;
    }
    let parent = options.folder.clone().unwrap_or_else(std::env::temp_dir);
    let folder = tempfile::Builder::new()
        .prefix("skill-benches-")
        .tempdir_in(parent)
        .expect("a folder for the stores is created");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime starts");
    Disk::measure(folder.path()).print(report);
    let bench = Bench {
        options,
        runtime,
        folder,
    };
    for (name, part) in PARTS {
        if options.wants(name) {
            part(&bench, report);
        }
    }
}

/// A round of a variant. It adds the time of each call, in milliseconds, and returns the value of the round.
type RunRound<'a> = Box<dyn FnMut(&mut Vec<f64>) -> f64 + 'a>;

/// Something that is measured in rounds.
struct Variant<'a> {
    name: String,
    round: RunRound<'a>,
}

impl<'a> Variant<'a> {
    fn new(name: impl Into<String>, round: impl FnMut(&mut Vec<f64>) -> f64 + 'a) -> Self {
        Self {
            name: name.into(),
            round: Box::new(round),
        }
    }
}

/// The measurements of a variant.
struct Measured {
    /// The values of the rounds.
    sample: Sample,
    /// The times of all calls, in milliseconds.
    times: Vec<f64>,
}

impl Measured {
    fn time(&self, part: f64) -> f64 {
        quantile(&self.times, part)
    }
}

/// Measures variants in turn, after one round of each that warms up.
fn measure(rounds: usize, mut variants: Vec<Variant<'_>>) -> Vec<Measured> {
    for variant in &mut variants {
        (variant.round)(&mut Vec::new());
    }
    let mut times = vec![Vec::new(); variants.len()];
    let values = in_turn(rounds, variants.len(), |at| {
        (variants[at].round)(&mut times[at])
    });
    let named = variants.iter().zip(values);
    let samples = named.map(|(variant, values)| Sample::new(&variant.name, values));
    samples
        .zip(times)
        .map(|(sample, times)| Measured { sample, times })
        .collect()
}

/// The rates of variants, compared with the first one.
fn rates(measured: &[Measured]) -> Vec<Figure> {
    let first = &measured[0].sample;
    let figure = |of: &Measured| Figure::of(&of.sample.name, &of.sample, "calls/s");
    let others = measured[1..].iter();
    let others = others.map(|of| figure(of).compared_to(&of.sample, first));
    std::iter::once(figure(&measured[0]))
        .chain(others)
        .collect()
}

/// Runs something `count` times, and returns how often per second.
fn repeated(count: usize, times: &mut Vec<f64>, mut once: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..count {
        let before = Instant::now();
        once();
        times.push(milliseconds(before));
    }
    count as f64 / start.elapsed().as_secs_f64()
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

type Server = AgentServer<DurableAgent>;

/// Lets callers share calls of one or several servers, and returns the measurements of the round.
fn called<S: Clone + Send + 'static, F: Future<Output = bool> + Send + 'static>(
    bench: &Bench<'_>,
    (callers, calls): (usize, usize),
    server: &S,
    call: impl Fn(S) -> F + Clone + Send + 'static,
    times: &mut Vec<f64>,
) -> crate::callers::Round {
    let all = Arc::new(Mutex::new(Vec::new()));
    let ask = |calls: usize| {
        let (server, call, all) = (server.clone(), call.clone(), Arc::clone(&all));
        async move {
            let mut own = Vec::with_capacity(calls);
            for _ in 0..calls {
                let before = Instant::now();
                if !call(server.clone()).await {
                    return false;
                }
                own.push(milliseconds(before));
            }
            all.lock().expect("no caller panics").extend(own);
            true
        }
    };
    let round = bench.runtime.block_on(round(callers, calls, ask));
    times.append(&mut all.lock().expect("no caller panics"));
    round
}
