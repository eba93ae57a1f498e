//! Tests the tokens that the macros generate.

#[cfg(feature = "manifest")]
mod documents;
#[cfg(feature = "manifest")]
mod folders;
mod golden;
mod paths;
#[cfg(feature = "manifest")]
mod probes;
mod spans;
#[cfg(not(feature = "manifest"))]
mod without_manifest;
