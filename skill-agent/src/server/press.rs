//! The task that gives an outlet what the agent emits, one after another.

use super::outlet::{Outgoing, Outlet};
use super::panics::{catch_async, spelled};
use crate::children::Backoff;
use crate::clock::Clock;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Something to be published, and the directive that wished it.
#[derive(Debug)]
pub(crate) struct Parcel {
    pub(crate) outgoing: Outgoing,
    pub(crate) number: Option<u64>,
}

/// What became of a parcel.
#[derive(Debug)]
pub(crate) enum Pressed {
    /// The outlet took it.
    Taken { number: Option<u64> },
    /// The outlet did not take it, for the first time; it is offered again.
    Refused { reason: String },
}

/// The task of an outlet.
pub(crate) struct Press {
    pub(crate) outlet: Arc<dyn Outlet>,
    pub(crate) parcels: mpsc::Receiver<Parcel>,
    pub(crate) told: mpsc::UnboundedSender<Pressed>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) backoff: Backoff,
}

impl Press {
    /// Publishes until nobody sends any more: one after another, each until it is taken.
    pub(crate) async fn run(mut self) {
        while let Some(Parcel { outgoing, number }) = self.parcels.recv().await {
            let mut attempt = 0;
            while let Err(reason) = self.offer(outgoing.clone()).await {
                tracing::warn!(number, %reason, attempt, "the outlet did not take a signal");
                if attempt == 0 {
                    let _ = self.told.send(Pressed::Refused { reason });
                }
                attempt += 1;
                self.clock.sleep(self.backoff.wait(attempt)).await;
            }
            // the owner may be gone: the mark is then missing, and the signal comes twice with one id
            let _ = self.told.send(Pressed::Taken { number });
        }
    }

    async fn offer(&self, outgoing: Outgoing) -> Result<(), String> {
        let outlet = self.outlet.clone();
        let published = async move { outlet.publish(outgoing).await.map_err(|e| spelled(&e)) };
        match catch_async(Box::pin(published)).await {
            Ok(taken) => taken,
            Err(panic) => Err(format!("it panicked: {panic}")),
        }
    }
}
