//! Values of a store, in whatever format it has: their comparison, and their JSON.

mod difference;
mod order;
mod renamed;
mod value;

pub use difference::{Comparison, Difference};
pub use renamed::NamedField;
pub(crate) use renamed::unknown_entries;
pub use value::StoredValue;
