//! Stored values in any store format: how they are compared, and their JSON form.

mod difference;
mod order;
mod renamed;
mod value;

pub use difference::{Comparison, Difference};
pub use renamed::NamedField;
pub(crate) use renamed::unknown_entries;
pub use value::StoredValue;
