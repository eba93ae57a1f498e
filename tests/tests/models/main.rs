//! The tools of agents as model providers read them.

#[path = "../common/mod.rs"]
mod common;

mod combined;
mod combined_kinds;
mod completions;
mod conform;
mod dialect_rules;
mod expressible;
mod golden;
mod guide;
mod limits;
mod list;
mod mcp;
mod notes;
mod nullable;
mod omitted;
mod projections;
mod shop_agent;
mod single_arguments;
