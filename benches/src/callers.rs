//! Measures callers that call at the same time.

use nix::sys::resource::{UsageWho, getrusage};
use std::time::Instant;

/// The measurements of one round.
pub struct Round {
    /// Calls per second.
    pub rate: f64,
    /// Processor time per call of all threads, in nanoseconds. Other load on the machine affects it less.
    pub cpu: f64,
}

/// Runs one round, in which the callers share the calls.
pub async fn round<F: Future<Output = bool> + Send + 'static>(
    callers: usize,
    calls: usize,
    ask: impl Fn(usize) -> F,
) -> Round {
    let (start, before) = (Instant::now(), processor_time());
    let asking: Vec<_> = (0..callers)
        .map(|_| tokio::spawn(ask(calls / callers)))
        .collect();
    for caller in asking {
        assert!(
            caller.await.is_ok_and(|answered| answered),
            "every call is answered"
        );
    }
    let calls = (calls / callers * callers) as f64;
    Round {
        rate: calls / start.elapsed().as_secs_f64(),
        cpu: (processor_time() - before) / calls,
    }
}

/// Returns the processor time of this process in nanoseconds.
pub fn processor_time() -> f64 {
    let nanoseconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 * 1e9 + time.tv_usec() as f64 * 1e3;
    getrusage(UsageWho::RUSAGE_SELF).map_or(0.0, |usage| {
        nanoseconds(usage.user_time()) + nanoseconds(usage.system_time())
    })
}
