//! Schemas are created on first use, once per process, so each measurement runs in its own process.

use crate::measure::Sample;
use crate::options::Options;
use crate::report::{Figure, Report};
use crate::tools::{hand, ours, rig, rmcp};
use skill_agent::prelude::Agent;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

const VARIANTS: [(&str, fn()); 4] = [
    ("by hand", || drop(black_box(hand::tools()))),
    ("skill-agent", || {
        for tool in ours::Worker::tools() {
            black_box(tool.input_schema());
        }
    }),
    ("rmcp", || drop(black_box(rmcp::Worker::tool_router()))),
    ("rig", || drop(black_box(rig::tools().tool_definitions()))),
];

/// Runs in the child process: measures each variant once, starting with the one at `first`, and prints the nanoseconds in the
/// order of [`VARIANTS`].
pub fn child(first: usize) {
    // warms up the allocator and the code of schemars, which all variants use
    black_box(schemars::schema_for!(
        Vec<std::collections::BTreeMap<String, Option<f32>>>
    ));
    let mut elapsed = [0; VARIANTS.len()];
    for step in 0..VARIANTS.len() {
        let index = (first + step) % VARIANTS.len();
        let start = Instant::now();
        VARIANTS[index].1();
        elapsed[index] = start.elapsed().as_nanos();
    }
    println!(
        "{}",
        elapsed.map(|nanoseconds| nanoseconds.to_string()).join(" ")
    );
}

pub fn run(options: &Options, report: &mut Report) {
    let mut samples = VARIANTS.map(|(name, _)| Sample::new(name, Vec::new()));
    let exe = std::env::current_exe().expect("the path of this program");
    for round in 0..options.rounds(41) {
        let output = Command::new(&exe)
            .args(["first-use", &round.to_string()])
            .output();
        let printed = output.expect("this program starts").stdout;
        let printed = String::from_utf8_lossy(&printed);
        for (sample, nanoseconds) in samples.iter_mut().zip(printed.split_whitespace()) {
            sample.rounds.push(nanoseconds.parse().unwrap_or(f64::NAN));
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
            _ => figure.compared_to(sample, &samples[0]),
        });
    }
    report.section(
        "Schemas at first use",
        "The schemas of all 32 tools; each round runs in its own process. rmcp creates its schemas with the router, rig with the tool set.",
        &figures,
    );
}
