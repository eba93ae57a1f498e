//! The list of tools for a model.

use crate::measure::{Case, measure};
use crate::options::Options;
use crate::report::{Figure, Report};
use crate::tools::{hand, ours, rig, rmcp};
use serde_json::to_string;
use skill_agent::models::{Provider, ToolsJson};
use skill_agent::prelude::Agent;
use std::hint::black_box;

pub fn run(options: &Options, report: &mut Report) {
    lists(options, report);
    providers(options, report);
}

fn lists(options: &Options, report: &mut Report) {
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
            black_box(ours::Worker::tools_json(Provider::MCP)).expect("the tools fit");
        }),
        Case::new("skill-agent, not cached", || {
            black_box(Provider::MCP.tools_json(ours::Worker::tools())).expect("the tools fit");
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
            .expect("a case for rmcp");
        for sample in &samples {
            let figure = Figure::of(format!("{what}: {}", sample.name), sample, "ns");
            figures.push(match sample.name.as_str() {
                "rmcp" => figure,
                _ => figure.compared_to(sample, rmcp),
            });
        }
    }
    report.section(
        "The list of 32 tools",
        "skill-agent returns a `&'static` slice. rmcp and rig create a list each time, and the hand-written code also creates the schemas. \
         The JSON is that of MCP, and rig's own; skill-agent makes its text once.",
        &figures,
    );
}

/// The list as text for each provider: as it is made for the first request, as it is found for a later one, and its size.
fn providers(options: &Options, report: &mut Report) {
    let (mut first, mut later, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    for &provider in Provider::ALL {
        // a list that a provider does not take is an error, and never sent
        let Ok(text) = ours::Worker::tools_json(provider) else {
            continue;
        };
        let name = format!("{provider:?}");
        first.push(Case::new(format!("{name}: first"), move || {
            black_box(provider.tools_json(ours::Worker::tools())).expect("the tools fit");
        }));
        later.push(Case::new(format!("{name}: later"), move || {
            black_box(ours::Worker::tools_json(provider)).expect("the tools fit");
        }));
        sizes.push(Figure::new(
            format!("{name}: size"),
            text.len() as f64,
            "bytes",
        ));
    }
    let mut figures = Vec::new();
    for cases in [first, later] {
        let samples = measure(options.rounds(101), cases);
        figures.extend(
            samples
                .iter()
                .map(|sample| Figure::of(&sample.name, sample, "ns")),
        );
    }
    figures.extend(sizes);
    report.section(
        "The list of 32 tools for each provider",
        "The schemas exist already; their first use is below. Anthropic takes at most 20 strict tools in a request, so its strict list is \
         not made.",
        &figures,
    );
}
