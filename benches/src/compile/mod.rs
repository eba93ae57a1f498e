//! What rustc takes for the same tools written four times, for agents of many skills, and for everything below them.

mod actions;
mod binary;
mod cold;
mod ground;
mod rustc;
mod skills;

pub use rustc::{MEASURED, stand_in};

use crate::options::Options;
use crate::report::Report;
use ground::Ground;

type Part = (
    &'static str,
    fn(&Options, &Ground, &mut Report) -> Result<(), String>,
);

pub const PARTS: [Part; 4] = [
    ("actions", actions::run),
    ("skills", skills::run),
    ("binary", binary::run),
    ("cold", cold::run),
];

/// Measures what the options ask for.
pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let ground = Ground::new(options.is_offline)?;
    for (name, part) in PARTS {
        if options.wants(name) {
            part(options, &ground, report)?;
        }
    }
    Ok(())
}
