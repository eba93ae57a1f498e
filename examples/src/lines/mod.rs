//! Input and output of a served agent: one JSON object per line in both directions.

mod input;
mod output;

pub use input::{Line, LineError, MAX_LINE, read_lines, read_signal};
pub use output::{Closed, Output};
