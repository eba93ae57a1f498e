//! SKILL.md documents: embedded ones, those that agents list, and the catalog that loads them.

#[path = "../common/mod.rs"]
mod common;

mod agent_documents;
mod catalog;
mod catalog_surface;
mod embedded;
mod selection;
