//! `#[tokio::test]` with a time limit: a test that hangs fails with its name, whether it waits or blocks its thread.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;
use tokio::runtime::Builder;

pub use timed_test_macros::test;

/// No test takes a tenth of it on a slow machine.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs a test on a runtime of its own. The attribute [`macro@test`] calls this.
///
/// # Panics
/// When the test panics, or does not end in time. Its thread is left behind then.
pub fn run<F: Future<Output = ()> + 'static>(name: &str, threads: usize, body: fn() -> F) {
    run_within(LIMIT, name, threads, body);
}

fn run_within<F: Future<Output = ()> + 'static>(
    limit: Duration,
    name: &str,
    threads: usize,
    body: fn() -> F,
) {
    let (ended_tx, ended) = channel::<()>();
    let test = move || {
        let mut builder = match threads {
            0 => Builder::new_current_thread(),
            _ => Builder::new_multi_thread(),
        };
        let runtime = builder.worker_threads(threads.max(1)).enable_all().build();
        runtime.expect("a runtime can be built").block_on(body());
        drop(ended_tx);
    };
    let thread = thread::Builder::new().name(name.to_owned());
    let thread = thread.spawn(test).expect("a thread can be started");
    // The channel is closed at the end of the test, and by a panic.
    if ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
        panic!("`{name}` has not ended after {limit:?}");
    }
    if let Err(panic) = thread.join() {
        resume_unwind(panic);
    }
}

#[cfg(test)]
mod tests {
    use super::run_within;
    use std::panic::catch_unwind;
    use std::thread;
    use std::time::Duration;

    /// The message of the panic of a test.
    fn failure<F: Future<Output = ()> + 'static>(
        limit: Duration,
        threads: usize,
        body: fn() -> F,
    ) -> String {
        let panic = catch_unwind(|| run_within(limit, "it", threads, body)).unwrap_err();
        *panic.downcast().expect("a panic with arguments")
    }

    #[test]
    fn a_test_that_waits_or_blocks_fails_with_its_name() {
        let short = Duration::from_millis(20);
        let blocks = || async {
            loop {
                thread::park();
            }
        };
        for threads in [0, 2] {
            for message in [
                failure(short, threads, std::future::pending),
                failure(short, threads, blocks),
            ] {
                assert_eq!(message, "`it` has not ended after 20ms");
            }
        }
    }

    #[test]
    fn a_panic_is_passed_on() {
        let message = failure(super::LIMIT, 0, || async {
            panic!("no {}", std::hint::black_box(7))
        });
        assert_eq!(message, "no 7");
    }

    #[test]
    fn a_test_that_ends_passes() {
        super::run("it", 2, || async {
            tokio::spawn(async {}).await.expect("it ends");
        });
    }
}
