//! The thread that writes to a file. It takes all writes that wait, of all logs, so that they share one fsync.

use ::redb::Error;
use std::io;
use std::sync::{Arc, mpsc};
use std::thread;
use tokio::sync::oneshot;

/// The result of a write. After an error, it is unknown whether the file contains the change.
pub(super) type Written = Result<(), Arc<Error>>;

/// The sending end of the thread, which ends when this is dropped.
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

/// The maximum number of writes in a batch. A small write does not wait for any number of large ones.
const BATCH: usize = 64;

fn run<W>(waiting: &mpsc::Receiver<(W, oneshot::Sender<Written>)>, write_all: fn(&[W]) -> Written) {
    while let Ok(first) = waiting.recv() {
        let all = std::iter::once(first).chain(waiting.try_iter().take(BATCH - 1));
        let (writes, done): (Vec<_>, Vec<_>) = all.unzip();
        let written = write_all(&writes);
        // frees the ids of closed logs first, because a caller may open its log again at once
        drop(writes);
        for done in done {
            let _ = done.send(written.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_that_wait_share_a_batch_and_its_error() {
        // The first write of a batch says that the batch has begun, and how it ends.
        type Begin = (mpsc::Sender<()>, mpsc::Receiver<Written>);
        let write_all = |writes: &[Begin]| {
            let (began, end) = &writes[0];
            began.send(()).unwrap();
            let written = end.recv().unwrap();
            written.map_err(|_| Arc::new(Error::Corrupted(format!("batch of {}", writes.len()))))
        };
        let writer = Writer::start(write_all).unwrap();
        let (began, has_begun) = mpsc::channel();
        let write = |end| writer.write((began.clone(), end));
        let (end, first) = mpsc::channel();
        let first = write(first);
        has_begun.recv().unwrap();
        let waiting: Vec<_> = (0..3)
            .map(|_| {
                let (end, waiting) = mpsc::channel();
                end.send(Err(Arc::new(Error::DatabaseClosed))).unwrap();
                write(waiting)
            })
            .collect();
        end.send(Ok(())).unwrap();
        first.blocking_recv().unwrap().unwrap();
        for written in waiting {
            let error = written.blocking_recv().unwrap().unwrap_err();
            assert_eq!(error.to_string(), "DB corrupted: batch of 3");
        }
    }
}
