//! A signal sink that reports each signal to the test, which decides whether the sink takes it.

use serde_json::Value;
use skill_agent::core::{HookError, Signal};
use skill_agent::server::{OutboundSignal, PublishFuture, SignalSink};
use std::sync::Arc;
use tokio::sync::{Mutex, mpsc, oneshot};

/// A signal that the sink was given, and the answer to it.
pub struct Given {
    pub signal: Arc<Signal>,
    take: oneshot::Sender<bool>,
}

impl Given {
    pub fn take(self) {
        self.take.send(true).unwrap();
    }

    pub fn refuse(self) {
        self.take.send(false).unwrap();
    }

    pub fn id(&self) -> String {
        self.signal.id().unwrap().to_owned()
    }

    pub fn n(&self) -> &Value {
        &self.signal.data()["n"]
    }
}

pub struct ManualSink {
    given: mpsc::UnboundedSender<Given>,
}

/// The test's side.
pub struct Listener(Mutex<mpsc::UnboundedReceiver<Given>>);

impl ManualSink {
    pub fn new() -> (Self, Listener) {
        let (given, received) = mpsc::unbounded_channel();
        (Self { given }, Listener(Mutex::new(received)))
    }
}

impl Listener {
    pub async fn next(&self) -> Given {
        self.0.lock().await.recv().await.unwrap()
    }

    /// The signals that were given and not looked at, when the server is gone.
    pub async fn rest(self) -> Vec<Value> {
        let mut rest = Vec::new();
        while let Some(given) = self.0.lock().await.recv().await {
            rest.push(given.n().clone());
        }
        rest
    }
}

impl SignalSink for ManualSink {
    fn publish(&self, outbound: OutboundSignal) -> PublishFuture<'_> {
        let OutboundSignal::Emitted(signal) = outbound else {
            unreachable!("the book sends no replies")
        };
        let (take, taken) = oneshot::channel();
        let sent = self.given.send(Given { signal, take });
        Box::pin(async move {
            // a test that ended takes nothing
            if sent.is_ok() && taken.await.unwrap_or(false) {
                Ok(())
            } else {
                Err(HookError::new("not now"))
            }
        })
    }
}
