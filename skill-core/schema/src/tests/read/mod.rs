//! Tests of reading and of its error messages.

mod reading;
mod searching;
mod syntax;
mod wording;
