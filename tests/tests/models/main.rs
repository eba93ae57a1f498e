//! The tools of agents as model providers read them.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/hostile_schemas.rs"]
mod hostile_schemas;

mod combined;
mod combined_kinds;
mod completions;
mod conform;
mod dialect_rules;
mod expressible;
mod foreign;
mod foreign_references;
mod golden;
mod guide;
mod hostile;
mod limits;
mod list;
mod mcp;
mod met_by_others;
mod notes;
mod nullable;
mod omitted;
mod projections;
mod refused;
mod shop_agent;
mod single_arguments;
