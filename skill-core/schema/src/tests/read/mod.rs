//! Tests of reading and of its error messages.

mod limits;
mod reading;
mod searching;
mod syntax;
mod wording;
