//! Many agents in one process.

mod bank;
mod delivering;
mod sleeping;
mod waking;
