//! Reads contract files.

use super::file::{Contract, FORMAT, FORMAT_KEY};
use serde_json::Value;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// An error from reading a contract file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContractError {
    /// The file does not exist.
    #[error("it does not exist")]
    Missing,
    /// The operating system could not read the file.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// The file is not a contract file.
    #[error("it is not a contract file: it has no `{FORMAT_KEY}`")]
    Foreign,
    /// The contract file is incomplete or has been edited by hand.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// The file was written by an earlier version of this library.
    #[error(
        "its format {0} is older than the format {FORMAT}, which this version of `skill-agent` reads"
    )]
    Older(u64),
    /// The file was written by a later version of this library.
    #[error(
        "its format {0} is newer than the format {FORMAT}, which this version of `skill-agent` reads; update `skill-agent`"
    )]
    Newer(u64),
}

impl ContractError {
    /// Returns whether the file may be overwritten, because it does not exist or is (or was) a contract file.
    #[must_use]
    pub fn may_be_replaced(&self) -> bool {
        match self {
            Self::Missing | Self::Damaged(_) | Self::Older(_) => true,
            Self::Unreadable(_) | Self::Foreign | Self::Newer(_) => false,
        }
    }
}

impl From<io::Error> for ContractError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound => Self::Missing,
            ErrorKind::InvalidData => Self::Foreign,
            _ => Self::Unreadable(error.to_string()),
        }
    }
}

impl Contract {
    /// Parses the text of a contract file.
    ///
    /// # Errors
    /// Returns an error if the text is not a contract file, is damaged, or has a different format.
    pub fn parse(text: &str) -> Result<Self, ContractError> {
        let value: Value = serde_json::from_str(text).map_err(|error| {
            if text.trim().is_empty() || was_contract(text) {
                ContractError::Damaged(error.to_string())
            } else {
                ContractError::Foreign
            }
        })?;
        let Some(format) = value.get(FORMAT_KEY) else {
            return Err(ContractError::Foreign);
        };
        match format.as_u64() {
            None => {
                let message = format!("`{FORMAT_KEY}` is {format}, expected a whole number");
                return Err(ContractError::Damaged(message));
            }
            Some(older) if older < FORMAT => return Err(ContractError::Older(older)),
            Some(newer) if newer > FORMAT => return Err(ContractError::Newer(newer)),
            Some(_) => {}
        }
        // parse the text rather than the value, so that an error shows the line
        serde_json::from_str(text).map_err(|error| ContractError::Damaged(error.to_string()))
    }

    /// Reads a contract file.
    ///
    /// # Errors
    /// Returns an error if the file does not exist, cannot be read, is not a contract file, is damaged, or has a different
    /// format.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ContractError> {
        Self::parse(&fs::read_to_string(path)?)
    }
}

/// The marker that Git writes before the first side of a conflict.
const CONFLICT: &str = "<<<<<<<";

/// Returns whether invalid JSON text was once a contract file: an object with the format key, possibly with merge conflict
/// markers.
fn was_contract(text: &str) -> bool {
    let text = text.trim_start();
    let key = format!("\"{FORMAT_KEY}\"");
    let mut after = text.split(&key).skip(1);
    (text.starts_with('{') || text.starts_with(CONFLICT))
        && after.any(|rest| rest.trim_start().starts_with(':'))
}
