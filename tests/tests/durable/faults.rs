//! Every write of a session goes wrong in every way. An acknowledged command is never lost, a refused one never applied, and none is
//! applied twice.

use super::library_agent::*;
use super::{book_on, kill, read};
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use skill_agent::testing::{Fault, FaultyStore};
use skill_agent::{Applied, ServeError};

const FAULTS: [Fault; 6] = [
    Fault::Refuse,
    Fault::FailBefore,
    Fault::FailAfter,
    Fault::CrashBefore,
    Fault::CrashAfter,
    Fault::Panic,
];

/// The number of commands of a session.
const COMMANDS: u64 = 8;

/// Whether a command was applied, as far as its caller sees.
fn applied<T, E>(result: Result<T, ServeError<E>>) -> Applied {
    result.map_or_else(|error| error.applied(), |_| Applied::Yes)
}

/// Sends a command in the way that its number determines.
async fn send(server: &AgentServer<Library>, n: u64) -> Applied {
    match n % 4 {
        0 => applied(server.call(Write { n }).await),
        1 => applied(server.call_json("write", format!(r#"{{"n":{n}}}"#)).await),
        2 => applied(server.call_with_key(format!("key {n}"), Write { n }).await),
        _ => {
            let signal = Signal::new("book.write", json!({ "n": n }));
            applied(server.request(signal).await)
        }
    }
}

/// Runs a session until the store crashes or the commands are sent. Returns what the callers see.
async fn session(store: &FaultyStore) -> Vec<Applied> {
    let known = std::cell::RefCell::new(Vec::new());
    let work = async {
        let Ok(server) = book_on(store.clone()).start().await else {
            return;
        };
        for n in 0..COMMANDS {
            known.borrow_mut().push(Applied::Unknown);
            let seen = send(&server, n).await;
            *known.borrow_mut().last_mut().unwrap() = seen;
        }
        let _ = server.stop().await;
    };
    tokio::select! {
        biased;
        () = store.crashed() => {}
        () = work => {}
    }
    known.into_inner()
}

/// Checks what a new server finds, and that a key still means one command.
async fn check(store: &FaultyStore, known: &[Applied], case: &str) {
    store.restart();
    // the server of a crash lets go of its log
    let server = loop {
        match book_on(store.clone()).start().await {
            Ok(server) => break server,
            Err(error) => assert!(error.to_string().contains("lib-1"), "{case}: {error}"),
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(server.recovery().damage, None, "{case}");
    for n in (2..known.len() as u64).step_by(4) {
        send(&server, n).await;
    }
    let entries = read(&server).await.entries;
    for (n, seen) in (0..).zip(known) {
        let times = entries.iter().filter(|entry| **entry == n).count();
        let is_sent_again = n % 4 == 2;
        match seen {
            _ if is_sent_again => assert_eq!(times, 1, "{case}, command {n}"),
            Applied::Yes => assert_eq!(times, 1, "{case}, command {n}"),
            Applied::No => assert_eq!(times, 0, "{case}, command {n}"),
            Applied::Unknown => assert!(times <= 1, "{case}, command {n}"),
        }
    }
    kill(server).await;
}

#[timed_test::test]
async fn a_fault_at_any_write_loses_nothing_acknowledged_and_applies_nothing_twice() {
    let whole = FaultyStore::new(Memory::default());
    assert_eq!(session(&whole).await, [Applied::Yes; COMMANDS as usize]);
    let (commits, compactions) = (whole.commits().len(), whole.compactions());
    assert!(commits > COMMANDS as usize && compactions == 2);
    let mut unknown = 0;
    for fault in FAULTS {
        for at in 0..commits + compactions {
            let store = FaultyStore::new(Memory::default());
            match at.checked_sub(commits) {
                None => store.on_commit(at, fault),
                Some(at) => store.on_compaction(at, fault),
            }
            let case = format!("{fault:?} at {at} of {commits} + {compactions}");
            let known = session(&store).await;
            unknown += known
                .iter()
                .filter(|seen| **seen == Applied::Unknown)
                .count();
            check(&store, &known, &case).await;
        }
    }
    assert!(unknown > 0);
}
