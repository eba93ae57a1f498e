//! Settings that stay the same for the life of a chat.

use super::keeper::StepKeeper;
use super::{
    ChatModel, Limits, ModelProfile, RateLimit, RequestOptions, Retries, SystemPart, ToolChoice,
};
use crate::history::compact::Compaction;
use skill_agent_toolbox::ToolSession;
use std::sync::Arc;

/// Settings from the builder, which a chat shares with its running turn.
pub(super) struct Setup {
    pub(super) model: Box<dyn ChatModel>,
    pub(super) profile: ModelProfile,
    pub(super) session: Arc<ToolSession>,
    pub(super) system: Arc<[SystemPart]>,
    pub(super) limits: Limits,
    pub(super) retries: Retries,
    pub(super) rate_limit: Option<RateLimit>,
    pub(super) tool_choice: ToolChoice,
    pub(super) parallel_calls: Option<bool>,
    pub(super) lenient: bool,
    pub(super) options: RequestOptions,
    pub(super) compaction: Compaction,
    /// The code that keeps the conversation, if it is durable.
    pub(super) keeper: Option<Arc<dyn StepKeeper>>,
}
