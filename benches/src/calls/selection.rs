//! Selects documents by triggers among 10,000 for a request of 2 KB.

use crate::measure::{Case, Sample, in_turn, measure};
use crate::options::Options;
use crate::report::{Figure, Goal, Report};
use regex_lite::{Regex, RegexBuilder};
use skill_agent::manifest::selection::{
    Activations, Candidate, CandidateKind, Query, SelectionPolicy, Selector,
};
use std::hint::black_box;
use std::time::Instant;

const DOCUMENTS: usize = 10_000;
const REQUEST: usize = 2_048;

/// Words that the documents and the request share.
const COMMON: [&str; 8] = [
    "deploy",
    "review",
    "invoice",
    "graph",
    "translate",
    "summary",
    "branch",
    "recipe",
];

/// Returns a document with five keywords and one pattern. One in a hundred has a keyword of the request.
fn document(i: usize) -> Candidate {
    let description = format!("Handles the topic{i} of the area{}.", i % 400);
    let mut document = Candidate::new(
        CandidateKind::Document,
        format!("document-{i}"),
        description,
    );
    let mut keywords: Vec<String> = (0..5).map(|k| format!("keyword{i}x{k}")).collect();
    if i % 100 == 0 {
        keywords[0] = COMMON[i / 100 % COMMON.len()].to_owned();
    }
    document.triggers.keywords = keywords.into_iter().map(Into::into).collect();
    document.triggers.patterns = vec![pattern(i).into()].into();
    document.text_bytes = 2_000;
    document
}

fn pattern(i: usize) -> String {
    match i % 4 {
        0 => format!(r"topic{i}\s+of\s+\w+"),
        1 => format!(r"(?:open|close)\s+ticket-{i}\b"),
        2 => format!(r"\b{}\s+{i}\d*", COMMON[i % COMMON.len()]),
        _ => format!(r"file{i}\.(?:rs|py|js)"),
    }
}

fn request() -> String {
    let words = [
        "please", "look", "at", "the", "numbers", "and", "deploy", "what", "we", "have",
    ];
    let mut text = String::new();
    for word in words.iter().cycle() {
        if text.len() + word.len() >= REQUEST - 40 {
            break;
        }
        text.push_str(word);
        text.push(' ');
    }
    text.push_str("then close ticket-4001 in file7.rs");
    text
}

pub fn run(options: &Options, report: &mut Report) {
    let request = request();
    let query = Query::new(&request);
    let activations = Activations::default();
    let documents: Vec<Candidate> = (0..DOCUMENTS).map(document).collect();
    let start = Instant::now();
    let selector = Selector::new(documents);
    let taken = selector
        .select(&query, &activations, &SelectionPolicy::TIERS)
        .items
        .len();
    let build = start.elapsed().as_secs_f64() * 1e3;
    assert_eq!(taken, 3, "the request selects documents");
    let described = SelectionPolicy::TIERS.match_descriptions(true);
    let cases = [SelectionPolicy::TIERS, described].map(|policy| {
        let (selector, query, activations) = (&selector, &query, &activations);
        Case::new(
            format!("descriptions: {}", policy.match_descriptions),
            move || {
                black_box(
                    selector
                        .select(black_box(query), activations, &policy)
                        .items
                        .len(),
                );
            },
        )
    });
    let samples = measure(options.rounds(101), cases.into());
    let [triggers, descriptions] = &samples[..] else {
        unreachable!()
    };
    let regexes: Vec<Regex> = (0..DOCUMENTS).flat_map(loop_regexes).collect();
    let rounds = in_turn(options.rounds(5).min(5), 1, |_| {
        let start = Instant::now();
        let found = regexes
            .iter()
            .filter(|regex| regex.is_match(black_box(&request)))
            .count();
        black_box(found);
        start.elapsed().as_nanos() as f64
    });
    let by_loop = Sample::new(
        "a loop over regular expressions",
        rounds.into_iter().flatten().collect(),
    );
    report.section(
        "Selection",
        &format!("{DOCUMENTS} documents with five keywords and one pattern each, a request of {} bytes, `Selector::select`. The first row has the indexes, which the first selection builds. The loop runs one expression for the keywords and one for the pattern of each document.", request.len()),
        &[
            Figure::new("the first selection", build, "ms"),
            Figure::of("by triggers", triggers, "ns").compared_to_value(&by_loop.name, by_loop.median()).goal(Goal::AtMost(1e6)),
            Figure::of("by triggers and descriptions", descriptions, "ns"),
        ],
    );
}

/// The keywords of a document as one expression, and its pattern.
fn loop_regexes(i: usize) -> [Regex; 2] {
    let document = document(i);
    let keywords: Vec<_> = document
        .triggers
        .keywords
        .iter()
        .map(|keyword| &**keyword)
        .collect();
    [format!(r"\b(?:{})\b", keywords.join("|")), pattern(i)].map(|source| {
        RegexBuilder::new(&source)
            .case_insensitive(true)
            .build()
            .expect("the patterns are valid")
    })
}
