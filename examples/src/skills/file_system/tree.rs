//! The tree of files and directories, and lookups in it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A file or a directory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Node {
    /// A directory.
    Directory(Directory),
    /// A file.
    File(File),
}

/// A directory. Its contents are in creation order, which is the order of `ls`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Directory {
    /// The name of the directory.
    pub name: String,
    /// The contents; no two have the same name.
    pub contents: Vec<Node>,
}

/// A text file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct File {
    /// The name of the file.
    pub name: String,
    /// The text of the file.
    pub content: String,
}

impl Node {
    /// Returns the name of the file or directory.
    pub fn name(&self) -> &str {
        match self {
            Self::Directory(directory) => &directory.name,
            Self::File(file) => &file.name,
        }
    }

    /// Renames the file or directory.
    pub fn rename(&mut self, name: impl Into<String>) {
        match self {
            Self::Directory(directory) => directory.name = name.into(),
            Self::File(file) => file.name = name.into(),
        }
    }

    /// Returns the number of bytes of text in the file, or in all files of the directory.
    pub fn size(&self) -> usize {
        match self {
            Self::Directory(directory) => directory.size(),
            Self::File(file) => file.content.len(),
        }
    }
}

impl Directory {
    /// Creates an empty directory.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            contents: Vec::new(),
        }
    }

    /// Returns the node with this name.
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.contents.iter().find(|node| node.name() == name)
    }

    /// Returns the node with this name, mutably.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Node> {
        self.contents.iter_mut().find(|node| node.name() == name)
    }

    /// Returns whether there is a node with this name.
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns the directory with this name, or `None` for a file.
    pub fn directory(&self, name: &str) -> Option<&Directory> {
        match self.get(name) {
            Some(Node::Directory(directory)) => Some(directory),
            _ => None,
        }
    }

    /// Returns the directory with this name, mutably, or `None` for a file.
    pub fn directory_mut(&mut self, name: &str) -> Option<&mut Directory> {
        match self.get_mut(name) {
            Some(Node::Directory(directory)) => Some(directory),
            _ => None,
        }
    }

    /// Returns the file with this name, or `None` for a directory.
    pub fn file(&self, name: &str) -> Option<&File> {
        match self.get(name) {
            Some(Node::File(file)) => Some(file),
            _ => None,
        }
    }

    /// Removes the node with this name.
    pub fn remove(&mut self, name: &str) {
        self.contents.retain(|node| node.name() != name);
    }

    /// Returns the number of bytes of text in all files below.
    pub fn size(&self) -> usize {
        self.contents.iter().map(Node::size).sum()
    }
}
