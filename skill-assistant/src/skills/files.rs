//! The skill `files`, and the folder that it is confined to.

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::process;
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// The maximum size of a file that is read or written, in bytes.
pub(crate) const MAX_FILE_BYTES: usize = 1 << 20;

/// The maximum number of names in a list of files.
const MAX_NAMES: usize = 1_000;

/// Text files below one folder.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "files", actions(ListFiles, ReadFile, WriteFile))]
pub(crate) struct Files {}

/// A folder. Paths and links that lead out of it are errors.
#[derive(Clone)]
pub(crate) struct Folder(Arc<Dir>);

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    #[error("there is no file `{0}`; `list_files` shows the files")]
    Missing(String),
    #[error(
        "`{0}` is not below the folder of the assistant; write a path relative to it, without links out of it"
    )]
    Outside(String),
    #[error("`{path}` has more than {MAX_FILE_BYTES} bytes, the maximum")]
    TooLarge { path: String },
    #[error("`{0}` is not UTF-8 text")]
    NotText(String),
    #[error("`{path}`: {source}")]
    Io {
        path: String,
        // part of the message
        r#source: io::Error,
    },
}

impl FileError {
    fn new(path: &str, error: io::Error) -> Self {
        let path = path.to_owned();
        match error.kind() {
            ErrorKind::NotFound => Self::Missing(path),
            ErrorKind::PermissionDenied if error.raw_os_error().is_none() => Self::Outside(path),
            ErrorKind::InvalidData => Self::NotText(path),
            _ => Self::Io {
                path,
                source: error,
            },
        }
    }
}

impl Folder {
    /// Opens a folder.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Dir::open_ambient_dir(path, ambient_authority()).map(|dir| Self(Arc::new(dir)))
    }

    /// Returns the names in a folder, sorted. The name of a folder ends with `/`.
    pub(crate) fn names(&self, path: &str) -> io::Result<Vec<String>> {
        let path = if path.is_empty() { "." } else { path };
        let mut names = Vec::new();
        for entry in self.0.read_dir(path)?.take(MAX_NAMES) {
            let entry = entry?;
            let mut name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type()?.is_dir() {
                name.push('/');
            }
            names.push(name);
        }
        names.sort();
        Ok(names)
    }

    /// Reads a text file.
    pub(crate) fn read(&self, path: &str) -> Result<String, FileError> {
        let read = || {
            let mut text = Vec::new();
            let file = self.0.open(path)?;
            file.take(MAX_FILE_BYTES as u64 + 1)
                .read_to_end(&mut text)?;
            Ok(text)
        };
        let text: Vec<u8> = read().map_err(|error| FileError::new(path, error))?;
        if text.len() > MAX_FILE_BYTES {
            return Err(FileError::TooLarge { path: path.into() });
        }
        String::from_utf8(text).map_err(|_| FileError::NotText(path.into()))
    }

    /// Writes a text file in one step: a reader sees the old text or the new one. Creates the folders of the path.
    fn write(&self, path: &str, text: &str) -> Result<(), FileError> {
        if text.len() > MAX_FILE_BYTES {
            return Err(FileError::TooLarge { path: path.into() });
        }
        let new = format!("{path}.{}.new", process::id());
        let write = || {
            if let Some(folder) = Path::new(path).parent() {
                self.0.create_dir_all(folder)?;
            }
            let mut options = OpenOptions::new();
            let mut file = self
                .0
                .open_with(&new, options.write(true).create_new(true))?;
            let written = file
                .write_all(text.as_bytes())
                .and_then(|()| file.sync_all());
            let written = written.and_then(|()| self.0.rename(&new, &self.0, path));
            if written.is_err() {
                self.0.remove_file(&new)?;
            }
            written
        };
        write().map_err(|error| FileError::new(path, error))
    }

    /// Runs `work` in a thread that may block.
    async fn blocking<T: Send + 'static>(
        &self,
        path: String,
        work: impl FnOnce(&Self, &str) -> Result<T, FileError> + Send + 'static,
    ) -> Result<T, FileError> {
        let (folder, name) = (self.clone(), path.clone());
        let done = spawn_blocking(move || work(&folder, &name)).await;
        done.unwrap_or_else(|error| Err(FileError::new(&path, io::Error::other(error))))
    }
}

/// The names in a folder. The name of a folder ends with `/`. Without `path`, the names in the folder of the assistant.
#[action(read_only, reads_sensitive)]
pub(crate) async fn list_files(
    _: &Files,
    _cx: &mut Context<Files>,
    folder: &Folder,
    path: Option<String>,
) -> Result<Vec<String>, FileError> {
    let names = |folder: &Folder, path: &str| {
        let names = folder.names(path);
        names.map_err(|error| FileError::new(path, error))
    };
    folder.blocking(path.unwrap_or_default(), names).await
}

/// The text of a file.
#[action(read_only, reads_sensitive)]
pub(crate) async fn read_file(
    _: &Files,
    _cx: &mut Context<Files>,
    folder: &Folder,
    path: String,
) -> Result<String, FileError> {
    folder.blocking(path, Folder::read).await
}

/// Write a text file, and replace the one that is there.
#[action(destructive, idempotent)]
pub(crate) async fn write_file(
    _: &Files,
    _cx: &mut Context<Files>,
    folder: &Folder,
    path: String,
    text: String,
) -> Result<(), FileError> {
    let write = move |folder: &Folder, path: &str| folder.write(path, &text);
    folder.blocking(path, write).await
}
