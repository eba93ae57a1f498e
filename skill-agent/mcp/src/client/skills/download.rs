//! A download of skills into a folder.

use super::SkillsError;
use super::files::{Refused, SkillFile, files};
use crate::client::McpClient;
use crate::client::connection::Service;
use crate::skill::frontmatter;
use rmcp::model::Skill;
use skill_agent_documents::DocumentLimits;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;
use tokio::task::spawn_blocking;

/// The maximum size of a download in bytes.
pub(super) const MAX_BYTES: usize = DocumentLimits::DEFAULT.all_resources;

/// The file that marks a folder as a download, which the next download may replace.
const MARK: &str = ".downloaded-skills";
/// Held while a folder is looked at or replaced, because a replacement is two steps.
static FOLDERS: Mutex<()> = Mutex::new(());

/// A download into a new folder, which then replaces the old one.
pub(super) struct Download {
    pub(super) folder: PathBuf,
    new: TempDir,
    /// The bytes that may still be written.
    left: u64,
}

impl Download {
    pub(super) async fn begin(folder: PathBuf) -> Result<Self, SkillsError> {
        blocking(move || {
            // `x/.` cannot be renamed, and `x` can
            let folder: PathBuf = folder.components().collect();
            check(&folder)?;
            let new = temporary(&folder).map_err(|error| SkillsError::io(&folder, error))?;
            let mark = new.path().join(MARK);
            fs::write(mark, "").map_err(|error| SkillsError::io(&folder, error))?;
            Ok(Self {
                folder,
                new,
                left: MAX_BYTES as u64,
            })
        })
        .await
    }

    /// Adds a skill, or returns why it is left out.
    pub(super) async fn add(
        &mut self,
        client: &McpClient,
        service: &Service,
        skill: Skill,
    ) -> Result<Result<(), Refused>, SkillsError> {
        let files = match files(&skill) {
            Ok(files) => files,
            Err(reason) => return Ok(Err(reason)),
        };
        let size = files.iter().map(|file| file.resource.size).sum();
        self.left = self.left.checked_sub(size).ok_or(SkillsError::TooLarge)?;
        let mut contents = Vec::with_capacity(files.len());
        for file in files {
            let (folder, wanted) = (self.folder.clone(), file.clone());
            let known = blocking(move || Ok(known(&folder, &wanted))).await?;
            let bytes = match known {
                Some(bytes) => Ok(bytes),
                None => client.fetched(service, &file.resource).await?,
            };
            let bytes = match bytes {
                Ok(bytes) => bytes,
                Err(reason) => return Ok(Err(reason)),
            };
            let is_document = file.resource.uri == skill.uri;
            if is_document && frontmatter(&bytes).as_ref() != Some(&skill.frontmatter) {
                return Ok(Err(Refused::Frontmatter));
            }
            contents.push((file.path, bytes));
        }
        let (folder, new) = (self.folder.clone(), self.new.path().to_owned());
        let write = move || write(&new, contents).map_err(|error| SkillsError::io(&folder, error));
        blocking(write).await.map(Ok)
    }

    /// Puts the new folder in the old one's place.
    pub(super) async fn finish(self) -> Result<(), SkillsError> {
        blocking(move || {
            let Self { folder, new, .. } = self;
            check(&folder)?;
            replace(&folder, &new).map_err(|error| SkillsError::io(&folder, error))
        })
        .await
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SkillsError> + Send + 'static,
) -> Result<T, SkillsError> {
    let done = spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(SkillsError::Server(error.to_string())))
}

/// Returns an error unless the folder can be replaced.
fn check(folder: &Path) -> Result<(), SkillsError> {
    let refused = |message| {
        let error = io::Error::new(io::ErrorKind::InvalidInput, message);
        Err(SkillsError::io(folder, error))
    };
    if folder.file_name().is_none() {
        return refused("it does not end with the name of a folder");
    }
    let _folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    if fs::symlink_metadata(folder).is_ok_and(|found| found.is_symlink()) {
        return refused("it is a symbolic link");
    }
    let mark = fs::symlink_metadata(folder.join(MARK));
    let is_free = match fs::read_dir(folder) {
        Ok(mut items) => items.next().is_none() || mark.is_ok_and(|mark| mark.is_file()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(SkillsError::io(folder, error)),
    };
    if is_free {
        return Ok(());
    }
    let folder = folder.to_owned();
    Err(SkillsError::NotEmpty { folder })
}

/// Creates a folder beside another one, so that it can be renamed to it.
fn temporary(folder: &Path) -> io::Result<TempDir> {
    let parent = folder
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    tempfile::Builder::new()
        .prefix(".skills-")
        .tempdir_in(parent)
}

/// Reads a file of the last download. Follows no symbolic link, because it may lead out of the folder.
fn known(folder: &Path, file: &SkillFile) -> Option<Vec<u8>> {
    let mut path = folder.to_owned();
    let mut parts = file.path.iter().peekable();
    while let Some(part) = parts.next() {
        path.push(part);
        let found = fs::symlink_metadata(&path).ok()?;
        let is_expected = match parts.peek() {
            Some(_) => found.is_dir(),
            None => found.is_file() && found.len() == file.resource.size,
        };
        if !is_expected {
            return None;
        }
    }
    let bytes = fs::read(path).ok()?;
    file.resource.verify(&bytes).is_ok().then_some(bytes)
}

/// Writes files into a new folder. No file is written twice.
fn write(folder: &Path, files: Vec<(PathBuf, Vec<u8>)>) -> io::Result<()> {
    for (path, bytes) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        File::create_new(path)?.write_all(&bytes)?;
    }
    Ok(())
}

fn replace(folder: &Path, new: &TempDir) -> io::Result<()> {
    // dropped with its contents
    let spare = temporary(folder)?;
    let old = spare.path().join("old");
    let _folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    let has_old = match fs::rename(folder, &old) {
        Ok(()) => true,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(error),
    };
    let Err(error) = fs::rename(new.path(), folder) else {
        return Ok(());
    };
    // a folder that is there now is the download of another program
    if has_old && fs::rename(&old, folder).is_err() && !folder.exists() {
        let kept = spare.keep().join("old");
        let message = format!("{error}; the old folder is now `{}`", kept.display());
        return Err(io::Error::new(error.kind(), message));
    }
    Err(error)
}
