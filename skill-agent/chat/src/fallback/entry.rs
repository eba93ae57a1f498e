//! One model of a chain, and its last failure.

use crate::{ChatModel, ChatRequest, ModelError, ModelEvent, RequestOptions, texts};
use futures_core::stream::BoxStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// How long a model is asked last after a failure that cost the reader time.
const ASKED_LAST_FOR: Duration = Duration::from_secs(60);

/// A model of a chain. Clones share the failure.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) model: Arc<dyn ChatModel>,
    pub(super) options: RequestOptions,
    failure: Arc<Mutex<Option<Failure>>>,
}

/// A failure that changes when the model is asked.
struct Failure {
    error: ModelError,
    until: Instant,
    /// Whether the provider asked for the delay that ends at `until`.
    is_asked_for: bool,
}

/// When a model is asked.
pub(super) enum Place {
    /// The model is asked in its own place in the chain.
    Own,
    /// The model is asked after the others, because it recently failed with this error.
    Last(ModelError),
    /// The model is not asked in this request, because its provider asked for a delay that has not elapsed. The error contains the
    /// remaining time.
    PassedBy(ModelError),
}

impl Entry {
    pub(super) fn new(model: impl ChatModel) -> Self {
        Self {
            model: Arc::new(model),
            options: RequestOptions::default(),
            failure: Arc::default(),
        }
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        self.model.check()?;
        let checked = self.options.check();
        checked.map_err(|error| ModelError::Request(error.to_string()))
    }

    /// Sends a request, adapted to this model.
    pub(super) fn stream(
        &self,
        mut request: ChatRequest,
    ) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let profile = self.model.profile();
        request.options = request.options.replaced_by(&self.options);
        let request = request.for_model(&profile);
        texts::read(&profile, &request, self.model.stream(request.clone()))
    }

    /// Returns the number of models that may answer, which is more than one if this model is itself a chain.
    pub(super) fn count(&self) -> usize {
        self.model.profile().models().len()
    }

    /// Returns when the model is asked in a request that begins now.
    pub(super) fn place(&self) -> Place {
        let now = Instant::now();
        let failure = self.failure();
        match failure.as_ref().filter(|failure| failure.until > now) {
            None => Place::Own,
            Some(failure) if failure.is_asked_for => {
                let left = failure.until - now;
                Place::PassedBy(failure.error.clone().with_retry_after(left))
            }
            Some(failure) => Place::Last(failure.error.clone()),
        }
    }

    /// Records that the model failed. `cost_time` is true if the reader has waited for the model in vain, or has to discard its
    /// text.
    pub(super) fn failed(&self, error: &ModelError, cost_time: bool) {
        let delay = error.retry_after();
        let delay = delay.or(cost_time.then_some(ASKED_LAST_FOR));
        // a delay that is too long for an `Instant` counts as none
        let until = delay.and_then(|delay| Instant::now().checked_add(delay));
        *self.failure() = until.map(|until| Failure {
            error: error.clone(),
            until,
            is_asked_for: error.retry_after().is_some(),
        });
    }

    /// Clears the failure, because the model answered.
    pub(super) fn answered(&self) {
        *self.failure() = None;
    }

    fn failure(&self) -> MutexGuard<'_, Option<Failure>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
