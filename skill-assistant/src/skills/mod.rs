//! The skills of the assistant: each file has a skill's state and its actions.

pub(crate) mod calculator;
pub(crate) mod files;
pub(crate) mod notes;
pub(crate) mod todos;
