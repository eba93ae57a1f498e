//! Writes the files of a new crate: all of them, or none.

use crate::commands::new::missing_folders;
use crate::failure::Failure;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file of the crate: its path relative to the crate's folder, and its text.
pub(super) type NewFile = (&'static str, String);

/// Creates the folder and the files.
///
/// # Errors
/// Returns an error if the folder exists, or if a file or folder cannot be written. Removes everything that was already created;
/// if that fails too, the error mentions it.
pub(super) fn write(folder: &Path, files: &[NewFile]) -> Result<(), Failure> {
    if fs::symlink_metadata(folder).is_ok() {
        return Err(exists(folder));
    }
    let missing: Vec<PathBuf> = missing_folders(folder).map(Path::to_owned).collect();
    let mut created = Vec::new();
    let written = create(&missing, &mut created).and_then(|()| write_files(folder, files));
    let Err((path, error)) = written else {
        return Ok(());
    };
    let left = remove(folder, &created);
    if error.kind() == io::ErrorKind::AlreadyExists {
        return Err(exists(&path));
    }
    let path = path.display().to_string();
    Err(match left {
        None => Failure::Write { path, error },
        Some(left) => Failure::LeftBehind {
            path,
            error,
            left: left.display().to_string(),
        },
    })
}

fn exists(path: &Path) -> Failure {
    Failure::Exists(path.display().to_string())
}

type Written = Result<(), (PathBuf, io::Error)>;

fn create(missing: &[PathBuf], created: &mut Vec<PathBuf>) -> Written {
    for folder in missing {
        fs::create_dir(folder).map_err(|error| (folder.clone(), error))?;
        created.push(folder.clone());
    }
    Ok(())
}

fn write_files(folder: &Path, files: &[NewFile]) -> Written {
    for (name, text) in files {
        let path = folder.join(name);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = written.and_then(|()| File::create_new(&path)?.write_all(text.as_bytes()));
        written.map_err(|error| (path, error))?;
    }
    Ok(())
}

/// Removes the crate and the parent folders that were created for it. Returns the first path that could not be removed.
fn remove<'a>(folder: &Path, created: &'a [PathBuf]) -> Option<&'a Path> {
    let mut created = created.iter().rev();
    created.find_map(|path| {
        let removed = if path == folder {
            fs::remove_dir_all(path)
        } else {
            fs::remove_dir(path)
        };
        removed.err().map(|_| &**path)
    })
}
