//! Many agents in one process.

mod bank;
mod delivering;
mod meeting;
mod sleeping;
mod waking;
