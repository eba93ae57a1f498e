//! Errors from requests to a model.

use std::time::Duration;

/// An error from a request to a model. It never contains the request or the completion, although a provider's message may quote a
/// few words of the conversation.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The provider responded with an error status.
    #[error(
        "the provider answered with status {status}{}: {message}",
        in_request(request_id)
    )]
    Status {
        /// The HTTP status code.
        status: u16,
        /// The id that the provider assigned to the request.
        request_id: Option<String>,
        /// The provider's message.
        message: String,
        /// The delay that the provider asks for.
        retry_after: Option<Duration>,
    },
    /// The model sent nothing for this long.
    #[error("the model sent nothing for {0:?}")]
    Timeout(Duration),
    /// The connection failed.
    #[error("the connection to the model failed: {0}")]
    Transport(String),
    /// The response ended before the completion was finished. A completion that reached its token limit is not an error.
    #[error("the completion of the model was cut off{}", in_request(request_id))]
    CutOff {
        /// The id that the provider assigned to the request.
        request_id: Option<String>,
    },
    /// The completion does not follow the provider's format.
    #[error(
        "the completion of the model is malformed{}: {message}",
        in_request(request_id)
    )]
    Protocol {
        /// The id that the provider assigned to the request.
        request_id: Option<String>,
        /// The problem, and often its path in the JSON.
        message: String,
    },
    /// The provider refused to answer this request.
    #[error(
        "the provider refused the request{}: {message}",
        in_request(request_id)
    )]
    Refused {
        /// The id that the provider assigned to the request.
        request_id: Option<String>,
        /// The provider's message.
        message: String,
    },
    /// The conversation exceeds the model's context.
    #[error(
        "the conversation is too long for the model{}: {message}",
        in_request(request_id)
    )]
    ContextTooLong {
        /// The id that the provider assigned to the request.
        request_id: Option<String>,
        /// The provider's message.
        message: String,
    },
    /// The account has no credit left, or reached a limit that lasts a day or longer. Requests to a different provider may
    /// succeed.
    #[error(
        "the account at the provider is exhausted{}: {message}",
        in_request(request_id)
    )]
    AccountExhausted {
        /// The id that the provider assigned to the request.
        request_id: Option<String>,
        /// The provider's message.
        message: String,
        /// The delay that the provider asks for.
        retry_after: Option<Duration>,
    },
    /// The request cannot be expressed in the provider's format, for example because the provider's dialect cannot express a
    /// schema.
    #[error("the request cannot be sent: {0}")]
    Request(String),
    /// No model of a [`Fallback`](crate::Fallback) answered. The errors of the models that were passed by come first. The other
    /// errors follow in the order of the requests.
    #[error("no model of the fallback answered: {}", listed(.0))]
    AllFailed(Vec<ModelError>),
    /// The model's code panicked.
    #[error("the model panicked")]
    Panicked,
    /// A [`Scripted`](super::Scripted) model has no completions left.
    #[error("the script of the model is at its end")]
    ScriptEnd,
}

fn in_request(id: &Option<String>) -> String {
    let id = id.as_ref();
    id.map_or_else(String::new, |id| format!(" (request `{id}`)"))
}

fn listed(errors: &[ModelError]) -> String {
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    errors.join("; ")
}

impl ModelError {
    /// Creates an error for a malformed completion. `message` must not quote the completion.
    #[doc(hidden)]
    pub fn protocol(request_id: Option<String>, message: impl Into<String>) -> Self {
        let message = message.into();
        Self::Protocol {
            request_id,
            message,
        }
    }

    /// Logs the message of a panic in the model's code. The error itself omits the message, because people may read the error.
    #[doc(hidden)]
    pub fn panicked(message: &str) -> Self {
        tracing::error!(%message, "the model panicked");
        Self::Panicked
    }

    /// Returns whether the same request may succeed if it is sent again soon.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Status { status, .. } => matches!(status, 408 | 409 | 425 | 429 | 500..=599),
            Self::Timeout(_) | Self::Transport(_) | Self::CutOff { .. } => true,
            Self::AllFailed(errors) => errors.iter().any(Self::is_retryable),
            _ => false,
        }
    }

    /// Returns the delay that the provider asks for. For [`AllFailed`](Self::AllFailed), this is the shortest delay after which a
    /// model can be asked again.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::AllFailed(errors) => {
                let mut shortest = None;
                for error in errors.iter().filter(|error| error.is_retryable()) {
                    let wait = error.retry_after()?;
                    shortest = Some(shortest.map_or(wait, |other: Duration| other.min(wait)));
                }
                shortest
            }
            Self::Status { retry_after, .. } | Self::AccountExhausted { retry_after, .. } => {
                *retry_after
            }
            _ => None,
        }
    }

    /// Returns the provider's request id, which the provider's support may ask for. For [`AllFailed`](Self::AllFailed), this is
    /// the last id.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        match self {
            Self::Status { request_id, .. }
            | Self::CutOff { request_id }
            | Self::Protocol { request_id, .. }
            | Self::Refused { request_id, .. }
            | Self::ContextTooLong { request_id, .. }
            | Self::AccountExhausted { request_id, .. } => request_id.as_deref(),
            Self::AllFailed(errors) => errors.iter().rev().find_map(Self::request_id),
            _ => None,
        }
    }

    /// Sets the delay that the provider asks for. Changes nothing in an error without a field for the delay.
    pub(crate) fn with_retry_after(mut self, wait: Duration) -> Self {
        if let Self::Status { retry_after, .. } | Self::AccountExhausted { retry_after, .. } =
            &mut self
        {
            *retry_after = Some(wait);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_of_busy_servers_are_retryable() {
        let status = |status| ModelError::Status {
            status,
            request_id: None,
            message: String::new(),
            retry_after: None,
        };
        for retryable in [408, 409, 425, 429, 500, 503, 529, 599] {
            assert!(status(retryable).is_retryable(), "{retryable}");
        }
        for permanent in [301, 400, 401, 403, 404, 413, 422] {
            assert!(!status(permanent).is_retryable(), "{permanent}");
        }
    }
}
