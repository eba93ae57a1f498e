//! Connections to MCP servers that are programs.

use super::connection::{Connection, Service, Start, open};
use super::program::Program;
use super::{ConnectError, McpClient};
use crate::runtime;
use skill_agent_server::BoxFuture;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tokio::process::Command;

/// A connection to an MCP server that is a program, which `.await` opens. Created by [`McpClient::command`].
#[must_use = "a connection opens with `.await`"]
pub struct OpenCommand {
    program: OsString,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
    folder: Option<PathBuf>,
}

impl OpenCommand {
    pub(super) fn new<A: AsRef<OsStr>>(
        program: &OsStr,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        let arguments = arguments.into_iter();
        Self {
            program: program.to_owned(),
            arguments: arguments.map(|part| part.as_ref().to_owned()).collect(),
            variables: Vec::new(),
            folder: None,
        }
    }

    /// Sets an environment variable of the program, such as the key that it needs. Its value appears in no error.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        let (name, value) = (name.as_ref().to_owned(), value.as_ref().to_owned());
        self.variables.push((name, value));
        self
    }

    /// Sets the working directory of the program. Defaults to the one of this process.
    pub fn current_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    async fn start(&self, changes: Arc<AtomicU64>) -> Result<Service, ConnectError> {
        runtime::check()?;
        runtime::check_io()?;
        let mut command = Command::new(&self.program);
        let variables = self.variables.iter().map(|(name, value)| (name, value));
        command.args(&self.arguments).envs(variables);
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command.kill_on_drop(true);
        let too_long = Arc::default();
        let started = Program::start(command, Arc::clone(&too_long));
        let started = started.map_err(|error| self.not_started(error))?;
        let child = started.child();
        match open(started, changes, too_long).await {
            Err(error) if error.is_of_closed() => match child.ended().await {
                Some(Ok(status)) => Err(ConnectError::Ended {
                    program: self.name(),
                    status,
                }),
                _ => Err(error),
            },
            opened => opened,
        }
    }

    fn not_started(&self, source: io::Error) -> ConnectError {
        let program = self.name();
        match &self.folder {
            // the system's error would be the one of a program that does not exist
            Some(folder) if source.kind() == io::ErrorKind::NotFound && !folder.exists() => {
                let folder = folder.clone();
                ConnectError::WorkingDirectory { program, folder }
            }
            _ => ConnectError::Program { program, source },
        }
    }

    fn name(&self) -> String {
        self.program.to_string_lossy().into_owned()
    }
}

impl IntoFuture for OpenCommand {
    type Output = Result<McpClient, ConnectError>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let command = Arc::new(self);
        let start: Start = Box::new(move |changes| {
            let command = Arc::clone(&command);
            Box::pin(async move { command.start(changes).await })
        });
        Box::pin(async { Ok(McpClient::new(Connection::of_program(start).await?)) })
    }
}

impl fmt::Debug for OpenCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenCommand")
            .field("program", &self.program)
            .finish_non_exhaustive()
    }
}
