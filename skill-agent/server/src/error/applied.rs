//! [`Applied`]: whether a command took effect.

/// Whether a command took effect on the agent's state and directives. External effects of an async action are not covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Applied {
    /// Nothing was applied, and nothing will be.
    No,
    /// The command was applied.
    Yes,
    /// The command may have been applied, or the next start may apply it. Send a command with an idempotency key again with the
    /// same key; it is applied once.
    Unknown,
}
