//! The skill `files`, and the folder that it is confined to.

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};
use rustix::fs::OFlags;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
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
    #[error("there is no file or folder `{0}`; `list_files` shows the names")]
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
        for entry in self.0.read_dir(path)? {
            if names.len() == MAX_NAMES {
                return Err(io::Error::other(format!(
                    "it has more than {MAX_NAMES} names"
                )));
            }
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
    fn read(&self, path: &str) -> Result<String, FileError> {
        let read = || {
            // opening a pipe would wait for its writer
            let mut options = OpenOptions::new();
            options
                .read(true)
                .custom_flags(OFlags::NONBLOCK.bits() as i32);
            let file = self.0.open_with(path, &options)?;
            if !file.metadata()?.is_file() {
                return Err(io::Error::other("it is not a file"));
            }
            let mut text = Vec::new();
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

    /// Reads a text file in a thread that may block.
    pub(crate) async fn text(&self, path: &str) -> Result<String, FileError> {
        self.blocking(path.to_owned(), Self::read).await
    }

    /// Writes a text file in one step: a reader sees the old text or the new one. Creates the folders of the path, and keeps the
    /// rights of a file that it replaces.
    fn write(&self, path: &str, text: &str) -> Result<(), FileError> {
        if text.len() > MAX_FILE_BYTES {
            return Err(FileError::TooLarge { path: path.into() });
        }
        let write = || {
            let old = match self.0.symlink_metadata(path) {
                Ok(old) if old.is_file() => Some(old),
                Ok(old) if old.is_symlink() => {
                    return Err(io::Error::other(
                        "it is a link; write to the file that it leads to",
                    ));
                }
                Ok(_) => return Err(io::Error::other("it is not a file")),
                Err(error) if error.kind() == ErrorKind::NotFound => None,
                Err(error) => return Err(error),
            };
            if let Some(folder) = Path::new(path).parent() {
                self.0.create_dir_all(folder)?;
            }
            let new = format!("{path}.{}.new", new_number());
            let mut options = OpenOptions::new();
            let mut file = self
                .0
                .open_with(&new, options.write(true).create_new(true))?;
            let written = old.map_or(Ok(()), |old| file.set_permissions(old.permissions()));
            let written = written.and_then(|()| file.write_all(text.as_bytes()));
            let written = written.and_then(|()| file.sync_all());
            let written = written.and_then(|()| self.0.rename(&new, &self.0, path));
            if written.is_err() {
                // the error above is the one to report
                let _ = self.0.remove_file(&new);
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

/// Returns a number that no other write uses, nor one of an earlier run that was killed.
fn new_number() -> u64 {
    RandomState::new().hash_one(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    fn folder() -> (tempfile::TempDir, Folder) {
        let temp = tempfile::tempdir().unwrap();
        let folder = Folder::open(temp.path()).unwrap();
        (temp, folder)
    }

    #[test]
    fn nothing_outside_of_the_folder_is_read_or_written() {
        let (outside, _) = folder();
        fs::write(outside.path().join("secret"), "s").unwrap();
        let (temp, folder) = folder();
        symlink(outside.path(), temp.path().join("out")).unwrap();
        symlink("/etc/passwd", temp.path().join("passwd")).unwrap();
        let absolute = outside.path().join("secret");
        for path in [
            "../secret",
            "out/secret",
            "passwd",
            "a/../../secret",
            absolute.to_str().unwrap(),
        ] {
            assert!(folder.read(path).is_err(), "{path}");
            assert!(folder.write(path, "x").is_err(), "{path}");
        }
        assert!(folder.names("..").is_err() && folder.names("out").is_err());
        let kept = fs::read_to_string(outside.path().join("secret")).unwrap();
        assert_eq!(kept, "s");
        let message = folder.read("../secret").unwrap_err().to_string();
        assert!(message.contains("is not below the folder"), "{message}");
    }

    #[test]
    fn a_write_keeps_the_rights_and_leaves_no_other_file() {
        let (temp, folder) = folder();
        let script = temp.path().join("run.sh");
        fs::write(&script, "old").unwrap();
        fs::set_permissions(&script, Permissions::from_mode(0o750)).unwrap();
        folder.write("run.sh", "new").unwrap();
        folder.write("a/b/new.md", "new").unwrap();
        let mode = fs::metadata(&script).unwrap().permissions().mode();
        assert_eq!(
            (mode & 0o777, &*fs::read_to_string(&script).unwrap()),
            (0o750, "new")
        );
        assert_eq!(folder.names("").unwrap(), ["a/", "run.sh"]);
        assert_eq!(folder.names("a/b").unwrap(), ["new.md"]);
    }

    #[test]
    fn only_text_files_are_read_and_replaced() {
        let (temp, folder) = folder();
        fs::write(temp.path().join("binary"), [0xff, 0xfe]).unwrap();
        fs::write(temp.path().join("large"), vec![b'a'; MAX_FILE_BYTES + 1]).unwrap();
        fs::write(temp.path().join("target"), "t").unwrap();
        symlink("target", temp.path().join("link")).unwrap();
        let pipe = temp.path().join("pipe");
        assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
        let read = |path: &str| folder.read(path).unwrap_err().to_string();
        assert_eq!(read("binary"), "`binary` is not UTF-8 text");
        assert_eq!(
            read("large"),
            "`large` has more than 1048576 bytes, the maximum"
        );
        assert_eq!(read("pipe"), "`pipe`: it is not a file");
        assert_eq!(
            read("gone"),
            "there is no file or folder `gone`; `list_files` shows the names"
        );
        assert_eq!(folder.read("link").unwrap(), "t");
        let write = |path: &str| folder.write(path, "x").unwrap_err().to_string();
        assert_eq!(write("pipe"), "`pipe`: it is not a file");
        assert_eq!(
            write("link"),
            "`link`: it is a link; write to the file that it leads to"
        );
        symlink("/etc", temp.path().join("etc")).unwrap();
        assert!(write("etc/new").contains("is not below the folder"));
        let large = "a".repeat(MAX_FILE_BYTES + 1);
        assert!(folder.write("new", &large).is_err());
    }
}
