//! Contract files: what an agent promises to those who call it, as a file that is kept with its code.
//!
//! A [`Contract`] holds the tools, state, routes and skills of an agent. `testing::assert_contract` compares the agent of a test with
//! the file, and `skills contract OLD NEW` compares two files. `docs/contract.md` is the guide.

mod change;
mod compare;
mod entries;
mod file;
mod of_agent;
mod other_names;
mod read;
mod save;
mod schema;
mod skills;
mod text;
mod version;

pub use change::{Change, ChangeClass, Changes};
pub use file::Contract;
pub use read::ContractError;
