//! 10,000 routes: how long one signal takes to find its own, beside a comparison with one pattern after the other.
//!
//! Run it with `cargo run --release --example routing`; without `--release` the figures say little.

use serde_json::Value;
use skill_agent::core::{Match, Pattern, Route, Router, Signal};
use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

const PATTERNS: usize = 10_000;
const SIGNALS: usize = 2_000;
/// How often the router goes over all signals; the comparison goes over a few of them, once.
const ROUNDS: usize = 5;
const COMPARED: usize = 50;

/// What a shop of many tenants might listen to: mostly names, some wildcards in the middle, some at the end.
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

/// A type that some of them stand for.
fn ty(i: usize) -> String {
    let i = i * 7919 % PATTERNS;
    pattern(i).replace("**", "eu.west").replace('*', "12")
}

fn each(total: Duration, count: usize) -> String {
    let nanoseconds = total.as_nanos() as f64 / count as f64;
    format!("{:.3} us", nanoseconds / 1000.0)
}

fn main() -> Result<(), Box<dyn Error>> {
    let texts: Vec<String> = (0..PATTERNS).map(pattern).collect();
    let signals: Vec<Signal> = (0..SIGNALS)
        .map(|i| Signal::new(ty(i), Value::Null))
        .collect();

    let start = Instant::now();
    let mut router = Router::new();
    for (i, text) in texts.iter().enumerate() {
        router.insert(Route::parse(text, 0)?, i);
    }
    println!("{} routes, made in {:?}", router.len(), start.elapsed());

    let mut found: Vec<Match<'_, usize>> = Vec::new();
    let mut taken = 0;
    let start = Instant::now();
    for _ in 0..ROUNDS {
        for signal in &signals {
            router.matches_into(black_box(signal), &mut found);
            taken += found.len();
        }
    }
    let asked = ROUNDS * SIGNALS;
    println!(
        "router:           {} per signal, {:.2} routes found",
        each(start.elapsed(), asked),
        taken as f64 / asked as f64
    );

    let patterns: Vec<Pattern> = texts
        .iter()
        .map(|text| text.parse())
        .collect::<Result<_, _>>()?;
    let start = Instant::now();
    let mut compared = Vec::new();
    for signal in signals.iter().take(COMPARED) {
        let ty = black_box(signal).ty();
        compared.push(patterns.iter().filter(|it| it.matches(ty)).count());
    }
    println!(
        "one by one:       {} per signal",
        each(start.elapsed(), COMPARED)
    );

    for (signal, count) in signals.iter().zip(compared) {
        assert_eq!(router.matches(signal).len(), count, "{}", signal.ty());
    }
    println!("both find the same");
    Ok(())
}
