//! A catalog: documents of several sources, found, checked and offered.

mod activate;
mod agent_facts;
mod allowed_tools;
mod builder;
mod bundled_files;
mod candidate;
mod checks;
mod choices;
mod content_hashes;
mod entry;
mod events;
mod files;
mod hash_budget;
mod load;
mod precedence;
mod scan;
mod scan_result;
mod select;
mod settings;
mod snapshot;
mod toolset_index;
mod unknown_names;
mod walk;

use files::Audience;

pub use activate::ActivateDocumentError;
pub(crate) use allowed_tools::{allows, no_allowed_tools};
pub use builder::CatalogBuilder;
pub use choices::CatalogChoices;
pub use entry::CatalogEntry;
pub(crate) use events::{emit, reports_warnings};
pub use select::SelectionText;
pub(crate) use settings::CatalogSettings;
pub use snapshot::CatalogChanges;
pub(crate) use snapshot::CatalogSnapshot;
pub(crate) use toolset_index::ToolsetIndex;

use super::{
    ContentHash, Diagnostic, Dialect, DocText, DocumentReadError, EnableError, SkillDoc, TrustError,
};
use skill_core::__private::nearest;
use std::sync::Arc;

/// The documents of several sources: those that are offered, and a diagnostic for each that is not.
///
/// A catalog is a value. Clones share what was loaded; changing one takes `&mut self` and affects no other clone. The same
/// folders give the same catalog, and the same diagnostics in the same order.
///
/// Only metadata is kept in memory, and a body is read on request. An edited body is returned as it is now; in a
/// [`discovered`](super::Source::discovered) source it is refused, because a person trusted the former one.
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
    /// Creates a builder. Sources use `dialect` unless they set their own.
    pub fn builder(dialect: Dialect) -> CatalogBuilder {
        CatalogBuilder::new(dialect)
    }

    /// Returns the offered documents, sorted by id.
    pub fn skills(&self) -> impl Iterator<Item = &CatalogEntry> {
        self.snapshot.offered()
    }

    /// Returns an offered document. The id is compared exactly.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&CatalogEntry> {
        self.snapshot.of_id(id).iter().find(|entry| entry.trusted)
    }

    /// Returns the offered documents and the untrusted ones, sorted by id, for a user to review. Several
    /// may have the same id.
    pub fn listed(&self) -> impl Iterator<Item = &CatalogEntry> {
        self.snapshot.entries.iter()
    }

    /// Returns what is wrong with sources and documents, and why documents are left out: by source, then by check.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.snapshot.diagnostics
    }

    /// Reads a document with its body, as its file is now. Which documents are offered, and with which metadata, changes with the
    /// next [`reload`](Self::reload).
    ///
    /// # Errors
    /// Fails if no such document is offered, if its file has been removed or cannot be read, or if it was edited and is no longer
    /// valid in its dialect or has another id. In a [`discovered`](super::Source::discovered) source, fails if it was edited.
    pub fn read(&self, id: &str) -> Result<SkillDoc, DocumentReadError> {
        files::document(&self.settings, self.entry(id)?)
    }

    /// Reads a listed document with its body, trusted or not, for a person to decide on. The document is the one whose hash is
    /// in the [`CatalogEntry`], so trusting that hash trusts what was shown.
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
    /// Fails if the catalog does not list the entry, and as [`read`](Self::read) does.
    pub fn read_listed(&self, entry: &CatalogEntry) -> Result<SkillDoc, DocumentReadError> {
        files::document(&self.settings, self.as_listed(entry)?)
    }

    /// Returns the paths of the files that a document bundles, relative to its folder, separated by `/` and sorted. Hidden
    /// files, `node_modules`, links, devices and the document itself are left out; an embedded document has no files.
    ///
    /// # Errors
    /// Fails if no such document is offered, its folder cannot be read, it bundles more files than the dialect allows, or the
    /// files are no longer the ones that were trusted.
    pub fn resources(&self, id: &str) -> Result<Vec<String>, DocumentReadError> {
        files::resources(&self.settings, self.entry(id)?, Audience::Program)
    }

    /// Returns the paths of the files that a listed document bundles, trusted or not, for a person to decide on. In a
    /// [`discovered`](super::Source::discovered) source these are all files that its hash covers, hidden ones and those in
    /// `node_modules` too, because a script beside them can use them. In other sources they are those of
    /// [`resources`](Self::resources).
    ///
    /// # Errors
    /// Fails if the catalog does not list the entry, its folder cannot be read, it bundles more files than the dialect allows,
    /// or the files have changed since they were loaded.
    pub fn resources_listed(&self, entry: &CatalogEntry) -> Result<Vec<String>, DocumentReadError> {
        files::resources(&self.settings, self.as_listed(entry)?, Audience::Reviewer)
    }

    /// Reads a file that a document bundles. The path consists of names separated by `/`; each component is opened without
    /// following links. For a document that a person trusted, the file is returned only if it is unchanged. In a source that
    /// the program names, its present contents are returned, since bundled files are not part of the [`ContentHash`] there.
    ///
    /// # Errors
    /// Fails if no such document is offered, the path is invalid or is not a regular file, or the file is larger than the
    /// dialect allows or has changed since it was trusted.
    pub fn resource(&self, id: &str, path: &str) -> Result<Vec<u8>, DocumentReadError> {
        files::resource(&self.settings, self.entry(id)?, path, Audience::Program)
    }

    /// Reads a file that a listed document bundles, whether the document is trusted or not: any of
    /// [`resources_listed`](Self::resources_listed).
    ///
    /// # Errors
    /// Fails if the catalog does not list the entry, the path is invalid or is not a regular file, or the file is larger than
    /// the dialect allows or has changed since it was loaded.
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

    /// Returns how often the offered documents have changed since the catalog was built.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.snapshot.generation
    }

    /// Returns the hash of the offered documents: their ids, contents, sources and paths. The [`generation`](Self::generation)
    /// increases exactly when this hash changes.
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        self.snapshot.hash
    }

    /// Reads the sources again. A document that a person trusted stays trusted as long as it and its bundled files are
    /// unchanged.
    pub fn reload(&mut self) -> CatalogChanges {
        self.take(load::load(&self.settings))
    }

    fn take(&mut self, next: CatalogSnapshot) -> CatalogChanges {
        let changes = CatalogChanges::between(&self.snapshot, &next);
        let generation = self.snapshot.generation + u64::from(!changes.is_empty());
        self.snapshot = Arc::new(CatalogSnapshot { generation, ..next });
        changes
    }

    /// Trusts and offers a listed document, if its hash is still the one that a person has seen in its [`CatalogEntry`]. It stays
    /// trusted until it changes. To remember the decision, save the [`choices`](Self::choices). Reads the sources again unless
    /// the document is trusted already.
    ///
    /// # Errors
    /// Fails if no such document is listed, or none with this hash any more. In that case nothing is trusted that was not
    /// trusted before.
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
        // if the document has changed since the person saw it, this load did not trust it
        let is_there = next.trusted.contains(&(id.to_owned(), hash));
        self.take(next);
        if !is_there {
            return Err(trust_error(id, hash, self.snapshot.of_id(id)));
        }
        self.settings = Arc::new(settings);
        Ok(())
    }

    /// Enables a document, although the document says `default_enabled: false` or the program disables it, and reads the sources
    /// again. Returns what has changed: nothing if the document is offered already, or cannot be offered for another reason. It
    /// stays enabled across reloads; to remember the decision, save the [`choices`](Self::choices).
    ///
    /// # Errors
    /// Fails if the sources had no document with the id when they were last read.
    pub fn enable(&mut self, id: &str) -> Result<CatalogChanges, EnableError> {
        self.choose(id, CatalogChoices::enable)
    }

    /// Disables a document, so that it is not offered and has no command, and reads the sources again. Returns what has changed.
    /// It stays disabled across reloads; to remember the decision, save the [`choices`](Self::choices).
    ///
    /// # Errors
    /// Fails if the sources had no document with the id when they were last read.
    pub fn disable(&mut self, id: &str) -> Result<CatalogChanges, EnableError> {
        self.choose(id, CatalogChoices::disable)
    }

    /// Returns what a person decided, by [`enable`](Self::enable), [`disable`](Self::disable) and [`trust`](Self::trust) or in an
    /// earlier run. A program saves it, and restores it by [`CatalogBuilder::choices`].
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

    /// Returns this catalog's entry for an entry that may come from an earlier load or from another catalog.
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

    /// The most similar id of an offered document that `is_meant`.
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

/// The error for a hash that no listed document has.
fn trust_error(id: &str, given: ContentHash, listed: &[CatalogEntry]) -> TrustError {
    let id = id.to_owned();
    match listed.iter().map(|entry| entry.hash).collect::<Vec<_>>() {
        found if found.is_empty() => TrustError::Unknown { id },
        found => TrustError::OtherContent { id, given, found },
    }
}
