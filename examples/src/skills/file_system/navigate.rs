//! Actions that change and list the current directory.

use super::{Directory, FileSystem, FileSystemError, Node, Reason};
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;

/// The path of the current directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WorkingDirectory {
    /// Full path of the current directory.
    pub current_working_directory: String,
}

/// Tell the full path of the directory you are in.
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
    /// Names of its files and directories.
    pub current_directory_content: Vec<String>,
}

/// Name the files and directories in the directory you are in.
#[action]
pub fn ls(
    fs: &FileSystem,
    /// Also name those that begin with a dot.
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
    /// Its name. Left out after `cd ..`, where `pwd` tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_working_directory: Option<String>,
}

/// Enter another directory, one level at a time.
#[action]
pub fn cd(
    fs: &mut FileSystem,
    /// Name of a directory here, `..` for the one above, or `/` for the topmost.
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
    /// Paths that begin with the path that was searched.
    pub matches: Vec<String>,
}

/// Search a directory and all directories below it by name.
#[action]
pub fn find(
    fs: &FileSystem,
    /// Where to begin: a path from here, or from the topmost directory if it begins with `/`.
    #[arg(default = String::from("."))]
    path: String,
    /// Part of the name to look for. Without it everything is found.
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

/// Follows a path of any depth.
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

/// Adds the paths below `directory` whose last name contains `name`, a directory before its contents.
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

/// The amount of stored text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DiskUsage {
    /// A number with its unit.
    pub disk_usage: String,
}

/// Tell how much text the directory you are in holds, directories below it included.
#[action]
pub fn du(
    fs: &FileSystem,
    /// Use the largest fitting unit (KB, MB, …) in place of bytes.
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
