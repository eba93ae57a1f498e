//! Tool calls of a model: from a name and JSON text to JSON text.

use crate::measure::{Case, measure};
use crate::options::Options;
use crate::report::{Figure, Goal, Report};
use crate::source::example;
use crate::tools::{COUNT, Rig, Rmcp, hand, ours};
use skill_agent::prelude::Agent;
use std::hint::black_box;

/// The goal relative to hand-written code.
const GOAL: Goal = Goal::RatioAtMost(1.15);

pub fn run(options: &Options, report: &mut Report) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime of one thread starts");
    let _inside = runtime.enter();
    let all: Vec<_> = (0..COUNT).map(example).collect();
    let unknown = vec![("scale_99".to_owned(), all[1].1)];
    let mut figures = Vec::new();
    for (what, calls, goal) in [
        ("first", &all[..1], Some(GOAL)),
        ("last", &all[COUNT - 1..], Some(GOAL)),
        ("each in turn", &all[..], Some(GOAL)),
        ("unknown name", &unknown[..], None),
    ] {
        figures.extend(group(options, what, calls, goal));
    }
    report.section(
        "A call by name",
        "32 tools with two arguments each, from the name and the JSON text of the arguments to the JSON text of the output. \
         rmcp is called through `ToolRouter::call` after its server's parsing of the text, rig through `ToolSet::execute`. \
         No runtime is measured. For an unknown name only skill-agent suggests another one.",
        &figures,
    );
}

fn group(
    options: &Options,
    what: &str,
    calls: &[(String, &str)],
    goal: Option<Goal>,
) -> Vec<Figure> {
    let (mut ours, mut hand) = (ours::Worker::new(), hand::Worker::default());
    let (rmcp, rig) = (Rmcp::new(), Rig::new());
    let cases = vec![
        Case::new(
            "by hand",
            in_turn(calls, |name, arguments| {
                drop(black_box(hand.call(name, arguments)))
            }),
        ),
        Case::new(
            "skill-agent",
            in_turn(calls, |name, arguments| {
                drop(black_box(ours.call_json(name, arguments)))
            }),
        ),
        Case::new(
            "rmcp",
            in_turn(calls, |name, arguments| {
                drop(black_box(rmcp.call(name, arguments)))
            }),
        ),
        Case::new(
            "rig",
            in_turn(calls, |name, arguments| {
                drop(black_box(rig.call(name, arguments)))
            }),
        ),
    ];
    let samples = measure(options.rounds(101), cases);
    let reference = &samples[0];
    let mut figures = vec![Figure::of(
        format!("call, {what}: by hand"),
        reference,
        "ns",
    )];
    for sample in &samples[1..] {
        let mut figure = Figure::of(format!("call, {what}: {}", sample.name), sample, "ns")
            .compared_to(sample, reference);
        figure.goal = goal.filter(|_| sample.name == "skill-agent");
        figures.push(figure);
    }
    figures
}

/// Returns a closure that makes the calls in turn.
fn in_turn(calls: &[(String, &str)], mut call: impl FnMut(&str, &str)) -> impl FnMut() {
    let mut at = 0;
    move || {
        let (name, arguments) = &calls[at];
        at = if at + 1 == calls.len() { 0 } else { at + 1 };
        call(black_box(name), black_box(arguments));
    }
}
