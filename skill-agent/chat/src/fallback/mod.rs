//! Several models in an order: when one fails, the next one is asked.

mod entry;
mod stream;

use crate::model::Chain;
use crate::{ChatModel, ChatRequest, ModelError, ModelEvent, ModelProfile, RequestOptions};
use entry::Entry;
use futures_core::stream::BoxStream;
use std::fmt;
use std::iter;
use std::time::Duration;
use stream::FallbackStream;

/// The default for [`Fallback::stall`].
const STALL: Duration = Duration::from_secs(120);

/// A chain of models. If a model fails before it has shown anything, the chain asks the next model at once.
///
/// These errors lead to the next model: the statuses 408, 409, 425, 429 and 5xx, a failed connection, a cut-off or malformed
/// response, a silence longer than [`stall`](Self::stall), and an exhausted account. Other errors end the request, because a
/// different model would fail too, or because you must correct the cause, such as an invalid key. Once a model of the chain has
/// failed, the later models may fail with any status. After visible text, the error goes to the chat, which sends the request to
/// the chain again if its [`Retries`](crate::Retries) allow it.
///
/// - A model whose provider asked for a delay is not asked until the delay is over.
/// - A model that stalled, or failed after visible text, is asked last for the next minute.
/// - If no model answers, the error is [`ModelError::AllFailed`]. A chain of one model returns that model's error.
/// - Each switch is an [`Event::Switched`](crate::Event::Switched).
///
/// Each request is adapted to the model that is asked: its schema dialect, its form of a typed answer, and its own kept items. The
/// [profile](ChatModel::profile) contains the abilities that all models have. Clones share the state of the models.
///
/// ```
/// use skill_agent::chat::{ChatModel, Fallback, ModelProfile, RequestOptions, Scripted};
/// use skill_agent::models::Provider;
/// use std::time::Duration;
///
/// # let thinks = true;
/// let small = ModelProfile::new(Provider::ANTHROPIC).with_context_window(8_192);
/// let models = Fallback::new(Scripted::new())
///     .options(RequestOptions::new().extra("reasoning_effort", "low")) // for the first model only
///     .then(Scripted::new().with_profile(small))
///     .stall(Duration::from_secs(30));
/// assert_eq!(models.profile().context_window, Some(8_192));
/// ```
#[derive(Clone)]
pub struct Fallback {
    first: Entry,
    others: Vec<Entry>,
    stall: Duration,
}

impl Fallback {
    /// Creates a chain that begins with this model.
    pub fn new(model: impl ChatModel) -> Self {
        Self {
            first: Entry::new(model),
            others: Vec::new(),
            stall: STALL,
        }
    }

    /// Adds the model that is asked when all models before it fail.
    #[must_use]
    pub fn then(mut self, model: impl ChatModel) -> Self {
        self.others.push(Entry::new(model));
        self
    }

    /// Sets options for the model that was added last. They override the chat's own options, such as the temperature, and can add
    /// [extra fields](RequestOptions::extra) that another provider would reject.
    #[must_use]
    pub fn options(mut self, options: RequestOptions) -> Self {
        let last = self.others.last_mut().unwrap_or(&mut self.first);
        last.options = options;
        self
    }

    /// Sets how long a model may be silent before the next one is asked. The default is two minutes. The time must be shorter
    /// than [`Retries::stall`](crate::Retries::stall).
    #[must_use]
    pub fn stall(mut self, stall: Duration) -> Self {
        self.stall = stall;
        self
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        iter::once(&self.first).chain(&self.others)
    }
}

impl ChatModel for Fallback {
    fn profile(&self) -> ModelProfile {
        let models = self.entries().map(|entry| entry.model.profile());
        let models = models.flat_map(|profile| profile.models().to_vec());
        let chain = Chain {
            models: models.collect(),
            stall: self.stall,
        };
        self.first.model.profile().of_chain(chain)
    }

    fn check(&self) -> Result<(), ModelError> {
        if self.stall.is_zero() {
            let problem = "`Fallback::stall` is 0, so that every model would fail; leave it out for the default";
            return Err(ModelError::Request(problem.to_owned()));
        }
        for (index, entry) in self.entries().enumerate() {
            entry.check().map_err(|error| match error {
                ModelError::Request(problem) => {
                    ModelError::Request(format!("model {} of the fallback: {problem}", index + 1))
                }
                other => other,
            })?;
        }
        Ok(())
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        Box::pin(FallbackStream::new(
            self.entries().cloned().collect(),
            self.stall,
            request,
        ))
    }
}

impl fmt::Debug for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fallback")
            .field("models", &self.entries().count())
            .finish_non_exhaustive()
    }
}
