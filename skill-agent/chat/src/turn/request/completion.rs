//! Sends a request through the layers, and reads its completion.

use super::attempts::Sender;
use super::counts::Ledger;
use crate::completion::draft::{Added, Draft};
use crate::layers::error::{LayerError, LayerStream};
use crate::setup::Setup;
use crate::turn::outlet::Outlet;
use crate::{ChatRequest, Event, Message, ModelError, Retry, Switched};
use skill_agent_models::Finish;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::task::yield_now;

/// A request that failed and is not retried.
pub(super) struct Failed {
    pub(super) error: LayerError,
    /// The number that the next attempt would have.
    attempt: u32,
    /// `true` if pieces of the completion have been shown.
    has_shown: bool,
}

impl Failed {
    /// Tells the reader to discard the pieces shown so far, because a new request replaces this one.
    pub(super) async fn discard(&self, error: &ModelError, outlet: &Outlet) {
        if self.has_shown {
            let retry = Retry {
                attempt: self.attempt,
                wait: Duration::ZERO,
                discard: true,
                error: error.clone(),
            };
            outlet.emit(Event::Retry(retry)).await;
        }
    }
}

/// Returns the model's message and why the model stopped.
pub(super) async fn read(
    setup: &Arc<Setup>,
    outlet: &Outlet,
    request: &ChatRequest,
    ledger: &Ledger,
) -> Result<(Message, Finish), Failed> {
    let mut shown = Shown {
        attempt: 1,
        has_shown: false,
    };
    // the model of the last request, whose provider has the conversation in its cache
    let answered_by = setup.answered_by();
    let read = async {
        let stream = sent(setup, request, ledger).await?;
        read_stream(outlet, answered_by, stream, &mut shown).await
    };
    match read.await {
        Ok(completion) => Ok(completion),
        Err(error) => Err(Failed {
            error,
            attempt: shown.attempt + 1,
            has_shown: shown.has_shown,
        }),
    }
}

/// The part of a completion that its reader has seen.
struct Shown {
    /// The number of the attempt that is read.
    attempt: u32,
    has_shown: bool,
}

/// Sends a request through the layers. Returns an error if a layer sends so many requests that a limit of the turn is reached.
async fn sent(
    setup: &Arc<Setup>,
    request: &ChatRequest,
    ledger: &Ledger,
) -> Result<LayerStream, LayerError> {
    let sender = Sender::new(setup, ledger);
    let mut sending = pin!(setup.layers.send(request.clone(), &sender));
    poll_fn(|cx| match (sending.as_mut().poll(cx), sender.stopped()) {
        (_, Some(stop)) => Poll::Ready(Err(LayerError::End {
            stop,
            note: "a layer has sent its request again and again".to_owned(),
        })),
        (sent, None) => sent,
    })
    .await
}

/// After this many events in a row without content, the loop yields, because a stream may have an event ready at every poll.
const KEPT_EVENTS: usize = 64;

async fn read_stream(
    outlet: &Outlet,
    answered_by: usize,
    mut stream: LayerStream,
    shown: &mut Shown,
) -> Result<(Message, Finish), LayerError> {
    let mut draft = Draft::default();
    let mut kept = 0;
    loop {
        let event = poll_fn(|cx| stream.as_mut().poll_next(cx)).await;
        let Some(event) = event else {
            return Err(ModelError::CutOff { request_id: None }.into());
        };
        let event = match draft.add(event?)? {
            Added::Shown(event) => {
                shown.has_shown = true;
                event
            }
            Added::Kept => {
                kept += 1;
                if kept == KEPT_EVENTS {
                    kept = 0;
                    yield_now().await;
                }
                continue;
            }
            Added::Retry(mut retry) => {
                retry.discard = std::mem::take(&mut shown.has_shown);
                shown.attempt = retry.attempt;
                Event::Retry(retry)
            }
            Added::Switched { to, error } => Event::Switched(Switched {
                model: to,
                error,
                cache_lost: to != answered_by,
            }),
            Added::Finished(finish) => return Ok((draft.finish(), finish)),
        };
        outlet.emit(event).await;
        outlet.check()?;
        kept = 0;
    }
}
