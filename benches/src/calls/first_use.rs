//! Schemas are made at first use, once per process: each measurement is a process of its own.

use crate::measure::Sample;
use crate::options::Options;
use crate::report::{Figure, Report};
use crate::tools::{hand, ours, rig, rmcp};
use skill_agent::prelude::Agent;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

const WAYS: [(&str, fn()); 4] = [
    ("by hand", || drop(black_box(hand::tools()))),
    ("skill-agent", || {
        for tool in ours::Worker::tools() {
            black_box(tool.input_schema());
        }
    }),
    ("rmcp", || drop(black_box(rmcp::Worker::tool_router()))),
    ("rig", || drop(black_box(rig::tools().tool_definitions()))),
];

/// The process that is started for it: prints the nanoseconds of each way, beginning with another one each time.
pub fn child(first: usize) {
    // what every way needs once: the allocator's arenas, the code of schemars
    black_box(schemars::schema_for!(
        Vec<std::collections::BTreeMap<String, Option<f32>>>
    ));
    let mut took = [0; WAYS.len()];
    for step in 0..WAYS.len() {
        let at = (first + step) % WAYS.len();
        let start = Instant::now();
        WAYS[at].1();
        took[at] = start.elapsed().as_nanos();
    }
    println!("{}", took.map(|it| it.to_string()).join(" "));
}

pub fn run(options: &Options, report: &mut Report) {
    let mut samples = WAYS.map(|(name, _)| Sample::new(name, Vec::new()));
    let own = std::env::current_exe().expect("a program knows where it is");
    for round in 0..options.rounds(41) {
        let ran = Command::new(&own)
            .args(["first-use", &round.to_string()])
            .output();
        let printed = ran.expect("this program runs once more").stdout;
        let took = String::from_utf8_lossy(&printed);
        for (sample, took) in samples.iter_mut().zip(took.split_whitespace()) {
            sample.rounds.push(took.parse().unwrap_or(f64::NAN));
        }
    }
    let mut figures = Vec::new();
    for sample in &samples {
        let figure = Figure::of(
            format!("schemas of 32 tools at first use: {}", sample.name),
            sample,
            "ns",
        );
        figures.push(match sample.name.as_str() {
            "by hand" => figure,
            _ => figure.beside(sample, &samples[0]),
        });
    }
    report.part(
        "Schemas at first use",
        "All 32, each round in a process of its own. rmcp and rig make theirs together with the router and the set.",
        &figures,
    );
}
