//! A served agent on standard input and output: one JSON object a line, both ways.

mod input;
mod output;

pub use input::{LONGEST, Line, LineError, read_lines, read_signal};
pub use output::{Closed, Output};
