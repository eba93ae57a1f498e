//! Putting skills together, while compiling.
//!
//! `agent!` lists its skills in one `static` and runs these functions over it in const evaluation: they look into skills
//! of other crates, where a macro cannot. Everything is linear in the number of skills and actions: names are hashed into
//! open-addressed tables (comparing all pairs of 1,000 skills took rustc 37 s). A clash is found by `examine` and told
//! by `report`, which panics at the token of the skill and names both places and the cure.

mod documents;
mod examine;
mod handwritten;
mod index;
mod message;
mod messages;
mod mountable;
mod mountable_checks;
mod report;
mod tables;

pub use documents::DocumentTable;
pub use examine::{Flags, examine};
pub(crate) use handwritten::report_handwritten;
pub use index::{EMPTY, capacity, listed, route_capacity};
pub use message::ConstMessage;
pub use messages::short;
pub use mountable::report_mountable;
pub use mountable_checks::examine_mountable;
pub use report::{report, report_skill, report_unlisted, route_room};
pub use tables::{ActionId, AgentTables, TableStorage, action_count, tool_count};
