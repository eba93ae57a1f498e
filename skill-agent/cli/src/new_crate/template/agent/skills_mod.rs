//! The skills of the assistant.

pub mod notes;
pub mod tasks;

pub use notes::Notes;
pub use tasks::Tasks;
