//! Chains of commands.

use super::agent::{CHAIN_ENDED, Pass, close, start};
use super::{Bench, Measured, Variant, measure, repeated};
use crate::report::{Figure, Report};

const STEPS: u64 = 3;
const CHAINS: usize = 5;

pub fn run(bench: &Bench<'_>, report: &mut Report) {
    let server = &start(bench, &bench.path("chain.redb"));
    let in_turn = async || {
        for _ in 0..STEPS {
            let pass = server.call(Pass { others: 0 });
            pass.await.expect("the call succeeds");
        }
    };
    let mut ended = server.subscribe(CHAIN_ENDED).expect("the pattern is valid");
    let mut chain = async || {
        while ended.try_next().is_some() {}
        let pass = server.call(Pass { others: STEPS - 1 });
        pass.await.expect("the call succeeds");
        ended.next().await.expect("the chain ends");
    };
    let variants = vec![
        Variant::new("3 calls in turn", |times| {
            repeated(CHAINS, times, || bench.runtime.block_on(in_turn()))
        }),
        Variant::new("chain of 3 commands", |times| {
            repeated(CHAINS, times, || bench.runtime.block_on(chain()))
        }),
    ];
    let measured = measure(bench.options.rounds(101), variants);
    let [calls, chain] = &measured[..] else {
        unreachable!()
    };
    let rate = |of: &Measured| Figure::of(&of.sample.name, &of.sample, "chains/s");
    let time = |of: &Measured, what: &str, part: f64| {
        Figure::new(format!("{}: {what}", of.sample.name), of.time(part), "ms")
    };
    let mut figures = vec![
        rate(calls),
        rate(chain).compared_to(&chain.sample, &calls.sample),
    ];
    for (what, part) in [("p50", 0.5), ("p99", 0.99)] {
        figures
            .push(time(chain, what, part).compared_to_value(&calls.sample.name, calls.time(part)));
    }
    report.section(
        "A chain of `Run` directives",
        "A call whose command runs another one with `cx.run`, which runs a third one; each of the three has a record. From the call to the \
         signal that the last one emits. Compared with three calls, each after the response to the one before.",
        &figures,
    );
    bench.runtime.block_on(close(server.clone()));
}
