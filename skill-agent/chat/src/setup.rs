//! The settings of a chat, and the model that answered last.

use super::keeper::StepKeeper;
use super::{
    ChatModel, Deferred, Limits, ModelProfile, RateLimit, RequestOptions, Retries, SystemPart,
    ToolChoice,
};
use crate::history::compact::Compaction;
use crate::layers::Layers;
use skill_agent_toolbox::{ToolSession, Toolbox};
#[cfg(feature = "documents")]
use skill_core::ForeignCaller;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Settings from the builder, which a chat shares with its running turn.
pub(super) struct Setup {
    pub(super) model: Box<dyn ChatModel>,
    pub(super) profile: ModelProfile,
    /// The index in [`ModelProfile::models`] of the model that answered last.
    pub(super) answered_by: AtomicUsize,
    pub(super) toolbox: Toolbox,
    #[cfg(feature = "documents")]
    pub(super) caller: ForeignCaller,
    pub(super) session: Arc<ToolSession>,
    pub(super) system: Arc<[SystemPart]>,
    pub(super) limits: Limits,
    pub(super) retries: Retries,
    pub(super) rate_limit: Option<RateLimit>,
    pub(super) tool_choice: ToolChoice,
    pub(super) parallel_calls: Option<bool>,
    pub(super) lenient: bool,
    pub(super) deferred: Deferred,
    pub(super) options: RequestOptions,
    pub(super) compaction: Compaction,
    /// The code that keeps the conversation, if it is durable.
    pub(super) keeper: Option<Arc<dyn StepKeeper>>,
    pub(super) layers: Layers,
}

impl Setup {
    /// Returns the number of the model that answered last.
    pub(super) fn answered_by(&self) -> usize {
        self.answered_by.load(Ordering::Relaxed)
    }

    /// Returns the profile of the model that answered last.
    pub(super) fn answering_profile(&self) -> &ModelProfile {
        let models = self.profile.models();
        models.get(self.answered_by()).unwrap_or(&self.profile)
    }
}
