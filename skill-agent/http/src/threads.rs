//! The threads that run the connections to servers.
//!
//! A server may send endless interim responses, such as `103`. hyper reads them as long as they arrive, for seconds without
//! yielding. On the caller's runtime, this would block other tasks, time limits and cancellation. Connections therefore run on
//! separate runtimes. Each of the first 16 servers has its own runtime, so that it cannot block the others; more servers share
//! these runtimes.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tokio::runtime::{Builder, Handle};

/// The maximum number of threads. If there are more servers than threads, servers share threads.
const MAX_THREADS: usize = 16;

/// The servers and their runtimes.
static RUNTIMES: Mutex<Vec<(String, Handle)>> = Mutex::new(Vec::new());

/// Returns the runtime for the connections to a server, or `None` if no thread could be started.
pub fn runtime_of(server: &str) -> Option<Handle> {
    runtime(&RUNTIMES, server)
}

/// Returns the runtime for a server. Starts a new one if there is room; otherwise, servers share one by their hash. Returns
/// `None` if no thread could be started.
fn runtime(runtimes: &Mutex<Vec<(String, Handle)>>, server: &str) -> Option<Handle> {
    let mut runtimes = runtimes.lock().unwrap_or_else(PoisonError::into_inner);
    let known = runtimes.iter().find(|(known, _)| known == server);
    if let Some((_, runtime)) = known {
        return Some(runtime.clone());
    }
    if runtimes.len() < MAX_THREADS
        && let Some(runtime) = started()
    {
        runtimes.push((server.to_owned(), runtime.clone()));
        return Some(runtime);
    }
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(server);
    let at = hash.checked_rem(runtimes.len() as u64)?;
    runtimes
        .get(at as usize)
        .map(|(_, runtime)| runtime.clone())
}

fn started() -> Option<Handle> {
    let runtime = Builder::new_current_thread().enable_all().build().ok()?;
    let handle = runtime.handle().clone();
    let thread = thread::Builder::new().name("skill-agent-http".to_owned());
    let run = move || runtime.block_on(std::future::pending::<()>());
    thread.spawn(run).ok()?;
    Some(handle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[tokio::test]
    async fn each_server_has_a_thread_until_there_are_enough() {
        let runtimes = Mutex::default();
        let mut threads = Vec::new();
        for number in 0..40 {
            let runtime = runtime(&runtimes, &format!("localhost:{number}")).unwrap();
            threads.push(
                runtime
                    .spawn(async { thread::current().id() })
                    .await
                    .unwrap(),
            );
        }
        let distinct = |threads: &[thread::ThreadId]| threads.iter().collect::<HashSet<_>>().len();
        assert_eq!(distinct(&threads[..MAX_THREADS]), MAX_THREADS);
        assert_eq!(distinct(&threads), MAX_THREADS);
        // a server keeps its thread
        for number in [0, 15, 16, 39] {
            let runtime = runtime(&runtimes, &format!("localhost:{number}")).unwrap();
            let thread = runtime
                .spawn(async { thread::current().id() })
                .await
                .unwrap();
            assert_eq!(thread, threads[number], "{number}");
        }
    }
}
