//! Measures calls, in nanoseconds and allocations.

mod batch;
mod by_name;
mod chat;
mod documents;
mod first_use;
mod lists;
mod mcp;
mod routing;
mod selection;
mod served;
pub mod typed;

pub use first_use::child as first_use_child;

use crate::options::Options;
use crate::report::Report;

type Part = (&'static str, fn(&Options, &mut Report));

pub const PARTS: [Part; 11] = [
    ("by-name", by_name::run),
    ("typed", typed::run),
    ("batch", batch::run),
    ("lists", lists::run),
    ("first-use", first_use::run),
    ("routing", routing::run),
    ("served", served::run),
    ("chat", chat::run),
    ("mcp", mcp::run),
    ("documents", documents::run),
    ("selection", selection::run),
];

/// Measures the parts that the options select.
pub fn run(options: &Options, report: &mut Report) {
    for (name, part) in PARTS {
        if options.wants(name) {
            part(options, report);
        }
    }
}
