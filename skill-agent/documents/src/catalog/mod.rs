//! A catalog: documents from several sources, found, checked and offered.

mod activate;
mod builder;
pub(crate) mod bundled_files;
mod choices;
mod entry;
pub(crate) mod events;
mod files;
pub(crate) mod load;
mod select;
pub(crate) mod settings;
mod snapshot;
pub(crate) mod tools;
pub(crate) mod walk;

use files::Audience;
pub(crate) use files::document_and_file;

pub use activate::ActivateDocumentError;
pub use builder::CatalogBuilder;
pub use choices::CatalogChoices;
pub use entry::CatalogEntry;
pub(crate) use events::{emit, reports_warnings};
pub use select::{SelectionText, full_text_element};
pub(crate) use settings::CatalogSettings;
pub use snapshot::CatalogChanges;
pub(crate) use snapshot::CatalogSnapshot;
pub(crate) use tools::allowed::{allows, no_allowed_tools};
pub(crate) use tools::toolset_index::ToolsetIndex;

use super::{
    ContentHash, Diagnostic, Dialect, DocText, DocumentReadError, EnableError, SkillDoc, TrustError,
};
use skill_core::__private::nearest;
use std::sync::Arc;

/// The documents from several sources: the documents that are offered, and a diagnostic for each document that is not.
///
/// A catalog is a value: its clones share the loaded data, but changing a catalog takes `&mut self` and does not affect its
/// clones. The same folders always result in the same catalog, with the same diagnostics in the same order.
///
/// A catalog keeps only metadata in memory and reads bodies on request. If a body has been edited, you get the current text. In a
/// [`discovered`](super::Source::discovered) source, an edited body is an error, because a person trusted the earlier version.
///
/// ```
/// use skill_agent::manifest::{Catalog, Dialect, Source};
///
/// # let folder = tempfile::tempdir()?;
/// # std::fs::create_dir_all(folder.path().join("plan"))?;
/// # std::fs::write(folder.path().join("plan/SKILL.md"), "# Plan\nThink first.\n")?;
/// # let path = folder.path();
/// let mut catalog = Catalog::builder(Dialect::LILY)
///     .source(Source::project(path)) // path/plan/SKILL.md
///     .load();
/// let ids: Vec<&str> = catalog.skills().map(|entry| &*entry.id).collect();
/// assert_eq!(ids, ["plan"]);
/// assert_eq!(catalog.read("plan")?.body, "# Plan\nThink first.");
///
/// std::fs::write(path.join("plan/SKILL.md"), "# Plan\nAct first.\n")?;
/// assert_eq!(catalog.read("plan")?.body, "# Plan\nAct first.");
/// assert_eq!(catalog.reload().changed, ["plan"]); // its metadata may have changed, too
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Catalog {
    pub(crate) settings: Arc<CatalogSettings>,
    pub(crate) snapshot: Arc<CatalogSnapshot>,
}

impl Catalog {
    /// Creates a builder. `dialect` applies to sources that do not set their own dialect.
    pub fn builder(dialect: Dialect) -> CatalogBuilder {
        CatalogBuilder::new(dialect)
    }

    /// Returns the offered documents, sorted by id.
    pub fn skills(&self) -> impl Iterator<Item = &CatalogEntry> {
        self.snapshot.offered()
    }

    /// Returns an offered document. Ids are compared exactly.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&CatalogEntry> {
        self.snapshot.of_id(id).iter().find(|entry| entry.trusted)
    }

    /// Returns the offered and the untrusted documents, sorted by id, for a person to review. Several entries may have the same
    /// id.
    pub fn listed(&self) -> impl Iterator<Item = &CatalogEntry> {
        self.snapshot.entries.iter()
    }

    /// Returns the problems with sources and documents, and the reasons why documents are left out. The problems found while
    /// reading come first, sorted by source; the problems of each check follow.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.snapshot.diagnostics
    }

    /// Reads the current version of a document with its body. Which documents are offered, and their metadata, changes only with
    /// the next [`reload`](Self::reload).
    ///
    /// # Errors
    /// Returns an error if the document is not offered, or if its file was removed or cannot be read. Also returns an error if an
    /// edit made the file invalid in its dialect or changed its id. In a [`discovered`](super::Source::discovered) source, fails
    /// after any edit.
    pub fn read(&self, id: &str) -> Result<SkillDoc, DocumentReadError> {
        files::document(&self.settings, self.entry(id)?)
    }

    /// Reads a listed document with its body, even if it is not trusted, so that a person can decide. In a
    /// [`discovered`](super::Source::discovered) source, the document matches the hash in the [`CatalogEntry`], so a person who
    /// trusts that hash trusts exactly this text.
    ///
    /// ```
    /// use skill_agent::manifest::{Catalog, Dialect, Source};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path();
    /// # std::fs::create_dir_all(path.join("plan"))?;
    /// # std::fs::write(path.join("plan/SKILL.md"), "# Plan\n")?;
    /// let mut catalog = Catalog::builder(Dialect::LILY)
    ///     .source(Source::project(path).discovered()) // path/plan/SKILL.md
    ///     .load();
    /// assert!(catalog.read("plan").is_err()); // it is not trusted
    /// let entry = catalog.listed().next().ok_or("it is listed")?.clone();
    /// assert_eq!(catalog.read_listed(&entry)?.body, "# Plan");
    /// catalog.trust(&entry.id, entry.hash)?;
    /// assert_eq!(catalog.read("plan")?.body, "# Plan");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the catalog does not list the entry, or for the same reasons as [`read`](Self::read).
    pub fn read_listed(&self, entry: &CatalogEntry) -> Result<SkillDoc, DocumentReadError> {
        files::document(&self.settings, self.as_listed(entry)?)
    }

    /// Returns the paths of a document's bundled files, relative to its folder, separated by `/` and sorted. Excludes hidden
    /// files, `node_modules`, links, devices and the document itself. An embedded document has no files.
    ///
    /// # Errors
    /// Returns an error if the document is not offered, if its folder cannot be read, if it bundles more files than the dialect
    /// allows, or if the trusted files have changed.
    pub fn resources(&self, id: &str) -> Result<Vec<String>, DocumentReadError> {
        files::resources(&self.settings, self.entry(id)?, Audience::Program)
    }

    /// Returns the paths of a listed document's bundled files, even if the document is not trusted, so that a person can decide.
    /// In a [`discovered`](super::Source::discovered) source, returns every file that the hash covers, even hidden ones and
    /// `node_modules`, because a script can use them. In other sources, returns the same files as [`resources`](Self::resources).
    ///
    /// # Errors
    /// Returns an error if the catalog does not list the entry, if its folder cannot be read, if it bundles more files than the
    /// dialect allows, or if the files have changed since the load.
    pub fn resources_listed(&self, entry: &CatalogEntry) -> Result<Vec<String>, DocumentReadError> {
        files::resources(&self.settings, self.as_listed(entry)?, Audience::Reviewer)
    }

    /// Reads a bundled file of a document, at a path of names separated by `/`, without following links. In a discovered source,
    /// the file must match the trusted content. In other sources, returns the current contents, because the [`ContentHash`] does
    /// not cover bundled files there.
    ///
    /// # Errors
    /// Returns an error if the document is not offered, or if the path is invalid or not a regular file. Also returns an error if
    /// the file is larger than the dialect allows or has changed since it was trusted.
    pub fn resource(&self, id: &str, path: &str) -> Result<Vec<u8>, DocumentReadError> {
        files::resource(&self.settings, self.entry(id)?, path, Audience::Program)
    }

    /// Reads a bundled file of a listed document, even if the document is not trusted. Accepts every path from
    /// [`resources_listed`](Self::resources_listed).
    ///
    /// # Errors
    /// Returns an error if the catalog does not list the entry, or if the path is invalid or not a regular file. Also returns an
    /// error if the file is larger than the dialect allows or has changed since the load.
    pub fn resource_listed(
        &self,
        entry: &CatalogEntry,
        path: &str,
    ) -> Result<Vec<u8>, DocumentReadError> {
        files::resource(
            &self.settings,
            self.as_listed(entry)?,
            path,
            Audience::Reviewer,
        )
    }

    /// Returns how many times the offered documents have changed since the catalog was built.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.snapshot.generation
    }

    /// Returns a hash of the offered documents: their ids, contents, sources and paths. The [`generation`](Self::generation)
    /// increases exactly when this hash changes.
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        self.snapshot.hash
    }

    /// Reads the sources again. A trusted document stays trusted as long as it and its bundled files are unchanged.
    ///
    /// Clones of this catalog, such as the one in a toolbox, do not change. To replace the clone in a toolbox, call
    /// `toolbox.set_catalog(catalog.clone())`.
    pub fn reload(&mut self) -> CatalogChanges {
        self.take(load::load(&self.settings))
    }

    fn take(&mut self, next: CatalogSnapshot) -> CatalogChanges {
        let changes = CatalogChanges::between(&self.snapshot, &next);
        let generation = self.snapshot.generation + u64::from(!changes.is_empty());
        self.snapshot = Arc::new(CatalogSnapshot { generation, ..next });
        changes
    }

    /// Trusts and offers a listed document if its hash still equals the hash in the reviewed [`CatalogEntry`]. The document stays
    /// trusted until it changes; to keep the decision across runs, save the [`choices`](Self::choices). Reads the sources again
    /// unless the document is already trusted.
    ///
    /// # Errors
    /// Returns an error if no listed document has this id and this hash. On failure, no additional document is trusted.
    pub fn trust(&mut self, id: &str, hash: ContentHash) -> Result<(), TrustError> {
        let listed = self.snapshot.of_id(id);
        let mut same = listed.iter().filter(|entry| entry.hash == hash).peekable();
        if same.peek().is_none() {
            return Err(trust_error(id, hash, listed));
        }
        if same.all(|entry| entry.trusted) {
            return Ok(());
        }
        let mut settings = (*self.settings).clone();
        settings.choices.trust(id.to_owned().into(), hash);
        let next = load::load(&settings);
        // this load did not trust the document if it changed after the review
        let is_there = next.trusted.contains(&(id.to_owned(), hash));
        self.take(next);
        if !is_there {
            return Err(trust_error(id, hash, self.snapshot.of_id(id)));
        }
        self.settings = Arc::new(settings);
        Ok(())
    }

    /// Enables a document, overriding `default_enabled: false` and your program's settings, and reads the sources again. The
    /// document stays enabled across reloads; to keep the decision across runs, save the [`choices`](Self::choices). Returns the
    /// changes since the last load. The document is not among them if it was already offered, or if something else keeps it from
    /// being offered.
    ///
    /// # Errors
    /// Returns an error if the last load found no document with this id.
    pub fn enable(&mut self, id: &str) -> Result<CatalogChanges, EnableError> {
        self.choose(id, CatalogChoices::enable)
    }

    /// Disables a document, so that it is not offered and has no command, and reads the sources again. The document stays
    /// disabled across reloads; to keep the decision across runs, save the [`choices`](Self::choices). Returns the changes.
    ///
    /// # Errors
    /// Returns an error if the last load found no document with this id.
    pub fn disable(&mut self, id: &str) -> Result<CatalogChanges, EnableError> {
        self.choose(id, CatalogChoices::disable)
    }

    /// Returns a person's decisions from [`enable`](Self::enable), [`disable`](Self::disable), [`trust`](Self::trust) and earlier
    /// runs. Save the decisions, and restore them with [`CatalogBuilder::choices`].
    #[must_use]
    pub fn choices(&self) -> &CatalogChoices {
        &self.settings.choices
    }

    fn choose(
        &mut self,
        id: &str,
        choose: fn(&mut CatalogChoices, DocText),
    ) -> Result<CatalogChanges, EnableError> {
        let Some(id) = self.snapshot.ids.get(id).cloned() else {
            let ids = self.snapshot.ids.iter().map(|id| &**id);
            return Err(EnableError::Unknown {
                id: id.to_owned(),
                nearest: nearest(id, ids).map(str::to_owned),
            });
        };
        let mut settings = (*self.settings).clone();
        choose(&mut settings.choices, id);
        let changes = self.take(load::load(&settings));
        self.settings = Arc::new(settings);
        Ok(changes)
    }

    /// Returns this catalog's entry for an entry from an earlier load or a different catalog.
    fn as_listed(&self, entry: &CatalogEntry) -> Result<&CatalogEntry, DocumentReadError> {
        let mut listed = self.snapshot.of_id(&entry.id).iter();
        match listed.find(|listed| listed.source == entry.source && listed.path == entry.path) {
            Some(listed) if listed.hash == entry.hash => Ok(listed),
            Some(listed) => Err(DocumentReadError::Changed {
                id: listed.id.to_string(),
                path: listed.display_path(&self.settings),
            }),
            None => Err(DocumentReadError::NotListed {
                id: entry.id.to_string(),
            }),
        }
    }

    /// Returns the most similar id among the offered documents that satisfy `is_meant`.
    pub(crate) fn nearest_offered(
        &self,
        id: &str,
        is_meant: impl Fn(&CatalogEntry) -> bool,
    ) -> Option<String> {
        let entries = self.skills().filter(|entry| is_meant(entry));
        nearest(id, entries.map(|entry| &*entry.id)).map(str::to_owned)
    }

    fn entry(&self, id: &str) -> Result<&CatalogEntry, DocumentReadError> {
        let listed = self.snapshot.of_id(id);
        if let Some(entry) = listed.iter().find(|entry| entry.trusted) {
            return Ok(entry);
        }
        match listed.first() {
            Some(entry) => Err(DocumentReadError::Untrusted {
                id: id.to_owned(),
                path: entry.display_path(&self.settings),
                hash: entry.hash,
            }),
            None => Err(DocumentReadError::Unknown {
                id: id.to_owned(),
                nearest: self.nearest_offered(id, |_| true),
            }),
        }
    }
}

/// Creates the error for an id and a hash that do not belong to a listed document.
fn trust_error(id: &str, given: ContentHash, listed: &[CatalogEntry]) -> TrustError {
    let id = id.to_owned();
    match listed.iter().map(|entry| entry.hash).collect::<Vec<_>>() {
        found if found.is_empty() => TrustError::Unknown { id },
        found => TrustError::OtherContent { id, given, found },
    }
}
