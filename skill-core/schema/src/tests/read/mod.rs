//! Reading, and the words of its errors.

mod reading;
mod searching;
mod syntax;
mod wording;
