//! Composition checks: rules that the skills of an agent must follow together, checked at compile time.
//!
//! `agent!` puts the specs of its skills in one `static` and calls these functions in const evaluation, where they can read the
//! skills of other crates, unlike a macro. `examine` finds the clashes. `report` panics at the token of a skill with a message
//! that names both places and says what to write instead.
//!
//! Everything takes linear time in the number of skills and actions, because names are hashed into open-addressed tables.
//! Comparing all pairs of 1,000 skills took rustc 37 s.

mod arguments;
mod const_message;
mod documents;
mod effects;
mod examine;
mod handwritten;
mod index;
mod literals;
mod messages;
mod mountable;
mod mountable_messages;
mod report;
mod requirement_messages;
mod tables;

pub use arguments::report_argument;
pub use const_message::ConstMessage;
pub use documents::DocumentTable;
pub(crate) use effects::{data_flow, with_skill};
pub use effects::{report_data_flow, report_own_action, report_unneeded_data_flow};
pub use examine::{Flags, examine};
pub(crate) use handwritten::report_handwritten;
pub use index::{EMPTY, capacity, listed, route_capacity};
pub use literals::{ConfigLiteral, report_literal};
pub use messages::short;
pub use mountable::examine_mountable;
pub use mountable_messages::report_mountable;
pub use report::{report, report_skill, report_unlisted, route_room};
pub use tables::{ActionId, AgentTables, TableStorage, action_count, tool_count};
