//! Which documents and skills a request selects, and what a model is shown of them.

mod catalogs;
mod oracle;
mod questions;
mod tiers;
