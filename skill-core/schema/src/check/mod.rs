//! Checks values against schemas: their structure, and the constraints that serde does not check.

pub(crate) mod constraints;
pub(crate) mod structure;
pub(crate) mod violation;
