//! The tree that the file system holds: plain data, and the few lookups that every action needs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something with a name in a directory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Node {
    /// A directory.
    Directory(Directory),
    /// A file.
    File(File),
}

/// A directory. Its contents keep the order in which they came, which is the order `ls` shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Directory {
    /// Its name.
    pub name: String,
    /// What is in it; no two have the same name.
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

    /// Gives the file or directory another name.
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

    /// What has this name here.
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.contents.iter().find(|node| node.name() == name)
    }

    /// What has this name here, to change it.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Node> {
        self.contents.iter_mut().find(|node| node.name() == name)
    }

    /// Whether something has this name here.
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The directory of this name here, if it is one.
    pub fn directory(&self, name: &str) -> Option<&Directory> {
        match self.get(name) {
            Some(Node::Directory(directory)) => Some(directory),
            _ => None,
        }
    }

    /// The directory of this name here, if it is one, to change it.
    pub fn directory_mut(&mut self, name: &str) -> Option<&mut Directory> {
        match self.get_mut(name) {
            Some(Node::Directory(directory)) => Some(directory),
            _ => None,
        }
    }

    /// The file of this name here, if it is one.
    pub fn file(&self, name: &str) -> Option<&File> {
        match self.get(name) {
            Some(Node::File(file)) => Some(file),
            _ => None,
        }
    }

    /// Removes what has this name here.
    pub fn remove(&mut self, name: &str) {
        self.contents.retain(|node| node.name() != name);
    }

    /// Bytes of text in all files below.
    pub fn size(&self) -> usize {
        self.contents.iter().map(Node::size).sum()
    }
}
