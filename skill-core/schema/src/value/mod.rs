//! Operations on JSON values: paths, depth, numbers.

pub(crate) mod at_path;
pub(crate) mod depth;
pub(crate) mod number;
pub(crate) mod path;
pub(crate) mod search;
