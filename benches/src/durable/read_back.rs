//! The cost of reading each state back when it is recorded.

use super::agent::{Recite, close, filled, on};
use super::{Bench, Server, Variant, called, measure};
use crate::callers::Round;
use crate::report::{Figure, Report};
use skill_agent::server::VerifyRecords;
use skill_agent::store::{Memory, Redb, Store};

const SETTINGS: [VerifyRecords; 2] = [VerifyRecords::Sampled, VerifyRecords::Always];

/// The callers, and the calls of one round.
type Load = (usize, usize);

const ONE: Load = (1, 5);
const MANY: Load = (64, 64 * 5);
const IN_MEMORY: Load = (1, 1_000);

pub fn run(bench: &Bench<'_>, report: &mut Report) {
    let mut figures = Vec::new();
    for (state, texts) in [("small state", 0), ("state of 20 KB", 20)] {
        let servers = SETTINGS.map(|verify| {
            let path = bench.path(&format!("{texts} {verify:?}.redb"));
            let store = Redb::open(path).expect("the store opens");
            start(bench, store, verify, texts)
        });
        for (whose, load) in [("1 caller", ONE), ("64 callers", MANY)] {
            let name = format!("{state}, {whose}");
            figures.extend(compared(
                bench,
                &name,
                load,
                &servers,
                |round| round.rate,
                "calls/s",
            ));
        }
        let in_memory = SETTINGS.map(|verify| start(bench, Memory::default(), verify, texts));
        let name = format!("{state}, processor time");
        figures.extend(compared(
            bench,
            &name,
            IN_MEMORY,
            &in_memory,
            |round| round.cpu,
            "ns",
        ));
        bench.runtime.block_on(async {
            for server in servers.into_iter().chain(in_memory) {
                close(server).await;
            }
        });
    }
    report.section(
        "Reading states back",
        "`VerifyRecords::Always`, the default, compared with `Sampled`. Each call changes one number of the state. The processor time is \
         that of a call with a `Memory` store.",
        &figures,
    );
}

/// Starts a server whose state has this many texts.
fn start(bench: &Bench<'_>, store: impl Store, verify: VerifyRecords, texts: usize) -> Server {
    let server = on(filled(texts), store).verify_records(verify);
    let server = bench.runtime.block_on(server.start());
    server.expect("the server starts")
}

async fn recite(server: Server) -> bool {
    server.call(Recite { bytes: 0 }).await.is_ok()
}

/// Compares servers with the two settings.
fn compared(
    bench: &Bench<'_>,
    name: &str,
    load: Load,
    servers: &[Server; 2],
    value: fn(Round) -> f64,
    unit: &'static str,
) -> [Figure; 2] {
    let variant = |name, server| {
        Variant::new(name, move |times| {
            value(called(bench, load, server, recite, times))
        })
    };
    let [sampled, always] = servers;
    let variants = vec![variant("Sampled", sampled), variant("Always", always)];
    let measured = measure(bench.options.rounds(101), variants);
    let [sampled, always] = &measured[..] else {
        unreachable!()
    };
    [
        Figure::of(format!("{name}: Sampled"), &sampled.sample, unit),
        Figure::of(format!("{name}: Always"), &always.sample, unit)
            .compared_to(&always.sample, &sampled.sample),
    ]
}
