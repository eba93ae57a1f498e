//! Contract files: what an agent promises to those who call it, as a file that is kept with its code.
//!
//! A [`Contract`] holds the tools, state, routes and skills of an agent. `testing::assert_contract` compares the agent that a test
//! builds with the file, and `skills contract OLD NEW` compares two files. [contract.md] is the guide.
//!
//! [contract.md]: https://docs.rs/skill-agent

mod file;
mod of_agent;
mod other_names;
mod read;
mod save;
mod text;

pub use file::Contract;
pub use read::ContractError;
