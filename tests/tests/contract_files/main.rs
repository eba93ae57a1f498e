//! Contract files: what they hold, when they are written, and what a difference means.

#[path = "../common/mod.rs"]
mod common;

mod files;
mod mutations;
mod pairs;
mod values;
mod verdicts;
