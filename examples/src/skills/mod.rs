//! The five skills. Each folder contains the state, the error and the actions of one skill.

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
