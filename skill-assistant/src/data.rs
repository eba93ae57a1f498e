//! The folder with the person's data.

use crate::Failure;
use skill_agent::store::{Redb, StoreError};
use std::fs::{self, DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process;

/// Only the person reads it.
const MODE: u32 = 0o700;

/// The folder, opened by this process.
pub(crate) struct Data {
    pub(crate) store: Redb,
    folder: PathBuf,
}

impl Data {
    /// Opens the folder, and creates it if it does not exist.
    pub(crate) fn open(folder: Option<PathBuf>) -> Result<Self, Failure> {
        let folder = match folder {
            Some(folder) => folder,
            None => default_folder().ok_or(Failure::NoHome)?,
        };
        let at = |error| Failure::folder(&folder, error);
        DirBuilder::new()
            .recursive(true)
            .mode(MODE)
            .create(&folder)
            .map_err(at)?;
        fs::set_permissions(&folder, Permissions::from_mode(MODE)).map_err(at)?;
        let holder = folder.join("process");
        let store = match Redb::open(folder.join("assistant.redb")) {
            Ok(store) => store,
            Err(StoreError::InUse { .. }) => {
                let process = fs::read_to_string(holder).unwrap_or_default();
                return Err(Failure::InUse { folder, process });
            }
            Err(error) => return Err(error.into()),
        };
        fs::write(holder, process::id().to_string()).map_err(at)?;
        Ok(Self { store, folder })
    }

    /// Returns the file with the lines that the person typed.
    pub(crate) fn lines(&self) -> PathBuf {
        self.folder.join("lines")
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

fn default_folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    let data = variable("XDG_DATA_HOME").and_then(absolute);
    let data = data.or_else(|| {
        variable("HOME")
            .and_then(absolute)
            .map(|home| home.join(".local/share"))
    });
    data.map(|data| data.join("skill-assistant"))
}
