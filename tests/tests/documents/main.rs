//! SKILL.md documents: embedded ones, and the catalog that loads them.

#[path = "../common/mod.rs"]
mod common;

mod catalog;
mod catalog_surface;
mod embedded;
