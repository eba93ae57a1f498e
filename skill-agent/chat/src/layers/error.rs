//! Why a layer gives no completion.

use crate::{ModelError, ModelEvent, Stop};
use futures_core::stream::BoxStream;

/// The events of a completion, as a [layer](crate::ChatLayer) receives and returns them.
pub type LayerStream = BoxStream<'static, Result<ModelEvent, LayerError>>;

/// Why a layer gives no completion.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LayerError {
    /// The request to the model failed, after all retries.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The layer ends the turn. This is not a failure: the turn has a [`Stop`] and a [`note`](crate::Turn::note).
    #[error("a layer ended the turn: {note}")]
    #[non_exhaustive]
    End {
        /// Why the turn ends: [`Stop::Layer`], [`Stop::Budget`], or a limit of the turn that the layer's requests reached.
        stop: Stop,
        /// The reason, for [`Turn::note`](crate::Turn::note).
        note: String,
    },
    /// The layer failed.
    #[error("a layer failed: {0}")]
    Failed(String),
    /// The layer's code panicked.
    #[error("a layer panicked")]
    Panicked,
}

impl LayerError {
    /// Ends the turn with [`Stop::Layer`]. The reason is in [`Turn::note`](crate::Turn::note).
    pub fn end(note: impl Into<String>) -> Self {
        Self::End {
            stop: Stop::Layer,
            note: note.into(),
        }
    }

    /// Logs the message of a panic in a layer's code. The error itself omits the message, because people may read the error.
    pub(crate) fn panicked(message: &str) -> Self {
        tracing::error!(%message, "a layer panicked");
        Self::Panicked
    }
}
