//! The places that documents come from.

use crate::{Dialect, DocText, SkillDoc};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A place that documents come from: embedded documents, or a folder whose subfolders each contain a SKILL.md.
///
/// If several sources have a document with the same id, the source with the highest precedence wins. By default, `bundled` has
/// the lowest precedence, followed by `user`, by other names in the order in which they were added, and by `project`.
/// [`CatalogBuilder::order`](crate::CatalogBuilder::order) sets a different order.
///
/// A path may start with `~/`, which stands for the home folder of the [`Host`](crate::Host). A missing folder causes a warning,
/// or an error if the source is [`required`](Self::required).
///
/// A folder that you name yourself is trusted, and its documents are offered. If your program finds a folder, mark the source as
/// [`discovered`](Self::discovered).
#[derive(Clone, Debug)]
pub struct Source {
    pub(crate) name: DocText,
    pub(crate) origin: SourceOrigin,
    pub(crate) dialect: Option<Dialect>,
    pub(crate) required: bool,
    pub(crate) discovered: bool,
    pub(crate) follow_links: bool,
    /// The name of the only subfolder to read.
    pub(crate) only: Option<OsString>,
}

#[derive(Clone, Debug)]
pub(crate) enum SourceOrigin {
    Embedded(Vec<&'static SkillDoc>),
    Folder(PathBuf),
}

/// The name of the source with the lowest precedence.
pub(crate) const BUNDLED: &str = "bundled";
/// The name of the source with the next higher precedence after [`BUNDLED`].
pub(crate) const USER: &str = "user";
/// The name of the source with the highest precedence.
pub(crate) const PROJECT: &str = "project";

impl Source {
    /// Creates the source with the lowest precedence from embedded documents. To pass a single document, write
    /// `std::slice::from_ref(&PLAN)`.
    #[must_use]
    pub fn bundled(docs: &'static [SkillDoc]) -> Self {
        Self::embedded(docs.iter().collect())
    }

    /// Creates a source for documents embedded in several places of the program. It has the lowest precedence.
    pub(crate) fn embedded(docs: Vec<&'static SkillDoc>) -> Self {
        Self::of(DocText::Borrowed(BUNDLED), SourceOrigin::Embedded(docs))
    }

    /// Creates a source for a user's folder.
    pub fn user(path: impl Into<PathBuf>) -> Self {
        Self::named(USER, path)
    }

    /// Creates a source for the user's standard folder, `~/.agent/skills`.
    #[must_use]
    pub fn user_home() -> Self {
        Self::user("~/.agent/skills")
    }

    /// Creates the source with the highest precedence, for a project's folder.
    pub fn project(path: impl Into<PathBuf>) -> Self {
        Self::named(PROJECT, path)
    }

    /// Creates a source for a project's standard folder, `.agent/skills` in `project`.
    pub fn project_home(project: impl Into<PathBuf>) -> Self {
        Self::project(project.into().join(".agent/skills"))
    }

    /// Creates a source with any name, such as `claude` for `.claude/skills`. A source named `bundled`, `user` or `project` has
    /// the precedence of that name.
    pub fn named(name: impl Into<DocText>, path: impl Into<PathBuf>) -> Self {
        Self::of(name.into(), SourceOrigin::Folder(path.into()))
    }

    /// Creates a source. Not called `new`, because rustc would suggest it instead of the public constructors.
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

    /// Sets the documents' dialect. The default is the catalog's dialect. Has no effect on embedded documents, because they have
    /// already been checked.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }

    /// Requires the folder to exist. If it is missing, [`try_load`](crate::CatalogBuilder::try_load) fails, and
    /// [`load`](crate::CatalogBuilder::load) reports an error among its diagnostics.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Marks the folder as found by your program. Its documents are listed, but are not offered until the user trusts each one by
    /// the hash of the document and its bundled files. A missing folder does not cause a warning.
    #[must_use]
    pub fn discovered(mut self) -> Self {
        self.discovered = true;
        self
    }

    /// Trusts the folder's documents. Ask the user before you call this method.
    #[must_use]
    pub fn trusted(mut self) -> Self {
        self.discovered = false;
        self
    }

    /// Follows symbolic links to folders, even to folders outside the source's folder. Installers often put each skill into one
    /// place and link to it from the folders of all agents. A linked document has the files of the link's target. Links within a
    /// document's folder and links named `SKILL.md` are never followed. This setting has no effect on a
    /// [`discovered`](Self::discovered) source, which follows only the links that its dialect allows:
    /// [`AGENT_SKILLS_LENIENT`](Dialect::AGENT_SKILLS_LENIENT) allows links to folders within the source's folder.
    ///
    /// `Catalog::watch` notices changes behind links out of a source's folder only if every folder source of the catalog has this
    /// setting and none is discovered, because all sources share one watcher. Otherwise, `reload` picks up such changes.
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

    /// Limits the source to one subfolder, as the command-line program `skills` does for the path of a single skill.
    #[doc(hidden)]
    #[must_use]
    pub fn only(mut self, subfolder: impl Into<OsString>) -> Self {
        self.only = Some(subfolder.into());
        self
    }

    /// Returns the source's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the folder as it was passed, possibly with `~/`, or `None` for embedded documents.
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
