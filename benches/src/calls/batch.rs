//! A run of ten instructions that changes nothing if one fails.

use crate::measure::{Case, measure};
use crate::options::Options;
use crate::report::{Figure, Report};
use crate::tools::{hand, ours};
use serde::Deserialize;
use serde_json::{Value, json};
use skill_agent::prelude::*;
use std::hint::black_box;

/// A batch by hand: a copy of the state, and a `match` on the name of each instruction.
fn run_by_hand(
    worker: &mut hand::Worker,
    instructions: &[(&str, Value)],
) -> Result<Vec<Value>, String> {
    let saved = worker.clone();
    let mut one = |(name, arguments): &(&str, Value)| -> Result<Value, serde_json::Error> {
        match *name {
            "add_0" => serde_json::to_value(hand::Add0::deserialize(arguments)?.run(worker)),
            "scale_1" => serde_json::to_value(hand::Scale1::deserialize(arguments)?.run(worker)),
            "label_2" => serde_json::to_value(hand::Label2::deserialize(arguments)?.run(worker)),
            "count_3" => serde_json::to_value(hand::Count3::deserialize(arguments)?.run(worker)),
            _ => Err(serde::de::Error::custom("there is no such tool")),
        }
    };
    let done: Result<Vec<_>, _> = instructions.iter().map(&mut one).collect();
    done.map_err(|error| {
        *worker = saved;
        error.to_string()
    })
}

pub fn run(options: &Options, report: &mut Report) {
    let calls = [
        ("add_0", json!({ "a": 40, "b": 2 })),
        ("scale_1", json!({ "value": 1.5, "factor": 2.5 })),
        ("label_2", json!({ "text": "shelf", "width": 12 })),
        ("count_3", json!({ "numbers": [1, 5, 9, 13], "least": 5 })),
    ];
    let by_hand: Vec<(&str, Value)> = calls.iter().cycle().take(10).cloned().collect();
    let instructions: Vec<_> = by_hand
        .iter()
        .map(|(name, arguments)| Instruction::new(*name, arguments.clone()))
        .collect();
    let (mut ours, mut hand) = (ours::Worker::new(), hand::Worker::default());
    assert_eq!(
        ours.run(&instructions).expect("the batch runs").output,
        run_by_hand(&mut hand, &by_hand).expect("the batch runs")
    );
    let samples = measure(
        options.rounds(101),
        vec![
            Case::new("by hand", || {
                drop(black_box(run_by_hand(&mut hand, black_box(&by_hand))))
            }),
            Case::new("run", || {
                drop(black_box(ours.run(black_box(&instructions))))
            }),
        ],
    );
    let [hand, ours] = &samples[..] else {
        unreachable!()
    };
    report.section(
        "A batch of ten",
        "`agent.run` on ten instructions with JSON values as arguments; a failure changes nothing. By hand: a copy of the state, then a \
         `match` on four names, `deserialize` and `to_value` for each.",
        &[
            Figure::of("run of 10: by hand", hand, "ns"),
            Figure::of("run of 10", ours, "ns").compared_to(ours, hand),
        ],
    );
}
