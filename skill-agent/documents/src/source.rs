//! The origin of documents.

use super::{Dialect, DocText, SkillDoc};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// An origin of documents: embedded documents, or a folder whose subfolders contain a SKILL.md each.
///
/// If two sources have a document with the same id, the one of the higher source counts: `bundled` < `user` < other names, in
/// the order in which they were added < `project`, unless [`CatalogBuilder::order`](super::CatalogBuilder::order) sets another
/// order.
///
/// A path may begin with `~/`, the home folder of the [`Host`](super::Host). A missing folder is a warning, and an error if the
/// source is [`required`](Self::required).
///
/// A folder that the program names is trusted: its documents are offered. Mark a folder that the program merely came across as
/// [`discovered`](Self::discovered).
#[derive(Clone, Debug)]
pub struct Source {
    pub(crate) name: DocText,
    pub(crate) origin: SourceOrigin,
    pub(crate) dialect: Option<Dialect>,
    pub(crate) required: bool,
    pub(crate) discovered: bool,
    pub(crate) follow_links: bool,
    /// The only subfolder that is read.
    pub(crate) only: Option<OsString>,
}

#[derive(Clone, Debug)]
pub(crate) enum SourceOrigin {
    Embedded(Vec<&'static SkillDoc>),
    Folder(PathBuf),
}

/// The name of the lowest source.
pub(crate) const BUNDLED: &str = "bundled";
/// The name of the source above [`BUNDLED`].
pub(crate) const USER: &str = "user";
/// The name of the highest source.
pub(crate) const PROJECT: &str = "project";

impl Source {
    /// Documents that the program embeds; the lowest source. Pass a single one as `std::slice::from_ref(&PLAN)`.
    #[must_use]
    pub fn bundled(docs: &'static [SkillDoc]) -> Self {
        Self::embedded(docs.iter().collect())
    }

    /// Embedded documents from several places.
    pub(crate) fn embedded(docs: Vec<&'static SkillDoc>) -> Self {
        Self::of(DocText::Borrowed(BUNDLED), SourceOrigin::Embedded(docs))
    }

    /// A folder of the user.
    pub fn user(path: impl Into<PathBuf>) -> Self {
        Self::named(USER, path)
    }

    /// The standard folder of the user, `~/.agent/skills`.
    #[must_use]
    pub fn user_home() -> Self {
        Self::user("~/.agent/skills")
    }

    /// A folder of the project; the highest source.
    pub fn project(path: impl Into<PathBuf>) -> Self {
        Self::named(PROJECT, path)
    }

    /// The standard folder of a project, `.agent/skills` in the project's folder.
    pub fn project_home(project: impl Into<PathBuf>) -> Self {
        Self::project(project.into().join(".agent/skills"))
    }

    /// A folder with another name, such as `claude` for `.claude/skills`. The names `bundled`, `user` and `project` give it the
    /// precedence of those sources.
    pub fn named(name: impl Into<DocText>, path: impl Into<PathBuf>) -> Self {
        Self::of(name.into(), SourceOrigin::Folder(path.into()))
    }

    /// Not `new`: rustc would show it instead of the functions that make a source.
    fn of(name: DocText, origin: SourceOrigin) -> Self {
        Self {
            name,
            origin,
            dialect: None,
            required: false,
            discovered: false,
            follow_links: false,
            only: None,
        }
    }

    /// Sets the dialect of its documents; the default is the catalog's. Embedded documents have been checked already.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }

    /// Requires the folder to exist: without it, [`try_load`](super::CatalogBuilder::try_load) fails, and
    /// [`load`](super::CatalogBuilder::load) has an error among its diagnostics.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Marks a folder that the program came across: its documents are listed, but not offered until the user trusts them, each
    /// by the hash of the document and its bundled files. A missing folder is not a warning.
    #[must_use]
    pub fn discovered(mut self) -> Self {
        self.discovered = true;
        self
    }

    /// Trusts the documents of the folder, for a program that has asked its user.
    #[must_use]
    pub fn trusted(mut self) -> Self {
        self.discovered = false;
        self
    }

    /// Follows symbolic links to folders, also out of the folder of the source: installers put each skill into one place and link
    /// it from the folders of all agents. Such a document has the files of its target. Links within the folder of a
    /// document, and a `SKILL.md` that is a link, are not followed. A [`discovered`](Self::discovered) source follows no link.
    ///
    /// `Catalog::watch` sees changes behind links only if every source of the catalog that has a folder follows links,
    /// since all of them share one watcher. Otherwise `reload` reads such a change.
    ///
    /// ```
    /// use skill_agent::manifest::Source;
    ///
    /// let source = Source::project_home(".").follow_links();
    /// # assert_eq!(source.name(), "project");
    /// ```
    #[must_use]
    pub fn follow_links(mut self) -> Self {
        self.follow_links = true;
        self
    }

    /// Limits the source to one subfolder, for the program `skills`, which takes the path of a single skill.
    #[doc(hidden)]
    #[must_use]
    pub fn only(mut self, subfolder: impl Into<OsString>) -> Self {
        self.only = Some(subfolder.into());
        self
    }

    /// Returns the name of the source.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the folder as it was given, possibly with `~/`; `None` for embedded documents.
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
        match &self.origin {
            SourceOrigin::Embedded(_) => None,
            SourceOrigin::Folder(path) => Some(path),
        }
    }
}
