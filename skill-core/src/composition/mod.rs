//! Composition checks: rules that an agent's skills must follow together, checked at compile time.
//!
//! `agent!` puts its skills' specs in one `static` and calls these functions in const evaluation. Unlike a macro, they can read
//! the skills of other crates. `examine` finds the clashes. `report` panics at a skill's token with a message that names both
//! places and a fix.
//!
//! The checks take time linear in the number of skills and actions, because names are hashed into open-addressed tables.
//! Comparing all pairs of 1,000 skills took rustc 37 s.

mod effects;
mod examine;
mod flags;
mod handwritten;
mod index;
mod instructions;
mod members;
pub(crate) mod messages;
mod package_version;
mod references;
mod requirements;
mod tables;

pub(crate) use effects::{data_flow, with_skill};
pub use effects::{report_data_flow, report_own_action, report_unneeded_data_flow};
pub use examine::{CheckedSkills, examine};
pub use handwritten::handwritten_rules;
pub(crate) use handwritten::report_handwritten;
pub use index::{listed, route_capacity};
pub use instructions::{RenderedInstructions, instructions_length};
pub(crate) use members::{Members, NameKind};
pub use messages::arguments::report_argument;
pub use messages::const_message::ConstMessage;
pub use messages::literals::{ConfigLiteral, report_literal};
pub use messages::references::report_references;
pub(crate) use messages::references::{nearest, reference};
pub use messages::report::{report, report_skill, report_unlisted, route_room};
pub use package_version::package_version;
pub use references::has_stub;
pub(crate) use references::{rendered, requires};
pub use tables::{ActionId, AgentTables, DocumentTable, TableStorage, action_count, tool_count};
