//! These tests never wait for real time. They synchronize through events, the manual clock and channels.

mod restarting;
mod starting;
mod stopping;

use super::{ChildEvent, ExitReason, Supervisor};
use crate::clock::ManualClock;
use skill_core::child::{BoxFuture, ChildHost, ChildRequestError, ChildSendError};
use skill_core::serde_json::Value;
use skill_core::{ChildContext, ChildSpec, HookError, Signal};
use std::any::{Any, TypeId};
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;

/// A host that records the signals of its children.
struct TestHost {
    sent: mpsc::UnboundedSender<(String, Signal)>,
    client: Arc<str>,
}

impl ChildHost for TestHost {
    fn agent_name(&self) -> &str {
        "clerk"
    }

    fn agent_id(&self) -> Option<&str> {
        Some("clerk-1")
    }

    fn send(&self, child: &str, signal: Signal) -> Result<(), ChildSendError> {
        self.sent
            .send((child.to_owned(), signal))
            .map_err(|_| ChildSendError::Stopped)
    }

    fn deliver(&self, child: &str, signal: Signal) -> BoxFuture<Result<(), ChildSendError>> {
        let sent = self.send(child, signal);
        Box::pin(async move { sent })
    }

    fn request(&self, child: &str, signal: Signal) -> BoxFuture<Result<Value, ChildRequestError>> {
        let sent = self.send(child, signal);
        Box::pin(async move {
            sent.map(|()| Value::Null)
                .map_err(|_| ChildRequestError::Stopped)
        })
    }

    fn resource(&self, of: TypeId) -> Option<&(dyn Any + Send + Sync)> {
        (of == TypeId::of::<str>()).then_some(&self.client)
    }
}

type Sent = mpsc::UnboundedReceiver<(String, Signal)>;

fn supervise(
    children: impl IntoIterator<Item = ChildSpec>,
    clock: &ManualClock,
) -> (Supervisor, Sent) {
    let (sent, received) = mpsc::unbounded_channel();
    let specs = children.into_iter().map(|spec| ("tests", spec)).collect();
    let host = TestHost {
        sent,
        client: "a client".into(),
    };
    let supervisor = Supervisor::new(specs, Arc::new(clock.clone()), Arc::new(host)).unwrap();
    (supervisor, received)
}

/// An error with a cause.
#[derive(Debug, thiserror::Error)]
#[error("the file is empty")]
struct Empty(#[source] io::Error);

fn failed() -> HookError {
    Empty(io::Error::other("no bytes")).into()
}

/// How a test child ends each time it runs.
#[derive(Clone, Copy, Debug)]
enum End {
    Ok,
    Err,
    Panic,
}

impl End {
    fn reason(self) -> ExitReason {
        match self {
            Self::Ok => ExitReason::Finished,
            Self::Err => ExitReason::Failed("the file is empty: no bytes".to_owned()),
            Self::Panic => ExitReason::Panicked("no 7".to_owned()),
        }
    }
}

/// A child that ends immediately.
fn ending(id: &'static str, end: End) -> ChildSpec {
    ChildSpec::new(id, move |_| async move {
        match end {
            End::Ok => Ok(()),
            End::Err => Err(failed()),
            End::Panic => panic!("no {}", 7),
        }
    })
}

/// A child that stops when asked to, and logs it.
fn stops_when_asked(id: &'static str, log: &Log) -> ChildSpec {
    let log = log.clone();
    ChildSpec::new(id, move |cx: ChildContext| {
        let log = log.clone();
        async move {
            log.write(format!("{id} runs"));
            cx.stopped().await;
            log.write(format!("{id} stops"));
            Ok(())
        }
    })
}

/// A child that ignores the request to stop; it logs when it is dropped.
fn ignores_stop(id: &'static str, log: &Log) -> ChildSpec {
    let log = log.clone();
    ChildSpec::new(id, move |_| {
        let dropped = Dropped(id, log.clone());
        async move {
            std::future::pending::<()>().await;
            drop(dropped);
            Ok(())
        }
    })
}

struct Dropped(&'static str, Log);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.1.write(format!("{} dropped", self.0));
    }
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn write(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

async fn started(supervisor: &mut Supervisor, id: &str) {
    assert_eq!(supervisor.next_event().await, event_started(id));
}

fn event_started(id: &str) -> ChildEvent {
    ChildEvent::Started {
        id: id.to_owned().into(),
    }
}

fn event_exited(id: &str, reason: ExitReason) -> ChildEvent {
    ChildEvent::Exited {
        id: id.to_owned().into(),
        reason,
    }
}

fn event_restarting(id: &str, attempt: u32, after: Duration) -> ChildEvent {
    ChildEvent::Restarting {
        id: id.to_owned().into(),
        attempt,
        after,
    }
}

/// Lets all tasks run as far as they can, on a single-threaded runtime.
async fn run_until_idle() {
    for _ in 0..32 {
        tokio::task::yield_now().await;
    }
}

/// Returns the next event if it is already available.
async fn event_now(supervisor: &mut Supervisor) -> Option<ChildEvent> {
    run_until_idle().await;
    tokio::select! {
        biased;
        event = supervisor.next_event() => Some(event),
        () = std::future::ready(()) => None,
    }
}
