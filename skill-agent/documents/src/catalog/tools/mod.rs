//! The tools that documents allow, require and mention.

pub(crate) mod agent_facts;
pub(crate) mod allowed;
pub(crate) mod toolset_index;
pub(crate) mod unknown_names;
