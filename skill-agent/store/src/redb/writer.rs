//! The thread that writes to a file. It merges the waiting writes of all logs into one transaction, so that they share one fsync.

use super::file::OpenFile;
use super::tables;
use crate::commit::Commit;
use ::redb::Error;
use std::io;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use tokio::sync::oneshot;

/// A log that this process has open. Its id is free again once the log and its last write are done.
pub(super) struct OwnedLog {
    pub(super) file: Arc<OpenFile>,
    pub(super) id: String,
}

impl Drop for OwnedLog {
    fn drop(&mut self) {
        self.file.disown(&self.id);
    }
}

/// A write to one log.
pub(super) struct Write {
    pub(super) log: Arc<OwnedLog>,
    pub(super) change: Change,
}

/// The encoded change of a write.
pub(super) enum Change {
    /// Appends records, and changes side tables.
    Append {
        records: Vec<(u64, Vec<u8>)>,
        commit: Commit,
    },
    /// Appends, and replaces the records up to the snapshot's number with the snapshot.
    Compact {
        snapshot: (u64, Vec<u8>),
        records: Vec<(u64, Vec<u8>)>,
        commit: Commit,
    },
    /// Removes the record with this number and all later records.
    Cut(u64),
}

/// The result of a write. After an error, the contents of the file are unknown.
pub(super) type Written = Result<(), Arc<Error>>;

/// The sending end of the thread. The thread ends when this is dropped.
pub(super) struct Writer(mpsc::Sender<(Write, oneshot::Sender<Written>)>);

impl Writer {
    pub(super) fn start() -> io::Result<Self> {
        let (sender, waiting) = mpsc::channel();
        thread::Builder::new()
            .name("skill-agent-redb".to_owned())
            .spawn(move || run(&waiting))?;
        Ok(Self(sender))
    }

    /// Writes in the background, even if the receiver is dropped. Each log has one write at a time, which bounds the queue.
    pub(super) fn write(&self, write: Write) -> oneshot::Receiver<Written> {
        let (done, written) = oneshot::channel();
        // without the thread, the receiver fails
        let _ = self.0.send((write, done));
        written
    }
}

fn run(waiting: &mpsc::Receiver<(Write, oneshot::Sender<Written>)>) {
    while let Ok(first) = waiting.recv() {
        let (writes, done): (Vec<_>, Vec<_>) =
            std::iter::once(first).chain(waiting.try_iter()).unzip();
        let written = writes[0]
            .log
            .file
            .write(|database| tables::write(database, &writes));
        let written = written.map_err(Arc::new);
        // frees the ids of closed logs first, because a caller may open its log again at once
        drop(writes);
        for done in done {
            let _ = done.send(written.clone());
        }
    }
}
