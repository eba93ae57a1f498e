//! Matches signals against 10,000 patterns.

use crate::measure::{Case, measure};
use crate::options::Options;
use crate::report::{Figure, Goal, Report};
use serde_json::Value;
use skill_agent::core::routing::Match;
use skill_agent::core::{Route, Router, Signal};
use std::hint::black_box;

const PATTERNS: usize = 10_000;
const SIGNALS: usize = 2_000;

/// Returns a pattern of a shop with many tenants: mostly literal, with some wildcards in the middle or at the end.
fn pattern(i: usize) -> String {
    let (tenant, order, event) = (i % 97, i / 7 % 50, ["placed", "paid", "sent"][i % 3]);
    match i % 10 {
        0 => format!("tenant{tenant}.order.*.{event}{i}"),
        1 => format!("tenant{tenant}.order.{order}.**.{event}{i}"),
        2 => format!("tenant{tenant}.*.{i}"),
        3 if i % 100 == 3 => format!("tenant{tenant}.**"),
        3 => format!("tenant{tenant}.order{i}.**"),
        4 => format!("*.order.{i}.{event}"),
        5 => format!("**.{event}{i}"),
        _ => format!("tenant{tenant}.order.{i}.{event}"),
    }
}

/// Returns signals that match at least one of the patterns.
fn signals(patterns: usize) -> Vec<Signal> {
    let ty = |i: usize| {
        pattern(i * 7919 % patterns)
            .replace("**", "eu.west")
            .replace('*', "12")
    };
    (0..SIGNALS)
        .map(|i| Signal::new(ty(i), Value::Null))
        .collect()
}

fn router(patterns: usize) -> Router<usize> {
    let mut router = Router::new();
    for i in 0..patterns {
        router.insert(
            Route::parse(&pattern(i), 0).expect("the patterns are valid"),
            i,
        );
    }
    // routes that all match one signal
    for count in [10, 100] {
        for i in 0..count {
            let route = Route::parse(&format!("many{count}.*"), 0).expect("the patterns are valid");
            router.insert(route, i);
        }
    }
    router
}

pub fn run(options: &Options, report: &mut Report) {
    let sizes = [PATTERNS / 10, PATTERNS];
    let routers = sizes.map(router);
    let sent = sizes.map(signals);
    let matched = |at: usize| {
        sent[at]
            .iter()
            .map(|signal| routers[at].matches(signal).len())
            .sum::<usize>() as f64
            / SIGNALS as f64
    };
    let mut cases = Vec::new();
    for at in 0..sizes.len() {
        let (router, signals) = (&routers[at], &sent[at]);
        let mut found: Vec<Match<'_, usize>> = Vec::new();
        let mut next = 0;
        cases.push(Case::new(format!("{} patterns", sizes[at]), move || {
            router.matches_into(black_box(&signals[next]), &mut found);
            next = (next + 1) % SIGNALS;
            black_box(found.len());
        }));
    }
    for count in [10, 100] {
        let signal = Signal::new(format!("many{count}.x"), Value::Null);
        let router = &routers[1];
        let mut found: Vec<Match<'_, usize>> = Vec::new();
        assert_eq!(router.matches(&signal).len(), count);
        cases.push(Case::new(format!("{count} matches"), move || {
            router.matches_into(black_box(&signal), &mut found);
            black_box(found.len());
        }));
    }
    let samples = measure(options.rounds(101), cases);
    let [few, many, ten, hundred] = &samples[..] else {
        unreachable!()
    };
    report.section(
        "Routing",
        &format!(
            "{SIGNALS} signal types in turn, through a `Router`; {:.2} routes match a signal at {PATTERNS} patterns, {:.2} at {}.",
            matched(1),
            matched(0),
            sizes[0]
        ),
        &[
            Figure::of(format!("a signal, {} patterns", sizes[0]), few, "ns"),
            Figure::of(format!("a signal, {PATTERNS} patterns"), many, "ns").compared_to(many, few).goal(Goal::AtMost(1000.0)),
            Figure::of("a signal that 10 routes fit", ten, "ns"),
            Figure::of("a signal that 100 routes fit", hundred, "ns").compared_to(hundred, ten).goal(Goal::RatioAtMost(10.0)),
        ],
    );
}
