//! The thread that writes to a file. It takes all writes that wait, of all logs, so that they share one fsync.

use ::redb::Error;
use std::io;
use std::sync::{Arc, mpsc};
use std::thread;
use tokio::sync::oneshot;

/// The result of a write. After an error, the contents of the file are unknown.
pub(super) type Written = Result<(), Arc<Error>>;

/// The sending end of the thread. The thread ends when this is dropped.
pub(super) struct Writer<W>(mpsc::Sender<(W, oneshot::Sender<Written>)>);

impl<W: Send + 'static> Writer<W> {
    pub(super) fn start(write_all: fn(&[W]) -> Written) -> io::Result<Self> {
        let (sender, waiting) = mpsc::channel();
        thread::Builder::new()
            .name("skill-agent-redb".to_owned())
            .spawn(move || run(&waiting, write_all))?;
        Ok(Self(sender))
    }

    /// Writes in the background, even if the receiver is dropped. Each log has one write at a time, which bounds the queue.
    pub(super) fn write(&self, write: W) -> oneshot::Receiver<Written> {
        let (done, written) = oneshot::channel();
        // without the thread, the receiver fails
        let _ = self.0.send((write, done));
        written
    }
}

fn run<W>(waiting: &mpsc::Receiver<(W, oneshot::Sender<Written>)>, write_all: fn(&[W]) -> Written) {
    while let Ok(first) = waiting.recv() {
        let all = std::iter::once(first).chain(waiting.try_iter());
        let (writes, done): (Vec<_>, Vec<_>) = all.unzip();
        let written = write_all(&writes);
        // frees the ids of closed logs first, because a caller may open its log again at once
        drop(writes);
        for done in done {
            let _ = done.send(written.clone());
        }
    }
}
