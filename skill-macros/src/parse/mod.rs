//! Parses the user's input into structs that keep its tokens.

pub(crate) mod action;
pub(crate) mod agent;
pub(crate) mod configuration;
pub(crate) mod docs;
#[cfg(feature = "manifest")]
pub(crate) mod include;
pub(crate) mod listed_actions;
pub(crate) mod options;
pub(crate) mod resources;
pub(crate) mod skill;
pub(crate) mod tools;
pub(crate) mod values;
pub(crate) mod version;
