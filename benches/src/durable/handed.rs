//! A task that hands commits to a thread, as a server does, written by hand.

use super::Bench;
use super::by_hand::{ByHand, RedbByHand};
use std::thread;
use tokio::sync::{mpsc, oneshot};

/// The calls that share a commit, at most.
const BATCH: usize = 256;

/// A handle to the task, which ends when the last one is dropped.
#[derive(Clone)]
pub struct Handed(mpsc::Sender<oneshot::Sender<()>>);

impl Handed {
    pub fn start(bench: &Bench<'_>, mut store: RedbByHand) -> Self {
        let (calls, mut waiting) = mpsc::channel(BATCH);
        let (commits, commit) = std::sync::mpsc::channel::<(u64, oneshot::Sender<()>)>();
        thread::spawn(move || {
            for (count, done) in commit {
                store.commit(count);
                let _ = done.send(());
            }
        });
        bench.runtime.spawn(async move {
            let mut batch: Vec<oneshot::Sender<()>> = Vec::new();
            while waiting.recv_many(&mut batch, BATCH).await > 0 {
                let (done, committed) = oneshot::channel();
                let count = batch.len() as u64;
                commits.send((count, done)).expect("the thread runs");
                committed.await.expect("the changes are committed");
                for call in batch.drain(..) {
                    let _ = call.send(());
                }
            }
        });
        Self(calls)
    }

    pub async fn call(self) -> bool {
        let (respond, response) = oneshot::channel();
        self.0.send(respond).await.is_ok() && response.await.is_ok()
    }
}
