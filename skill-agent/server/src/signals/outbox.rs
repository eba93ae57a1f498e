//! The task that publishes emitted signals through the signal sink, one after another in each lane.

use crate::children::Backoff;
use crate::clock::Clock;
use crate::lifecycle::running::{ServerId, as_signal_sink};
use crate::panics::{catch, catch_async};
use crate::signals::signal_sink::{GivenUp, OutboundSignal, SIGNAL_SINK_CAPACITY, SignalSink};
use skill_core::process::full_text;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// The maximum number of lanes that run at the same time.
const LANES: usize = 64;

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
    pub(crate) deliveries: mpsc::Receiver<Delivery>,
    pub(crate) publisher: Publisher,
}

/// Publishes signals.
#[derive(Clone)]
pub(crate) struct Publisher {
    pub(crate) server: ServerId,
    pub(crate) signal_sink: Arc<dyn SignalSink>,
    pub(crate) reports: mpsc::UnboundedSender<DeliveryReport>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) backoff: Backoff,
}

/// Why the sink did not take a signal.
struct NotTaken {
    reason: String,
    /// Whether the signal is not offered again.
    is_final: bool,
}

/// The deliveries that wait for the one that runs in their lane.
type Lanes = HashMap<String, VecDeque<Delivery>>;

impl OutboxTask {
    /// Publishes signals until the channel is closed and all are published, offering each signal until the sink takes it.
    pub(crate) async fn run(mut self) {
        let (mut lanes, mut waiting) = (Lanes::new(), 0);
        let mut running = JoinSet::new();
        let mut is_open = true;
        while is_open || !running.is_empty() {
            tokio::select! {
                biased;
                Some(ended) = running.join_next() => {
                    // a lane is aborted only with this task, and a panic of the sink is caught
                    let Ok(lane) = ended else { continue };
                    match lanes.get_mut(&lane).and_then(VecDeque::pop_front) {
                        Some(next) => {
                            waiting -= 1;
                            running.spawn(self.publisher.clone().deliver_in(lane, next));
                        }
                        None => {
                            lanes.remove(&lane);
                        }
                    }
                }
                delivery = self.deliveries.recv(), if is_open && waiting < SIGNAL_SINK_CAPACITY && running.len() < LANES => {
                    let Some(delivery) = delivery else {
                        is_open = false;
                        continue;
                    };
                    let lane = catch(|| self.publisher.signal_sink.lane(&delivery.outbound));
                    match lane.unwrap_or_default() {
                        None => self.publisher.deliver(delivery).await,
                        Some(lane) => match lanes.get_mut(&lane) {
                            Some(queue) => {
                                waiting += 1;
                                queue.push_back(delivery);
                            }
                            None => {
                                lanes.insert(lane.clone(), VecDeque::new());
                                running.spawn(self.publisher.clone().deliver_in(lane, delivery));
                            }
                        },
                    }
                }
            }
        }
    }
}

impl Publisher {
    async fn deliver_in(self, lane: String, delivery: Delivery) -> String {
        self.deliver(delivery).await;
        lane
    }

    /// Offers a signal until the sink takes it.
    async fn deliver(&self, Delivery { outbound, number }: Delivery) {
        let mut attempt = 0;
        while let Err(NotTaken { reason, is_final }) = self.publish(outbound.clone()).await {
            tracing::warn!(number, %reason, attempt, "the signal sink did not take a signal");
            if attempt == 0 {
                let _ = self.reports.send(DeliveryReport::Failed { reason });
            }
            if is_final {
                break;
            }
            attempt += 1;
            self.clock.sleep(self.backoff.wait(attempt)).await;
        }
        // if the owner no longer exists, the directive stays unmarked, and the signal is published again with the same id
        let _ = self.reports.send(DeliveryReport::Delivered { number });
    }

    async fn publish(&self, outbound: OutboundSignal) -> Result<(), NotTaken> {
        let sink = self.signal_sink.clone();
        let published = async move {
            let result = sink.publish(outbound).await;
            result.map_err(|error| NotTaken {
                reason: full_text(error.inner()),
                is_final: error.inner().is::<GivenUp>(),
            })
        };
        match catch_async(Box::pin(as_signal_sink(self.server, published))).await {
            Ok(result) => result,
            Err(panic) => Err(NotTaken {
                reason: format!("it panicked: {panic}"),
                is_final: false,
            }),
        }
    }
}
