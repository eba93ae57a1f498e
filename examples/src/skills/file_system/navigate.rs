//! Actions that change and list the current directory.

use super::{Directory, FileSystem, FileSystemError, Node, Reason};
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;

/// The path of the current directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WorkingDirectory {
    /// The full path.
    pub current_working_directory: String,
}

/// Return the full path of the current directory.
#[action]
pub fn pwd(fs: &FileSystem) -> WorkingDirectory {
    let names: Vec<&str> = std::iter::once(&fs.root.name)
        .chain(&fs.cwd)
        .map(String::as_str)
        .collect();
    WorkingDirectory {
        current_working_directory: format!("/{}", names.join("/")),
    }
}

/// The contents of a directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Listing {
    /// The names of the files and directories.
    pub current_directory_content: Vec<String>,
}

/// List the files and directories in the current directory.
#[action]
pub fn ls(
    fs: &FileSystem,
    /// Include names that start with a dot.
    #[arg(default = false)]
    a: bool,
) -> Result<Listing, FileSystemError> {
    let names = fs.current()?.contents.iter().map(Node::name);
    Ok(Listing {
        current_directory_content: names
            .filter(|name| a || !name.starts_with('.'))
            .map(str::to_owned)
            .collect(),
    })
}

/// The directory that was entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EnteredDirectory {
    /// The name of the directory. Omitted after `cd ..`; use `pwd` then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_working_directory: Option<String>,
}

/// Change the current directory, one level at a time.
#[action]
pub fn cd(
    fs: &mut FileSystem,
    /// Name of a directory in the current directory, `..` for the parent directory, or `/` for the root directory.
    folder: String,
) -> Result<EnteredDirectory, FileSystemError> {
    let folder = match folder.trim_end_matches('/') {
        "" => "/",
        name => name,
    };
    match folder {
        ".." => {
            fs.cwd.pop().ok_or(FileSystemError::AlreadyAtRoot)?;
            return Ok(EnteredDirectory {
                current_working_directory: None,
            });
        }
        "/" => fs.cwd.clear(),
        "." => {}
        _ if folder.contains('/') => {
            return Err(FileSystemError::NestedPath {
                folder: folder.to_owned(),
            });
        }
        _ if fs.current()?.directory(folder).is_some() => fs.cwd.push(folder.to_owned()),
        _ => {
            return Err(FileSystemError::refused(
                format!("cd: '{folder}'"),
                Reason::NotFound,
            ));
        }
    }
    Ok(EnteredDirectory {
        current_working_directory: Some(fs.current()?.name.clone()),
    })
}

/// The paths found by a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Found {
    /// Paths that start with the searched path.
    pub matches: Vec<String>,
}

/// Search a directory and all its subdirectories by name.
#[action]
pub fn find(
    fs: &FileSystem,
    /// Where to start: a relative path, or a path from the root directory if it starts with `/`.
    #[arg(default = String::from("."))]
    path: String,
    /// Part of the name to search for. If omitted, everything matches.
    name: Option<String>,
) -> Result<Found, FileSystemError> {
    let start = locate(fs, &path)?
        .ok_or_else(|| FileSystemError::refused(format!("find: '{path}'"), Reason::NotFound))?;
    let mut matches = Vec::new();
    search(
        start,
        path.trim_end_matches('/'),
        name.as_deref().unwrap_or_default(),
        &mut matches,
    );
    Ok(Found { matches })
}

/// Resolves a path of any depth.
fn locate<'a>(fs: &'a FileSystem, path: &str) -> Result<Option<&'a Directory>, FileSystemError> {
    if path == "/" {
        return Ok(Some(&fs.root));
    }
    let start = if path.starts_with('/') {
        &fs.root
    } else {
        fs.current()?
    };
    let mut names = path.trim_matches('/').split('/');
    Ok(names.try_fold(start, |directory, name| match name {
        "." => Some(directory),
        _ => directory.directory(name),
    }))
}

/// Adds the paths below `directory` whose last name contains `name`. A directory comes before its contents.
fn search(directory: &Directory, path: &str, name: &str, matches: &mut Vec<String>) {
    for node in &directory.contents {
        let path = format!("{path}/{}", node.name());
        if node.name().contains(name) {
            matches.push(path.clone());
        }
        if let Node::Directory(directory) = node {
            search(directory, &path, name, matches);
        }
    }
}

/// The size of stored text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DiskUsage {
    /// The size with its unit.
    pub disk_usage: String,
}

/// Return the size of all text in the current directory and its subdirectories.
#[action]
pub fn du(
    fs: &FileSystem,
    /// Use the largest fitting unit (KB, MB, …) instead of bytes.
    #[arg(default = false)]
    human_readable: bool,
) -> Result<DiskUsage, FileSystemError> {
    let bytes = fs.current()?.size();
    Ok(DiskUsage {
        disk_usage: if human_readable {
            in_largest_unit(bytes)
        } else {
            format!("{bytes} bytes")
        },
    })
}

fn in_largest_unit(bytes: usize) -> String {
    let mut size = bytes as f64;
    for unit in ["B", "KB", "MB", "GB", "TB"] {
        if size < 1024.0 {
            return format!("{size:.2} {unit}");
        }
        size /= 1024.0;
    }
    format!("{size:.2} PB")
}
