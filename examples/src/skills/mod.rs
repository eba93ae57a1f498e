//! The five skills: one folder each, with its state, its error and its actions.

pub mod file_system;
pub mod math;
pub mod message;
pub mod posting;
pub mod ticket;

pub use file_system::FileSystem;
pub use math::Math;
pub use message::Message;
pub use posting::Posting;
pub use ticket::Ticket;
