//! What the macros write, looked at as text.

mod golden;
mod paths;
