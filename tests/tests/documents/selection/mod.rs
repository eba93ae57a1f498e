//! Which documents and skills a request selects, and what a model is shown of them.

mod activating;
mod catalogs;
mod corpus;
mod oracle;
mod questions;
mod tiers;
