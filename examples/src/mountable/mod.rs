//! Skills that can be mounted at run time: the examples of the *Jido 2.0 Skills Specification*, and the skills that they
//! require.

pub mod arithmetic;
pub mod assistant;
pub mod counter;
pub mod search;

pub use arithmetic::Arithmetic;
pub use assistant::Assistant;
pub use counter::Counter;
pub use search::{Auth, AuthenticatedSearch, HttpClient};
