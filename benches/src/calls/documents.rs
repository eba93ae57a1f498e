//! Parses and checks a SKILL.md.

use crate::measure::{Case, measure};
use crate::options::Options;
use crate::report::{Figure, Goal, Report};
use skill_manifest::{Dialect, check};
use std::hint::black_box;

/// A document with most fields of the standard and a long body.
const SAMPLE: &str = include_str!("code-review/SKILL.md");

pub fn run(options: &Options, report: &mut Report) {
    assert!(
        check(SAMPLE, &Dialect::AGENT_SKILLS).doc().is_some(),
        "the sample loads"
    );
    let found = &options.documents;
    let mut cases = vec![Case::new(
        format!("SKILL.md of {} bytes", SAMPLE.len()),
        || {
            black_box(check(black_box(SAMPLE), &Dialect::AGENT_SKILLS));
        },
    )];
    if !found.is_empty() {
        let bytes: usize = found.iter().map(String::len).sum();
        let (texts, mut at) = (found, 0);
        let name = format!(
            "{} documents of {} bytes on average",
            texts.len(),
            bytes / texts.len()
        );
        cases.push(Case::new(name, move || {
            black_box(check(black_box(&texts[at]), &Dialect::AGENT_SKILLS));
            at = (at + 1) % texts.len();
        }));
    }
    let samples = measure(options.rounds(101), cases);
    let figures: Vec<_> = samples
        .iter()
        .map(|sample| {
            Figure::of(format!("parse and check, {}", sample.name), sample, "ns")
                .goal(Goal::AtMost(40_000.0))
        })
        .collect();
    report.section(
        "A document",
        "`skill_manifest::check` from text to report, with the dialect of agentskills.io. `--documents FOLDER` adds every SKILL.md below a folder.",
        &figures,
    );
}
