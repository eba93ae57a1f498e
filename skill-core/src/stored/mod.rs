//! Values of a store, in whatever format it has: their comparison, and their JSON.

mod difference;
mod value;

pub use difference::{Comparison, Difference};
pub use value::StoredValue;
