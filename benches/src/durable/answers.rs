//! Calls with idempotency keys, and calls beside many kept outputs.

use super::agent::{Recite, STEP, close, start};
use super::{Bench, Measured, Server, Variant, called, measure, milliseconds, rates};
use crate::report::{Figure, Report};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

const CALLERS: usize = 64;
/// The calls of a variant in one round.
const CALLS: usize = CALLERS * 8;
const OUTPUTS: usize = 10_000;
const SMALL: usize = 20;
const LARGE: usize = 20_000;

/// Keys that were not used before.
#[derive(Clone, Default)]
struct NewKeys(Arc<AtomicU64>);

impl NewKeys {
    /// A call that uses the next key, with an output of this size.
    fn call(&self, bytes: usize) -> impl Fn(Server) -> CallFuture + Clone + Send + 'static {
        let keys = self.clone();
        move |server| {
            let key = format!("order {}", keys.0.fetch_add(1, Ordering::Relaxed));
            Box::pin(async move { server.call_with_key(key, Recite { bytes }).await.is_ok() })
        }
    }
}

type CallFuture = std::pin::Pin<Box<dyn Future<Output = bool> + Send>>;

async fn step(server: Server) -> bool {
    server.call(STEP).await.is_ok()
}

async fn recite(server: Server) -> bool {
    server.call(Recite { bytes: SMALL }).await.is_ok()
}

pub fn run(bench: &Bench<'_>, report: &mut Report) {
    let paths =
        ["none", "outputs", "small", "large"].map(|name| bench.path(&format!("{name}.redb")));
    let [none, outputs, small, large] = [0, 1, 2, 3].map(|at| start(bench, &paths[at]));
    let new = NewKeys::default();
    let filling = (CALLERS, OUTPUTS);
    called(bench, filling, &outputs, new.call(LARGE), &mut Vec::new());
    let calls = (CALLERS, CALLS);
    let beside = vec![
        Variant::new("call, no outputs kept", |times| {
            called(bench, calls, &none, step, times).rate
        }),
        Variant::new("call, after 10,000 outputs of 20 KB", |times| {
            called(bench, calls, &outputs, step, times).rate
        }),
    ];
    let mut figures = rates(&measure(bench.options.rounds(41), beside));
    let with_keys = vec![
        Variant::new("call without a key, output of 20 bytes", |times| {
            called(bench, calls, &none, recite, times).rate
        }),
        Variant::new("call with a key, output of 20 bytes", |times| {
            called(bench, calls, &small, new.call(SMALL), times).rate
        }),
        Variant::new("call with a key, output of 20 KB", |times| {
            called(bench, calls, &large, new.call(LARGE), times).rate
        }),
    ];
    figures.extend(rates(&measure(bench.options.rounds(41), with_keys)));
    bench.runtime.block_on(async {
        for server in [none, outputs, small, large] {
            close(server).await;
        }
    });
    let [none, outputs, ..] = &paths;
    figures.extend(starts(bench, none, outputs));
    report.section(
        "Kept outputs of idempotency keys",
        "64 callers. The server keeps 16 MiB of outputs, here about the last 800 of the 10,000, and all 10,000 keys. \
         A start opens the file, which verifies all of it.",
        &figures,
    );
}

/// The times of starts without outputs and with them.
fn starts(bench: &Bench<'_>, none: &Path, outputs: &Path) -> [Figure; 2] {
    let variants = [
        ("start, no outputs kept", none),
        ("start, after 10,000 outputs of 20 KB", outputs),
    ];
    let variants = variants.map(|(name, path)| {
        Variant::new(name, move |_| {
            let before = Instant::now();
            let server = start(bench, path);
            let took = milliseconds(before);
            bench.runtime.block_on(close(server));
            took
        })
    });
    let measured = measure(bench.options.rounds(7), variants.into());
    let [none, outputs] = &measured[..] else {
        unreachable!()
    };
    let figure = |of: &Measured| Figure::of(&of.sample.name, &of.sample, "ms");
    [
        figure(none),
        figure(outputs).compared_to(&outputs.sample, &none.sample),
    ]
}
