//! What a model is shown.

use crate::measure::{Case, measure};
use crate::options::Options;
use crate::report::{Figure, Report};
use crate::tools::{hand, ours, rig, rmcp};
use serde_json::to_string;
use skill_agent::prelude::Agent;
use std::hint::black_box;

pub fn run(options: &Options, report: &mut Report) {
    let (router, set) = (rmcp::Worker::tool_router(), rig::tools());
    let listed = vec![
        Case::new("skill-agent", || {
            black_box(ours::Worker::tools());
        }),
        Case::new("by hand", || drop(black_box(hand::tools()))),
        Case::new("rmcp", || drop(black_box(router.list_all()))),
        Case::new("rig", || drop(black_box(set.tool_definitions()))),
    ];
    let written = vec![
        Case::new("skill-agent", || {
            drop(black_box(to_string(ours::Worker::tools())))
        }),
        Case::new("rmcp", || drop(black_box(to_string(&router.list_all())))),
        Case::new("rig", || {
            drop(black_box(to_string(&set.tool_definitions())))
        }),
    ];
    let mut figures = Vec::new();
    for (what, cases) in [("tool list", listed), ("tool list as JSON", written)] {
        let samples = measure(options.rounds(101), cases);
        let rmcp = samples
            .iter()
            .find(|sample| sample.name == "rmcp")
            .expect("it is among the cases");
        for sample in &samples {
            let figure = Figure::of(format!("{what}: {}", sample.name), sample, "ns");
            figures.push(match sample.name.as_str() {
                "rmcp" => figure,
                _ => figure.beside(sample, rmcp),
            });
        }
    }
    report.part(
        "The list of 32 tools",
        "skill-agent gives a `&'static` slice; rmcp and rig make a list each time, by hand it is made with its schemas each time. The \
         JSON is MCP's, and rig's own. JSON in the form of a provider as cached bytes is not there yet with skill-agent, so it is not measured.",
        &figures,
    );
}
