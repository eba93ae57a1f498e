//! The host of a running async action.

use crate::clock::Clock;
use crate::lifecycle::shared::Shared;
use crate::progress::ProgressSender;
use serde_json::Value;
use skill_core::Signal;
use skill_core::process::ActionHost;
use std::pin::Pin;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The host of a running action: emits its progress, and signals its cancellation.
pub(super) struct ServerActionHost {
    pub(super) shared: Arc<Shared>,
    pub(super) source: String,
    pub(super) id: String,
    pub(super) token: CancellationToken,
    /// A receiver of the progress, in addition to the subscriptions.
    pub(super) progress: Option<ProgressSender>,
}

impl ActionHost for ServerActionHost {
    fn progress(&self, skill: &str, value: Value) {
        let is_heard = !self.shared.hub.is_empty();
        if let Some(progress) = &self.progress {
            if !is_heard {
                return progress.send(value);
            }
            progress.send(value.clone());
        }
        if !is_heard {
            return;
        }
        let mut signal = Signal::new(format!("{skill}.progress"), value).with_subject(&self.id);
        let id = uuid::Uuid::now_v7().to_string();
        signal.stamp(&id, &self.source, self.shared.clock.now());
        self.shared.hub.publish(&Arc::new(signal));
    }

    fn is_cancelled(&self) -> bool {
        self.token.is_cancelled()
    }

    fn cancelled(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.token.cancelled())
    }
}
