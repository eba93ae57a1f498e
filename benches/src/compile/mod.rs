//! Measures rustc on the same tools in four variants, on agents of many skills, and on their dependencies.

mod actions;
mod binary;
mod cold;
mod rustc;
mod skills;
mod workspace;

pub use rustc::{MEASUREMENTS_FILE, run_as_rustc_wrapper};

use crate::options::Options;
use crate::report::Report;
use workspace::BuildRoot;

type Part = (
    &'static str,
    fn(&Options, &BuildRoot, &mut Report) -> Result<(), String>,
);

pub const PARTS: [Part; 4] = [
    ("actions", actions::run),
    ("skills", skills::run),
    ("binary", binary::run),
    ("cold", cold::run),
];

/// Measures the parts that the options select.
pub fn run(options: &Options, report: &mut Report) -> Result<(), String> {
    let root = BuildRoot::new(options.is_offline)?;
    for (name, part) in PARTS {
        if options.wants(name) {
            part(options, &root, report)?;
        }
    }
    Ok(())
}
