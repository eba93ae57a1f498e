//! A completion as a whole.

use super::Usage;
use crate::chat::{CallPart, MessagePart};
use crate::models::Finish;

/// A completion in the parts of a message. The one of [`models`](crate::models) has those of its provider.
#[derive(Debug)]
pub(in crate::chat) struct WholeCompletion {
    pub(in crate::chat) parts: Vec<MessagePart>,
    pub(in crate::chat) finish: Finish,
    /// `None` if the provider does not count.
    pub(in crate::chat) usage: Option<Usage>,
}

impl WholeCompletion {
    pub(in crate::chat) fn calls(&self) -> impl Iterator<Item = &CallPart> {
        self.parts.iter().filter_map(|part| match part {
            MessagePart::Call(call) => Some(call),
            _ => None,
        })
    }
}
