//! Rules for the types of states.

pub(crate) mod defaults;
pub(crate) mod owned;
pub(crate) mod read_back;
pub(crate) mod secrets;
pub(crate) mod serde_names;
pub(crate) mod shared;
