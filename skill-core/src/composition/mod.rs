//! Putting skills together, while compiling.
//!
//! `agent!` lists its skills in one `static` and runs these functions over it in const evaluation: they look into skills
//! of other crates, where a macro cannot. Everything is linear in the number of skills and actions: names are hashed into
//! open-addressed tables (comparing all pairs of 1,000 skills took rustc 37 s). A clash is found by `examine` and told
//! by `report`, which panics at the token of the skill and names both places and the cure.

mod examine;
mod flatten;
mod message;
mod messages;
mod mountable;
mod mountable_checks;
mod report;
mod table;

pub use examine::{Flags, examine};
pub(crate) use flatten::report_handwritten;
pub use flatten::{
    action_count, actions, addresses, index_of, listed_spec, prefixed, prefixed_length,
    skill_specs, text, tool_count, tools,
};
pub use message::ConstMessage;
pub use messages::short;
pub use mountable::report_mountable;
pub use mountable_checks::{Existing, examine_mountable};
pub use report::{report, report_skill, report_unlisted, route_room};
pub(crate) use skill_agent_grammar::{satisfied, split};
pub(crate) use table::find;
pub use table::{EMPTY, capacity, listed, route_capacity, table};
