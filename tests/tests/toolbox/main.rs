//! Tests of toolboxes.

mod one_server;
mod support;
