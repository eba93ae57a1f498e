//! Sends a request to the model until it succeeds or no retry is left.

use super::counts::Ledger;
use crate::completion::meter::{Metered, Spent};
use crate::layers::SendRequest;
use crate::layers::error::{LayerError, LayerStream};
use crate::setup::Setup;
use crate::slot::{Slot, emitted};
use crate::{ChatRequest, ModelError, ModelEvent, Retry, Stop, texts};
use futures_core::stream::BoxStream;
use skill_agent_server::__private::{catch, drop_caught};
use skill_agent_server::BoxFuture;
use std::future::{pending, poll_fn, ready};
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use tokio::time::{sleep, timeout};

/// Sends the requests of one step.
pub(super) struct Sender<'a> {
    setup: &'a Arc<Setup>,
    ledger: &'a Ledger,
    has_sent: AtomicBool,
    stopped: OnceLock<Stop>,
}

impl<'a> Sender<'a> {
    pub(super) fn new(setup: &'a Arc<Setup>, ledger: &'a Ledger) -> Self {
        Self {
            setup,
            ledger,
            has_sent: AtomicBool::new(false),
            stopped: OnceLock::new(),
        }
    }

    /// Returns the limit that a layer's request would have exceeded, or `None` if all requests were allowed.
    pub(super) fn stopped(&self) -> Option<Stop> {
        self.stopped.get().copied()
    }
}

impl SendRequest for Sender<'_> {
    fn send(&self, request: ChatRequest) -> BoxFuture<'_, Result<LayerStream, LayerError>> {
        if self.has_sent.swap(true, Ordering::Relaxed) {
            let mut counts = self.ledger.counts();
            counts.step();
            if let Some(stop) = counts.reached(&self.setup.limits) {
                // the turn ends and drops this future; a layer could ignore an error forever
                self.stopped.get_or_init(|| stop);
                return Box::pin(pending());
            }
        }
        let stream = attempts(Arc::clone(self.setup), request, self.ledger.clone());
        Box::pin(ready(Ok(stream)))
    }
}

/// Returns the events of all attempts, with a [`ModelEvent::Retry`] before every attempt except the first.
fn attempts(setup: Arc<Setup>, request: ChatRequest, ledger: Ledger) -> LayerStream {
    emitted(|slot| async move {
        let mut attempt = 1;
        let mut meter = Metered::new(&request, move |spent| ledger.spent(spent));
        loop {
            if let Some(limit) = &setup.rate_limit {
                limit.wait().await;
            }
            let mut has_shown = false;
            let read = read_once(&setup, &slot, &request, &mut meter, &mut has_shown);
            let Err(error) = read.await else { return };
            meter.failed();
            attempt += 1;
            let Some(wait) = setup.retries.wait(&error, attempt) else {
                return slot.emit(Err(error.into())).await;
            };
            tracing::warn!(%error, attempt, "the request to the model is sent again");
            let retry = Retry {
                attempt,
                wait,
                discard: has_shown,
                error,
            };
            slot.emit(Ok(ModelEvent::Retry(retry))).await;
            sleep(wait).await;
        }
    })
}

async fn read_once<F: FnMut(Spent)>(
    setup: &Setup,
    slot: &Slot<Result<ModelEvent, LayerError>>,
    request: &ChatRequest,
    meter: &mut Metered<F>,
    has_shown: &mut bool,
) -> Result<(), ModelError> {
    let request = request.clone().for_model(&setup.profile);
    request.check_tool_choice()?;
    let stream = catch(|| setup.model.stream(request.clone()))
        .map_err(|message| ModelError::panicked(&message))?;
    let stream = texts::read(&setup.profile, &request, stream);
    let mut stream = CaughtStream(Some(stream));
    let mut answered_by = 0;
    loop {
        let stall = setup.retries.stall;
        let event = timeout(stall, stream.next()).await;
        let event = event.map_err(|_| ModelError::Timeout(stall))??;
        let Some(event) = event else {
            return Err(ModelError::CutOff { request_id: None });
        };
        let event = event?;
        meter.take(&event);
        *has_shown |= event.is_piece();
        let mut is_last = false;
        match event {
            ModelEvent::Switched { model, .. } => answered_by = model,
            ModelEvent::Finish(_) => {
                is_last = true;
                setup.answered_by.store(answered_by, Ordering::Relaxed);
            }
            _ => {}
        }
        slot.emit(Ok(event)).await;
        if is_last {
            return Ok(());
        }
    }
}

/// Catches panics of a model's stream.
struct CaughtStream(Option<BoxStream<'static, Result<ModelEvent, ModelError>>>);

impl CaughtStream {
    async fn next(&mut self) -> Result<Option<Result<ModelEvent, ModelError>>, ModelError> {
        poll_fn(|cx| {
            let Some(stream) = &mut self.0 else {
                return Poll::Ready(Ok(None));
            };
            match catch(|| stream.as_mut().poll_next(cx)) {
                Ok(polled) => polled.map(Ok),
                Err(message) => Poll::Ready(Err(ModelError::panicked(&message))),
            }
        })
        .await
    }
}

impl Drop for CaughtStream {
    fn drop(&mut self) {
        drop_caught(self.0.take());
    }
}
