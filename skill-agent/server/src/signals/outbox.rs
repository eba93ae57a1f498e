//! The task that publishes emitted signals through the signal sink, one after another.

use crate::children::Backoff;
use crate::clock::Clock;
use crate::lifecycle::running::{ServerId, as_signal_sink};
use crate::panics::catch_async;
use crate::signals::signal_sink::{OutboundSignal, SignalSink};
use skill_core::process::full_text;
use std::sync::Arc;
use tokio::sync::mpsc;

/// An outbound signal, and the directive that queued it.
#[derive(Debug)]
pub(crate) struct Delivery {
    pub(crate) outbound: OutboundSignal,
    /// The number of the directive in the log, or in memory without a store.
    pub(crate) number: Option<u64>,
}

/// The result of a delivery.
#[derive(Debug)]
pub(crate) enum DeliveryReport {
    /// The sink took the signal.
    Delivered { number: Option<u64> },
    /// The first attempt failed, and the sink will be offered the signal again.
    Failed { reason: String },
}

/// The task that publishes signals through a signal sink.
pub(crate) struct OutboxTask {
    pub(crate) server: ServerId,
    pub(crate) signal_sink: Arc<dyn SignalSink>,
    pub(crate) deliveries: mpsc::Receiver<Delivery>,
    pub(crate) reports: mpsc::UnboundedSender<DeliveryReport>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) backoff: Backoff,
}

impl OutboxTask {
    /// Publishes signals in order until the channel is closed, offering each signal until the sink takes it.
    pub(crate) async fn run(mut self) {
        while let Some(Delivery { outbound, number }) = self.deliveries.recv().await {
            let mut attempt = 0;
            while let Err(reason) = self.publish(outbound.clone()).await {
                tracing::warn!(number, %reason, attempt, "the signal sink did not take a signal");
                if attempt == 0 {
                    let _ = self.reports.send(DeliveryReport::Failed { reason });
                }
                attempt += 1;
                self.clock.sleep(self.backoff.wait(attempt)).await;
            }
            // if the owner no longer exists, the directive stays unmarked, and the signal is published again with the same id
            let _ = self.reports.send(DeliveryReport::Delivered { number });
        }
    }

    async fn publish(&self, outbound: OutboundSignal) -> Result<(), String> {
        let sink = self.signal_sink.clone();
        let published = async move {
            let result = sink.publish(outbound).await;
            result.map_err(|error| full_text(error.inner()))
        };
        match catch_async(Box::pin(as_signal_sink(self.server, published))).await {
            Ok(result) => result,
            Err(panic) => Err(format!("it panicked: {panic}")),
        }
    }
}
