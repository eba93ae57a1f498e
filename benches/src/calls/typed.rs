//! Typed commands, compared with calls of their functions.

use crate::measure::{Case, Sample, measure};
use crate::options::Options;
use crate::report::{Figure, Goal, Report};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use std::hint::black_box;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Step))]
pub struct Counter {
    /// The count.
    pub count: u64,
}

/// Add to the counter.
#[action]
pub fn step(counter: &mut Counter, by: u64, times: u64) -> u64 {
    counter.count = counter.count.wrapping_add(by.wrapping_mul(times));
    counter.count
}

/// One kilobyte of samples.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "log", actions(Record))]
pub struct Log {
    #[skill(default = vec![0.0; 128])]
    pub samples: Vec<f64>,
    /// The number of calls.
    #[skill(default)]
    pub recorded: u64,
}

/// Replace a sample and return the old one.
#[action]
pub fn record(log: &mut Log, at: usize, sample: f64) -> Result<f64, OutOfBounds> {
    log.recorded += 1;
    let place = log.samples.get_mut(at).ok_or(OutOfBounds(at))?;
    Ok(std::mem::replace(place, sample))
}

/// The index is out of bounds.
#[derive(Debug)]
pub struct OutOfBounds(usize);

impl std::fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the index {} is out of bounds", self.0)
    }
}

impl std::error::Error for OutOfBounds {}

agent! {
    /// Counts, and keeps samples.
    pub struct BenchAgent {
        name: "bench_agent",
        skills: [Counter, Log],
    }
}

pub fn run(options: &Options, report: &mut Report) {
    let rounds = options.rounds(201);
    let mut figures = infallible(rounds);
    figures.extend(fallible(rounds, "cmd, can fail, 1 KB of state", 7));
    figures.extend(fallible(rounds, "cmd, fails, 1 KB of state", 1000));
    report.section(
        "A typed command",
        "`agent.cmd(Step { by, times })` compared with `step(&mut state, by, times)`. A failed action is undone; the hand-written code \
         copies the state before the call and restores it after an error.",
        &figures,
    );
}

fn infallible(rounds: usize) -> Vec<Figure> {
    let (mut agent, mut counter) = (BenchAgent::new(), Counter::default());
    let samples = measure(
        rounds,
        vec![
            Case::new("the function", || {
                black_box(step(black_box(&mut counter), black_box(3), black_box(5)));
            }),
            Case::new("cmd", || {
                let step = Step {
                    by: black_box(3),
                    times: black_box(5),
                };
                let Ok(done) = black_box(&mut agent).cmd(step);
                black_box(done.output);
            }),
        ],
    );
    let [function, cmd] = &samples[..] else {
        unreachable!()
    };
    vec![
        Figure::of("cmd, cannot fail: the function", function, "ns"),
        Figure::of("cmd, cannot fail", cmd, "ns")
            .compared_to(cmd, function)
            .goal(Goal::RatioAtMost(1.05)),
        allocations("cmd, cannot fail: allocations", cmd),
    ]
}

fn allocations(name: &str, sample: &Sample) -> Figure {
    Figure::new(name, sample.allocations.unwrap_or(f64::NAN), "").goal(Goal::AtMost(0.0))
}

fn fallible(rounds: usize, name: &str, at: usize) -> Vec<Figure> {
    let (mut agent, mut log, mut kept) = (BenchAgent::new(), Log::default(), Log::default());
    let samples = measure(
        rounds,
        vec![
            Case::new("by hand", || {
                let saved = kept.clone();
                let done = record(black_box(&mut kept), black_box(at), black_box(1.5));
                if done.is_err() {
                    kept = saved;
                }
                let _ = black_box(done);
            }),
            Case::new("cmd", || {
                let record = Record {
                    at: black_box(at),
                    sample: black_box(1.5),
                };
                let done = black_box(&mut agent).cmd(record);
                let _ = black_box(done.map(|done| done.output));
            }),
            Case::new("the function, not undone", || {
                let _ = black_box(record(black_box(&mut log), black_box(at), black_box(1.5)));
            }),
        ],
    );
    let [hand, cmd, function] = &samples[..] else {
        unreachable!()
    };
    vec![
        Figure::of(format!("{name}: the function, not undone"), function, "ns"),
        Figure::of(format!("{name}: by hand"), hand, "ns"),
        Figure::of(name, cmd, "ns").compared_to(cmd, hand),
    ]
}
