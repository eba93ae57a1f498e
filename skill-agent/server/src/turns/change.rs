//! Changes to the kept turns of a conversation.

/// A change to the kept turns of a conversation, written with a change to its rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnsChange {
    /// The unique id of the conversation.
    pub conversation: String,
    /// The turn that begins, if any.
    pub begins: Option<u64>,
    /// The first turn that is kept.
    pub keep_from: u64,
    /// The first of the last turns to forget, with everything that would bring them back.
    pub forget_from: Option<u64>,
}
