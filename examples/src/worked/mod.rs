//! The worked skills of the *Jido 2.0 Skills Specification* (seed 000, sections 10 and 12), and what they need beside them.

pub mod arithmetic;
pub mod assistant;
pub mod counter;
pub mod search;

pub use arithmetic::Arithmetic;
pub use assistant::Assistant;
pub use counter::Counter;
pub use search::{Auth, AuthenticatedSearch, HttpClient};
