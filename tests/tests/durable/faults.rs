//! Every write of a session goes wrong in every way. An acknowledged command is never lost, a refused one never applied, and none is
//! applied twice.

use super::library_agent::*;
use super::{book_on, kill, read};
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use skill_agent::testing::{Fault, FaultyStore};
use skill_agent::{Applied, ServeError};
use std::sync::{Arc, Mutex};
use tokio::task::JoinSet;

const FAULTS: [Fault; 6] = [
    Fault::Refuse,
    Fault::FailBefore,
    Fault::FailAfter,
    Fault::CrashBefore,
    Fault::CrashAfter,
    Fault::Panic,
];

/// The number of commands of a session.
const COMMANDS: u64 = 12;

/// Whether a command was applied, as far as its caller sees.
fn applied<T, E>(result: Result<T, ServeError<E>>) -> Applied {
    result.map_or_else(|error| error.applied(), |_| Applied::Yes)
}

/// How the commands of a session are sent.
#[derive(Clone, Copy, Debug)]
struct Session {
    /// Added to the number of a command, which determines how it is sent.
    shift: u64,
    /// Whether all commands are sent at once, so that several share a commit.
    is_together: bool,
}

impl Session {
    fn all() -> impl Iterator<Item = Self> {
        let shifts = |is_together| (0..4).map(move |shift| Self { shift, is_together });
        [false, true].into_iter().flat_map(shifts)
    }

    /// Whether the command has a key.
    fn has_key(self, n: u64) -> bool {
        (n + self.shift) % 4 == 2
    }
}

/// Sends a command in the way that its number determines.
async fn send(server: &AgentServer<Library>, session: Session, n: u64) -> Applied {
    match (n + session.shift) % 4 {
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
async fn run(store: &FaultyStore, session: Session) -> Vec<Applied> {
    let known = Arc::new(Mutex::new(Vec::new()));
    let work = async {
        let Ok(server) = book_on(store.clone()).start().await else {
            return;
        };
        *known.lock().unwrap() = vec![Applied::Unknown; COMMANDS as usize];
        // Their end at a crash is the drop of the set.
        let mut commands = JoinSet::new();
        for n in 0..COMMANDS {
            let (server, known) = (server.clone(), known.clone());
            commands.spawn(async move {
                let seen = send(&server, session, n).await;
                known.lock().unwrap()[n as usize] = seen;
            });
            if !session.is_together {
                commands.join_next().await;
            }
        }
        commands.join_all().await;
        let _ = server.stop().await;
    };
    tokio::select! {
        biased;
        () = store.crashed() => {}
        () = work => {}
    }
    let known = known.lock().unwrap();
    known.clone()
}

/// Checks what a new server finds, and that a key still means one command.
async fn check(store: &FaultyStore, session: Session, known: &[Applied], case: &str) {
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
    for n in (0..known.len() as u64).filter(|n| session.has_key(*n)) {
        send(&server, session, n).await;
    }
    let entries = read(&server).await.entries;
    for (n, seen) in (0..).zip(known) {
        let times = entries.iter().filter(|entry| **entry == n).count();
        match seen {
            _ if session.has_key(n) => assert_eq!(times, 1, "{case}, command {n}"),
            Applied::Yes => assert_eq!(times, 1, "{case}, command {n}"),
            Applied::No => assert_eq!(times, 0, "{case}, command {n}"),
            Applied::Unknown => assert!(times <= 1, "{case}, command {n}"),
        }
    }
    kill(server).await;
}

#[timed_test::test]
async fn a_fault_at_any_write_loses_nothing_acknowledged_and_applies_nothing_twice() {
    let (mut runs, mut unknown) = (0, 0);
    for session in Session::all() {
        let whole = FaultyStore::new(Memory::default());
        let known = run(&whole, session).await;
        assert_eq!(known, [Applied::Yes; COMMANDS as usize]);
        let (commits, compactions) = (whole.commits().len(), whole.compactions());
        assert!(commits > 0 && compactions == 2);
        let writes = (0..commits + compactions).flat_map(|at| FAULTS.map(|fault| (at, fault)));
        for (at, fault) in writes {
            let store = FaultyStore::new(Memory::default());
            match at.checked_sub(commits) {
                None => store.on_commit(at, fault),
                Some(at) => store.on_compaction(at, fault),
            }
            let case = format!("{fault:?} at {at} of {commits} + {compactions}, {session:?}");
            let known = run(&store, session).await;
            runs += 1;
            unknown += known
                .iter()
                .filter(|seen| **seen == Applied::Unknown)
                .count();
            check(&store, session, &known, &case).await;
        }
    }
    println!("{runs} runs, {unknown} commands whose callers cannot know");
    assert!(runs >= 400 && unknown > 0, "{runs} runs");
}
