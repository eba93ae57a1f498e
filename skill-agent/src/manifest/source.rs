//! A place that documents come from.

use super::{Dialect, SkillDoc, Text};
use std::path::{Path, PathBuf};

/// A place that documents come from: embedded ones, or a folder whose folders hold a SKILL.md each.
///
/// Where two sources have a document of one id, that of the higher source counts: `bundled` < `user` < other names, in the
/// order in which they were added < `project` (seed 002), or as [`CatalogBuilder::order`](super::CatalogBuilder::order) says.
///
/// A path may begin with `~/`, the home that the [`Host`](super::Host) has. A folder that is not there is a warning and no
/// documents (seed 003), unless the source is [`required`](Self::required).
///
/// A folder that a program names is trusted: what is in it is offered. One that a program only came across is not; such a
/// source is [`discovered`](Self::discovered).
#[derive(Clone, Debug)]
pub struct Source {
    pub(crate) name: Text,
    pub(crate) place: Place,
    pub(crate) dialect: Option<Dialect>,
    pub(crate) required: bool,
    pub(crate) discovered: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Place {
    Embedded(Vec<&'static SkillDoc>),
    Folder(PathBuf),
}

/// The name of the lowest source.
pub(crate) const BUNDLED: &str = "bundled";
/// The name of the source above it.
pub(crate) const USER: &str = "user";
/// The name of the highest one.
pub(crate) const PROJECT: &str = "project";

impl Source {
    /// Documents that the program embeds, the lowest source. A single one is given as `std::slice::from_ref(&PLAN)`.
    #[must_use]
    pub fn bundled(docs: &'static [SkillDoc]) -> Self {
        Self::embedded(docs.iter().collect())
    }

    /// Embedded documents from several places.
    pub(crate) fn embedded(docs: Vec<&'static SkillDoc>) -> Self {
        Self::new(Text::Borrowed(BUNDLED), Place::Embedded(docs))
    }

    /// A folder of the user.
    pub fn user(path: impl Into<PathBuf>) -> Self {
        Self::named(USER, path)
    }

    /// The folder of the user at its usual place, `~/.agent/skills` (seed 002).
    #[must_use]
    pub fn user_home() -> Self {
        Self::user("~/.agent/skills")
    }

    /// A folder of the project, the highest source.
    pub fn project(path: impl Into<PathBuf>) -> Self {
        Self::named(PROJECT, path)
    }

    /// The folder of a project at its usual place, `.agent/skills` below the project's (seed 002).
    pub fn project_home(project: impl Into<PathBuf>) -> Self {
        Self::project(project.into().join(".agent/skills"))
    }

    /// A folder with another name, as `claude` for `.claude/skills`. The names `bundled`, `user` and `project` give it their
    /// place in the order.
    pub fn named(name: impl Into<Text>, path: impl Into<PathBuf>) -> Self {
        Self::new(name.into(), Place::Folder(path.into()))
    }

    fn new(name: Text, place: Place) -> Self {
        Self {
            name,
            place,
            dialect: None,
            required: false,
            discovered: false,
        }
    }

    /// The dialect of its documents, where it is not the catalog's. Embedded documents have been checked already.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }

    /// A folder that must be there: without it, [`try_load`](super::CatalogBuilder::try_load) fails, and
    /// [`load`](super::CatalogBuilder::load) has an error among its diagnostics.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// A folder that the program came across: its documents are listed, and not offered until somebody trusts them, each by
    /// what it and the files that it brings hold. That the folder is not there is worth no warning.
    #[must_use]
    pub fn discovered(mut self) -> Self {
        self.discovered = true;
        self
    }

    /// A folder whose documents are offered, as of a program that has asked its user.
    #[must_use]
    pub fn trusted(mut self) -> Self {
        self.discovered = false;
        self
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its folder as it was given, perhaps with `~/`; `None` for embedded documents.
    ///
    /// ```
    /// use skill_agent::manifest::Source;
    /// use std::path::Path;
    ///
    /// assert_eq!(Source::user_home().path(), Some(Path::new("~/.agent/skills")));
    /// assert_eq!(Source::bundled(&[]).path(), None);
    /// ```
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::Embedded(_) => None,
            Place::Folder(path) => Some(path),
        }
    }
}
