//! The catalog: documents of several sources, found, checked, offered, read.

mod checks;
mod choices;
mod config;
mod covered_files;
mod deviations;
mod edited;
mod folders;
mod invisible_chars;
mod laws;
mod limits;
mod mistakes;
mod reading;
mod scenarios;
mod scripts;
mod sources;
mod support;
mod trust;
mod trusted_files;
mod watch;
