//! Contract files: an agent's promises to its callers, in a file kept with its code.
//!
//! A [`Contract`] contains the tools, state, routes and skills of an agent. In a test, `testing::assert_contract` compares an
//! agent with its contract file. `skills contract OLD NEW` compares two files. The guide is `docs/contract.md`.

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
