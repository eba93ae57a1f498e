//! Writes answers and emitted signals of many tasks as lines.

use serde::Serialize;
use serde_json::Value;
use skill_agent::prelude::HookError;
use skill_agent::server::{Outgoing, Outlet, Published};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use tokio::sync::{mpsc, oneshot};

/// A writer of lines. One thread writes them, one at a time; clones share it.
///
/// As an [`Outlet`] it confirms a signal after its line was written and flushed. A store delivers unconfirmed signals again after
/// the next start.
#[derive(Clone, Debug)]
pub struct Output {
    lines: mpsc::Sender<(String, oneshot::Sender<()>)>,
    failure: Arc<Mutex<Option<io::Error>>>,
}

/// The output is closed.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the output is closed")]
pub struct Closed;

impl Output {
    /// Creates an output that writes to `sink`.
    pub fn new(mut sink: impl Write + Send + 'static) -> Self {
        let (lines, mut receiver) = mpsc::channel::<(String, oneshot::Sender<()>)>(1);
        let failure = Arc::new(Mutex::new(None));
        let shared = failure.clone();
        thread::spawn(move || {
            while let Some((line, written)) = receiver.blocking_recv() {
                if let Err(error) = writeln!(sink, "{line}").and_then(|()| sink.flush()) {
                    *shared.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    return;
                }
                // the waiting task may be gone
                let _ = written.send(());
            }
        });
        Self { lines, failure }
    }

    /// Writes a value and waits until it is flushed.
    ///
    /// # Errors
    /// If the value cannot be written; [`failure`](Self::failure) returns the reason.
    pub async fn write(&self, value: &impl Serialize) -> Result<(), Closed> {
        let line = serde_json::to_string(value).map_err(|_| Closed)?;
        let (written, done) = oneshot::channel();
        self.lines.send((line, written)).await.map_err(|_| Closed)?;
        done.await.map_err(|_| Closed)
    }

    /// Completes when the output is closed.
    pub async fn closed(&self) {
        self.lines.closed().await;
    }

    /// Takes the error that closed the output.
    pub fn failure(&self) -> Option<io::Error> {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.take()
    }
}

impl Outlet for Output {
    fn publish(&self, outgoing: Outgoing) -> Published<'_> {
        Box::pin(async move {
            let signal = match outgoing {
                Outgoing::Emitted(signal) => signal,
                Outgoing::Reply { to, signal } => {
                    Arc::new(Arc::unwrap_or_clone(signal).with_extension("to", Value::from(to))?)
                }
                _ => return Err(HookError::new("it is neither a signal nor a reply")),
            };
            Ok(self.write(&*signal).await?)
        })
    }
}
