//! Tests of schemas, constraints and secrets.

mod constraints;
mod descriptions;
mod formats;
mod schemas;
mod secrets;
mod structure;
