//! One file for each kind of keyword.

pub mod bounds;
pub(crate) mod literals;
pub(crate) mod notes;
pub(crate) mod nulls;
pub(crate) mod objects;
