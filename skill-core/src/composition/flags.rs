//! The rules that a skill may break, as bits, in the order of their messages.

/// The rules that one skill breaks, as bits.
pub(crate) type Flags = u16;

/// An earlier skill has the same state key.
pub(crate) const STATE_KEY: Flags = 1;
/// An earlier skill has the same name.
pub(crate) const NAME: Flags = 1 << 1;
/// The skill is in `mounted: [...]`, and one of its tools has the name of one of the agent's. Two skills in `mounted` may share a
/// tool name, but then only one of them can be mounted at a time.
pub(crate) const MOUNTED_TOOL: Flags = 1 << 2;
/// A base field has the skill's state key as its name.
pub(crate) const BASE_FIELD: Flags = 1 << 3;
/// One of the listed skill's tools has the name of an earlier tool.
pub(crate) const TOOL: Flags = 1 << 4;
/// A tool name is too long with the alias as its prefix.
pub(crate) const TOO_LONG: Flags = 1 << 5;
/// One of the skill's routes is also the route of an earlier action.
pub(crate) const ROUTE: Flags = 1 << 6;
/// A required skill is missing or has the wrong version.
pub(crate) const REQUIREMENT: Flags = 1 << 7;
/// The skill's requirements lead back to it. Set for the first skill of the cycle.
pub(crate) const CYCLE: Flags = 1 << 8;
/// The skill is in `mounted: [...]` and has an async action.
pub(crate) const ASYNC: Flags = 1 << 9;
/// The agent forbids a hint of one of the skill's actions.
pub(crate) const FORBIDDEN: Flags = 1 << 10;
/// The skill is in `mounted: [...]` and completes a data flow with the listed skills.
pub(crate) const DATA_FLOW: Flags = 1 << 11;
/// A reference in the skill's instructions does not resolve to exactly one tool.
pub(crate) const REFERENCE: Flags = 1 << 12;

/// The number of rules.
pub(crate) const RULES: u32 = 13;
