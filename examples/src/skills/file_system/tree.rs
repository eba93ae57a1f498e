//! The tree of files and directories, with the lookups that the actions need.

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

/// A directory. Its contents are in the order of their creation, which is the order of `ls`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Directory {
    /// Its name.
    pub name: String,
    /// The contents; no two have the same name.
    pub contents: Vec<Node>,
}

/// A file of text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its text.
    pub content: String,
}

impl Node {
    /// The name of the file or directory.
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

    /// Bytes of text in the file, or in all files of the directory.
    pub fn size(&self) -> usize {
        match self {
            Self::Directory(directory) => directory.size(),
            Self::File(file) => file.content.len(),
        }
    }
}

impl Directory {
    /// An empty directory.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            contents: Vec::new(),
        }
    }

    /// Returns the node of this name.
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.contents.iter().find(|node| node.name() == name)
    }

    /// Returns the node of this name for changes.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Node> {
        self.contents.iter_mut().find(|node| node.name() == name)
    }

    /// Whether a node has this name.
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns the directory of this name; `None` for a file.
    pub fn directory(&self, name: &str) -> Option<&Directory> {
        match self.get(name) {
            Some(Node::Directory(directory)) => Some(directory),
            _ => None,
        }
    }

    /// Returns the directory of this name for changes; `None` for a file.
    pub fn directory_mut(&mut self, name: &str) -> Option<&mut Directory> {
        match self.get_mut(name) {
            Some(Node::Directory(directory)) => Some(directory),
            _ => None,
        }
    }

    /// Returns the file of this name; `None` for a directory.
    pub fn file(&self, name: &str) -> Option<&File> {
        match self.get(name) {
            Some(Node::File(file)) => Some(file),
            _ => None,
        }
    }

    /// Removes the node of this name.
    pub fn remove(&mut self, name: &str) {
        self.contents.retain(|node| node.name() != name);
    }

    /// Bytes of text in all files below.
    pub fn size(&self) -> usize {
        self.contents.iter().map(Node::size).sum()
    }
}
