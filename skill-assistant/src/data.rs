//! The folder with the person's data.

use crate::Failure;
use rustix::process::{Pid, test_kill_process};
use rustix::rand::{GetRandomFlags, getrandom};
use skill_agent::store::{Redb, StoreError};
use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process;

/// Only the person reads the folder.
const FOLDER_MODE: u32 = 0o700;
/// Only the person reads the secret and the store.
const FILE_MODE: u32 = 0o600;

/// The folder, opened by this process.
pub(crate) struct Data {
    pub(crate) store: Redb,
    /// The secret that seals calls that wait for an approval.
    pub(crate) secret: Vec<u8>,
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
        let mut builder = DirBuilder::new();
        builder.recursive(true).mode(FOLDER_MODE);
        builder.create(&folder).map_err(at)?;
        let folder = fs::canonicalize(&folder).map_err(at)?;
        let at = |error| Failure::folder(&folder, error);
        let holder = holder(&folder);
        let file = folder.join("assistant.redb");
        let store = match Redb::open(&file) {
            Ok(store) => store,
            Err(StoreError::InUse { .. }) => {
                let process = running_process(&holder);
                return Err(Failure::InUse { folder, process });
            }
            Err(error) => return Err(error.into()),
        };
        // the folder may have been there before, with other rights
        let rights = Permissions::from_mode(FILE_MODE);
        fs::set_permissions(&file, rights).map_err(at)?;
        fs::write(holder, process::id().to_string()).map_err(at)?;
        let secret = secret(&folder).map_err(at)?;
        Ok(Self {
            store,
            secret,
            folder,
        })
    }

    /// Returns the file with the lines that the person typed.
    pub(crate) fn lines(&self) -> PathBuf {
        self.folder.join("lines")
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        // the number means nothing without its process
        let _ = fs::remove_file(holder(&self.folder));
    }
}

/// Returns the file with the number of the process that has the folder open.
fn holder(folder: &Path) -> PathBuf {
    folder.join("process")
}

/// Returns the number in a file, if it is the number of a running process.
fn running_process(holder: &Path) -> Option<i32> {
    let number = fs::read_to_string(holder).ok()?.parse().ok()?;
    test_kill_process(Pid::from_raw(number)?).ok()?;
    Some(number)
}

/// Reads the secret, or makes one.
fn secret(folder: &Path) -> io::Result<Vec<u8>> {
    let file = folder.join("secret");
    match fs::read(&file) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        secret => return secret,
    }
    let secret = random_secret()?;
    let mut options = OpenOptions::new();
    let mut new = options
        .write(true)
        .create_new(true)
        .mode(FILE_MODE)
        .open(&file)?;
    new.write_all(&secret)?;
    Ok(secret)
}

/// Draws a secret.
pub(crate) fn random_secret() -> io::Result<Vec<u8>> {
    let mut secret = vec![0; 32];
    getrandom(&mut secret, GetRandomFlags::empty())?;
    Ok(secret)
}

fn default_folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    let data = variable("XDG_DATA_HOME").and_then(absolute);
    let home = || variable("HOME").and_then(absolute);
    let data = data.or_else(|| Some(home()?.join(".local/share")));
    data.map(|data| data.join("skill-assistant"))
}
