//! Measures how long it takes to find the routes of a signal among 10,000, compared with a linear search.
//!
//! Run it with `cargo run --release -p skill-examples --example routing`; without `--release` the figures are meaningless.

use serde_json::Value;
use skill_agent::core::routing::Match;
use skill_agent::core::{Pattern, Route, Router, Signal};
use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

const PATTERNS: usize = 10_000;
const SIGNALS: usize = 2_000;
/// The number of times the router matches all signals.
const ROUNDS: usize = 5;
/// The number of signals matched by the linear search.
const COMPARED: usize = 50;

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

/// Returns a signal type that at least one pattern matches.
fn signal_type(i: usize) -> String {
    let i = i * 7919 % PATTERNS;
    pattern(i).replace("**", "eu.west").replace('*', "12")
}

fn mean(total: Duration, count: usize) -> String {
    let nanoseconds = total.as_nanos() as f64 / count as f64;
    format!("{:.3} us", nanoseconds / 1000.0)
}

fn main() -> Result<(), Box<dyn Error>> {
    let texts: Vec<String> = (0..PATTERNS).map(pattern).collect();
    let signals: Vec<Signal> = (0..SIGNALS)
        .map(|i| Signal::new(signal_type(i), Value::Null))
        .collect();

    let start = Instant::now();
    let mut router = Router::new();
    for (i, text) in texts.iter().enumerate() {
        router.insert(Route::parse(text, 0)?, i);
    }
    println!("{} routes, built in {:?}", router.len(), start.elapsed());

    let mut found: Vec<Match<'_, usize>> = Vec::new();
    let mut total = 0;
    let start = Instant::now();
    for _ in 0..ROUNDS {
        for signal in &signals {
            router.matches_into(black_box(signal), &mut found);
            total += found.len();
        }
    }
    let matched = ROUNDS * SIGNALS;
    println!(
        "router:           {} per signal, {:.2} routes found",
        mean(start.elapsed(), matched),
        total as f64 / matched as f64
    );

    let patterns: Vec<Pattern> = texts
        .iter()
        .map(|text| text.parse())
        .collect::<Result<_, _>>()?;
    let start = Instant::now();
    let mut counts = Vec::new();
    for signal in signals.iter().take(COMPARED) {
        let ty = black_box(signal).ty();
        let matching = patterns.iter().filter(|pattern| pattern.matches(ty));
        counts.push(matching.count());
    }
    println!(
        "linear search:    {} per signal",
        mean(start.elapsed(), COMPARED)
    );

    for (signal, count) in signals.iter().zip(counts) {
        assert_eq!(router.matches(signal).len(), count, "{}", signal.ty());
    }
    println!("both find the same routes");
    Ok(())
}
