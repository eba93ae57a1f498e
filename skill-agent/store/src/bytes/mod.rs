//! The binary form of a log: records, snapshots and rows, and the frames around them.

pub(crate) mod damage;
pub(crate) mod encoding;
pub(crate) mod frame;
pub(crate) mod record;
pub(crate) mod row;
pub(crate) mod snapshot;
