//! The conditions for offering a document.

use super::DocTextList;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// The operating systems, environment variables and programs that a document needs to be offered.
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Eligibility {
    /// The operating systems, spelled exactly: `darwin` or `macos`, `linux`, `win32` or `windows`. An empty list allows all
    /// systems.
    pub os: DocTextList,
    /// The environment variables that must be set and not empty.
    pub env: DocTextList,
    /// The programs that must be on `PATH`.
    pub binaries: DocTextList,
}

/// The machine that eligibility is checked against. This crate does not inspect the machine. The caller provides the answers.
pub trait Host {
    /// Returns the operating system, named as in [`std::env::consts::OS`].
    fn os(&self) -> &str;
    /// Returns whether an environment variable is set and not empty.
    fn has_env(&self, name: &str) -> bool;
    /// Returns whether a program is on `PATH`.
    fn has_binary(&self, name: &str) -> bool;
    /// Returns the user's home folder, for paths that begin with `~/`.
    fn home(&self) -> Option<PathBuf> {
        None
    }
}

/// A condition that the host does not meet.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UnmetCondition {
    /// The document is for other operating systems.
    Os {
        /// The host's operating system.
        host: String,
        /// The operating systems that the document supports.
        allowed: Vec<String>,
    },
    /// An environment variable is unset or empty.
    Env(String),
    /// A program is not on `PATH`.
    Binary(String),
}

impl fmt::Display for UnmetCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Os { host, allowed } => {
                write!(
                    f,
                    "it is for `{}`, and this is `{host}`",
                    allowed.join("`, `")
                )
            }
            Self::Env(name) => write!(f, "the environment variable `{name}` is not set"),
            Self::Binary(name) => write!(f, "the program `{name}` is not on `PATH`"),
        }
    }
}

impl Eligibility {
    /// Returns all conditions that a host does not meet. The list is empty if the document is eligible.
    #[must_use]
    pub fn unmet(&self, host: &(impl Host + ?Sized)) -> Vec<UnmetCondition> {
        let mut unmet = Vec::new();
        let this = system(host.os());
        if !self.os.is_empty()
            && !self
                .os
                .iter()
                .any(|name| this.is_some() && system(name) == this)
        {
            let allowed = self.os.iter().map(|name| name.to_string()).collect();
            let host = host.os().to_owned();
            unmet.push(UnmetCondition::Os { host, allowed });
        }
        let env = self.env.iter().filter(|name| !host.has_env(name));
        unmet.extend(env.map(|name| UnmetCondition::Env(name.to_string())));
        let binaries = self.binaries.iter().filter(|name| !host.has_binary(name));
        unmet.extend(binaries.map(|name| UnmetCondition::Binary(name.to_string())));
        unmet
    }
}

/// Returns the canonical name of an operating system.
pub(crate) fn system(name: &str) -> Option<&'static str> {
    match name {
        "darwin" | "macos" => Some("macos"),
        "linux" => Some("linux"),
        "win32" | "windows" => Some("windows"),
        _ => None,
    }
}
