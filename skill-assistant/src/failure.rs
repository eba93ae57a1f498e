//! Why the program ends with an error.

use skill_agent::StartError;
use skill_agent::chat::ChatError;
#[cfg(feature = "http")]
use skill_agent::chat::ProviderChoiceError;
use skill_agent::manifest::LoadError;
#[cfg(feature = "http")]
use skill_agent::manifest::{AgentDocError, AgentFolderError};
use skill_agent::store::StoreError;
use skill_agent::toolbox::ToolboxError;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(
        "no folder for the data is known, because `HOME` is not set; choose one with `--data DIR`"
    )]
    NoHome,
    #[error("`{}` cannot be used: {problem}", .path.display())]
    Folder { path: PathBuf, problem: io::Error },
    #[error(
        "{} has `{}` open; end it, or choose another folder with `--data DIR`",
        other(*.process), .folder.display()
    )]
    InUse {
        folder: PathBuf,
        /// The number of the other process, if it is known.
        process: Option<i32>,
    },
    #[error(transparent)]
    Documents(#[from] LoadError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Toolbox(#[from] ToolboxError),
    #[error("{0}")]
    Chat(#[from] Arc<ChatError>),
    #[error("the agent does not answer: {0}")]
    Agent(String),
    #[cfg(feature = "http")]
    #[error(transparent)]
    Agents(#[from] AgentFolderError),
    #[cfg(feature = "http")]
    #[error(transparent)]
    AgentDoc(#[from] AgentDocError),
    #[cfg(feature = "http")]
    #[error(transparent)]
    Provider(#[from] ProviderChoiceError),
    #[cfg(feature = "http")]
    #[error("the model has no name; give one with `--model`")]
    NoModelName,
    #[cfg(feature = "http")]
    #[error(
        "`--url {}` does not begin with `http://` or `https://`; write `http://{}`",
        .0, without_scheme(.0)
    )]
    NoScheme(String),
    #[cfg(feature = "http")]
    #[error(
        "the server at {url} does not list its models: {problem}; check the address, or name a model with `--model`"
    )]
    NoModels { url: String, problem: String },
    #[cfg(feature = "http")]
    #[error("the server at {0} has no model; load one, or name one with `--model`")]
    NoModelAt(String),
    #[cfg(feature = "mcp")]
    #[error("the MCP server `{name}` cannot be used: {problem}")]
    Mcp { name: String, problem: String },
    #[error("the system refuses what the program needs: {0}")]
    Runtime(io::Error),
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
}

impl Failure {
    /// Creates the error for a folder.
    pub(crate) fn folder(path: &Path, problem: io::Error) -> Self {
        let path = path.to_owned();
        Self::Folder { path, problem }
    }

    /// Returns whether the reader of the output has gone, as after `skill-assistant | head`.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Terminal(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<ChatError> for Failure {
    fn from(error: ChatError) -> Self {
        Self::Chat(Arc::new(error))
    }
}

#[cfg(feature = "http")]
fn without_scheme(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

fn other(process: Option<i32>) -> String {
    match process {
        None => "another skill-assistant".to_owned(),
        Some(number) => format!("another skill-assistant (process {number})"),
    }
}
