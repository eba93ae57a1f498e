//! Errors from commands.

use crate::args::CrateKind;
use crate::output::escape::escape;
use crate::output::screen::Screen;
use skill_agent_contract::ContractError;
use skill_agent_documents::{Diagnostic, DocumentReadError, LoadError};
use std::borrow::Cow;
use std::io;
use std::process::ExitCode;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("standard output cannot be written: {error}")]
    Output { error: io::Error },
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("the folder `{path}` cannot be read: {why}")]
    Unreadable { path: String, why: String },
    /// A path on the command line does not exist.
    #[error("there is no folder `{0}`")]
    Missing(String),
    #[error(transparent)]
    Read(#[from] DocumentReadError),
    #[error("`{path}` is a skill; expected a folder that contains skills")]
    OneSkill { path: String, above: String },
    #[error("`{0}` is a file; expected a folder that contains skills")]
    AFile(String),
    #[error("there is no skill `{id}`")]
    NoSkill {
        id: String,
        known: Vec<String>,
        /// Whether the default folders were searched because the command line names none.
        in_default_folders: bool,
    },
    #[error("there is no folder `{path}`, and the request `{query}` is a path")]
    SwappedQuery { path: String, query: String },
    #[error("these are contracts of two agents, `{old}` and `{new}`")]
    TwoAgents { old: String, new: String },
    #[error("no skill is offered: the skills in these folders are not trusted")]
    NotTrusted,
    #[cfg(not(feature = "mcp"))]
    #[error("this build of `skills` lacks the command `mcp`")]
    NoMcp,
    #[cfg(feature = "mcp")]
    #[error("{0}")]
    Mcp(String),
    #[error("`{path}` cannot be written: {error}")]
    Write { path: String, error: io::Error },
    #[error("`{path}` cannot be written: {error}; `{left}` is left and can be removed")]
    LeftBehind {
        path: String,
        error: io::Error,
        left: String,
    },
    #[error("the contract file `{path}` cannot be used: {error}")]
    Contract { path: String, error: ContractError },
    #[error("`{path}` cannot be resolved: {error}")]
    Unresolved { path: String, error: io::Error },
    #[error("`{0}` already exists")]
    Exists(String),
    #[error("`{0}` is not a valid folder name")]
    NotAFolderName(String),
    #[error("`{name}` cannot be the name of {}: {why}", .kind.with_article())]
    NotACrateName {
        kind: CrateKind,
        name: String,
        why: &'static str,
        help: Option<String>,
    },
    #[error("`{path}` is not a checkout of skill-agent: {why}")]
    NotACheckout {
        path: String,
        why: String,
        help: Option<&'static str>,
    },
    #[error("{} ({dialect})", .why.message)]
    NotAName {
        dialect: &'static str,
        why: Box<Diagnostic>,
    },
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output { error }
    }
}

/// The maximum number of known ids to list when an id is not found.
const MAX: usize = 20;

/// The exit code for incorrect usage.
pub(crate) const WRONG_USAGE: u8 = 2;

/// The exit code if the reader has closed the pipe, as shells report it: 128 plus the number of SIGPIPE.
const READER_WENT_AWAY: u8 = 141;

impl Failure {
    /// Prints the error to standard error and returns the exit code.
    pub(crate) fn report(&self, screen: &Screen) -> ExitCode {
        if let Self::Output { error } = self
            && error.kind() == io::ErrorKind::BrokenPipe
        {
            return ExitCode::from(READER_WENT_AWAY);
        }
        screen.error(&escape(&self.to_string()), self.help().as_deref());
        match self {
            Self::NotAFolderName(_)
            | Self::NotAName { .. }
            | Self::NotACrateName { .. }
            | Self::NotACheckout { .. }
            | Self::OneSkill { .. }
            | Self::AFile(_)
            | Self::Contract { .. }
            | Self::TwoAgents { .. }
            | Self::SwappedQuery { .. }
            | Self::Missing(_) => ExitCode::from(WRONG_USAGE),
            #[cfg(not(feature = "mcp"))]
            Self::NoMcp => ExitCode::from(WRONG_USAGE),
            _ => ExitCode::FAILURE,
        }
    }

    fn help(&self) -> Option<Cow<'_, str>> {
        let help = match self {
            Self::NotAName { why, .. } => why.help.as_deref()?,
            Self::NotACrateName { name, .. } if name.contains(['/', '\\']) => {
                "give the folder to write to as the second argument"
            }
            Self::NotACrateName { help, .. } => {
                return Some(format!("`{}` would be valid", help.as_deref()?).into());
            }
            Self::NotACheckout { help, .. } => (*help)?,
            Self::NotAFolderName(name) if name.contains(['/', '\\']) => {
                "give the folder to write to as the second argument"
            }
            Self::NotAFolderName(_) => "name it as in `code-review`",
            Self::Exists(_) => "choose another name, or edit it",
            Self::OneSkill { above, .. } => {
                return Some(format!("name the folder above it, `{above}`").into());
            }
            #[cfg(not(feature = "mcp"))]
            Self::NoMcp => {
                "install it with `cargo install --path skill-agent/cli --features mcp`, in a checkout of skill-agent"
            }
            Self::NotTrusted => "name the folders whose skills you trust",
            Self::SwappedQuery { .. } => {
                "the request comes first: `skills explain QUERY [PATH]...`"
            }
            Self::TwoAgents { .. } => "compare two contracts of one agent",
            Self::NoSkill {
                id,
                known,
                in_default_folders: true,
            } if known.is_empty() => {
                return Some(
                    format!(
                        "there are no skills in the folders where agents keep them, here and at home; name another folder: \
                         `skills show {id} PATH`"
                    )
                    .into(),
                );
            }
            Self::NoSkill { known, .. } if known.is_empty() => "there are no skills at all",
            Self::NoSkill { known, .. } => {
                let more = if known.len() > MAX { ", …" } else { "" };
                let known = known[..known.len().min(MAX)].join("`, `");
                return Some(format!("there are `{known}`{more}").into());
            }
            _ => return None,
        };
        Some(help.into())
    }
}
