//! An assertion about the contract of an agent.

use crate::contract::{Contract, ContractError};
use skill_core::Agent;
use std::env;
use std::path::{Path, PathBuf};

/// The variable that lets a test write its contract file.
const UPDATE: &str = "UPDATE_CONTRACT";

/// Asserts that an agent has the contract in a file, which is kept with the code.
///
/// The path is relative to the package of the test. With the environment variable `UPDATE_CONTRACT=1`, the file is written.
///
/// # Panics
/// If the file differs from the contract of the agent, with every change in its class, or cannot be read.
#[track_caller]
pub fn assert_contract<G: Agent>(path: impl AsRef<Path>) {
    let path = path.as_ref();
    let file = in_package(path);
    let shown = path.display();
    let contract = Contract::of::<G>();
    let is_update = env::var_os(UPDATE).is_some_and(|value| !value.is_empty() && value != "0");
    let found = Contract::read(&file);
    match found {
        Ok(found) if found == contract => {}
        Err(error) if is_update && !error.may_be_replaced() => {
            panic!("the contract file `{shown}` is not written: {error}")
        }
        _ if is_update => {
            if let Err(error) = contract.write(&file) {
                panic!("the contract file `{shown}` cannot be written: {error}");
            }
        }
        Ok(_) => panic!("the contract of `{}` differs from `{shown}`", G::SPEC.name),
        Err(error @ ContractError::Missing) => {
            panic!(
                "the contract file `{shown}` cannot be compared: {error}; write it with `{UPDATE}=1 cargo test`"
            )
        }
        Err(error) => panic!("the contract file `{shown}` cannot be compared: {error}"),
    }
}

/// A path in the package whose test runs. Cargo sets the variable, and runs a test in this folder; other runners may do one of both.
fn in_package(path: &Path) -> PathBuf {
    env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(PathBuf::new, PathBuf::from)
        .join(path)
}
