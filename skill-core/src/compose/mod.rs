//! Putting skills together, while compiling.
//!
//! `agent!` lists its skills in one `static` and runs these functions over it in const evaluation: they look into skills
//! of other crates, where a macro cannot. Everything is linear in the number of skills and actions: names are hashed into
//! open-addressed tables (comparing all pairs of 1,000 skills took rustc 37 s). A clash is found by `examine` and told
//! by `tell`, which panics at the token of the skill and names both places and the cure.

mod beside;
mod clash;
mod examine;
mod flatten;
mod mountable;
mod requirement;
mod sentence;
mod table;
mod tell;

pub use beside::{Beside, examine_mountable};
pub use clash::short;
pub use examine::{Flags, examine};
pub(crate) use flatten::tell_by_hand;
pub use flatten::{
    action_count, actions, addresses, index_of, mounted, prefixed, prefixed_length, skill_specs,
    text, tool_count, tools,
};
pub use mountable::tell_mountable;
pub(crate) use requirement::{is_requirement, is_version};
pub use requirement::{satisfied, split};
pub use sentence::{Text, same};
pub(crate) use table::find;
pub use table::{EMPTY, capacity, listed, route_capacity, table};
pub use tell::{route_room, tell, tell_own, tell_skill};
