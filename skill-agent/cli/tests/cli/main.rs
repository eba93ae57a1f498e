//! The program `skills`, run as its users run it.

mod catalog;
mod check;
mod contract;
mod corpus;
mod explain;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(not(feature = "mcp"))]
mod mcp_left_out;
mod new;
mod new_agent;
mod new_agent_builds;
mod new_crate;
mod new_crate_builds;
mod new_crate_paths;
mod reference;
mod show;
mod support;
mod validate;
mod walking;
