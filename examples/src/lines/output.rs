//! Lines of output, from many tasks: responses, and the signals that the agent emits.

use serde::Serialize;
use serde_json::Value;
use skill_agent::prelude::HookError;
use skill_agent::server::{OutboundSignal, PublishFuture, SignalSink};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use tokio::sync::{mpsc, oneshot};

/// A line-by-line writer. One thread writes all lines; clones share it.
///
/// As a [`SignalSink`], it accepts a signal once its line is flushed; signals that were not flushed are published again after a
/// restart.
#[derive(Clone, Debug)]
pub struct Output {
    lines: mpsc::Sender<(String, oneshot::Sender<()>)>,
    failure: Arc<Mutex<Option<io::Error>>>,
}

/// Nothing can be written any more.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the output is closed")]
pub struct Closed;

impl Output {
    /// Creates an output that writes to `sink`.
    pub fn new(mut sink: impl Write + Send + 'static) -> Self {
        let (lines, mut taken) = mpsc::channel::<(String, oneshot::Sender<()>)>(1);
        let failure = Arc::new(Mutex::new(None));
        let writer_failure = failure.clone();
        thread::spawn(move || {
            while let Some((line, written)) = taken.blocking_recv() {
                if let Err(error) = writeln!(sink, "{line}").and_then(|()| sink.flush()) {
                    *writer_failure
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner) = Some(error);
                    return;
                }
                // the receiver may have been dropped; the line is written anyway
                let _ = written.send(());
            }
        });
        Self { lines, failure }
    }

    /// Writes a value, and waits until its line is flushed.
    ///
    /// # Errors
    /// If it cannot be written; [`failure`](Self::failure) returns the reason.
    pub async fn write(&self, value: &impl Serialize) -> Result<(), Closed> {
        let line = serde_json::to_string(value).map_err(|_| Closed)?;
        let (written, done) = oneshot::channel();
        self.lines.send((line, written)).await.map_err(|_| Closed)?;
        done.await.map_err(|_| Closed)
    }

    /// Completes when nothing can be written any more.
    pub async fn closed(&self) {
        self.lines.closed().await;
    }

    /// Takes the error of the failed write.
    pub fn failure(&self) -> Option<io::Error> {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.take()
    }
}

impl SignalSink for Output {
    fn publish(&self, outbound: OutboundSignal) -> PublishFuture<'_> {
        Box::pin(async move {
            let signal = match outbound {
                OutboundSignal::Emitted(signal) => signal,
                OutboundSignal::Reply { to, signal } => {
                    Arc::new(Arc::unwrap_or_clone(signal).with_extension("to", Value::from(to))?)
                }
                _ => return Err(HookError::new("it is neither a signal nor a reply")),
            };
            Ok(self.write(&*signal).await?)
        })
    }
}
