//! Documents of several sources under one roof: found, checked, and offered.

mod agent;
mod brought;
mod builder;
mod checks;
mod content;
mod entry;
mod events;
mod files;
mod found;
mod load;
mod names;
mod precedence;
mod scan;
mod settings;
mod snapshot;
mod walk;

pub use builder::CatalogBuilder;
pub use entry::Entry;
pub(crate) use settings::Settings;
pub use snapshot::Changes;
pub(crate) use snapshot::Snapshot;

use super::{ContentHash, Diagnostic, Dialect, ReadError, SkillDoc, TrustError};
use std::sync::Arc;

/// The documents of several sources: those that are offered, and a diagnostic for each that is not.
///
/// A catalog is a value. Copies share what was loaded; what changes one is `&mut self`, and no other copy sees it. The same
/// folders give the same catalog, and the same diagnostics in the same order.
///
/// Only headers are kept: a body is read when it is asked for, and refused when the file has changed meanwhile.
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
/// let ids: Vec<&str> = catalog.skills().map(|it| &*it.id).collect();
/// assert_eq!(ids, ["plan"]);
/// assert_eq!(catalog.read("plan")?.body, "# Plan\nThink first.");
///
/// std::fs::write(path.join("plan/SKILL.md"), "# Plan\nAct first.\n")?;
/// assert!(catalog.read("plan").is_err()); // it is not what was loaded
/// assert_eq!(catalog.reload().changed, ["plan"]);
/// assert_eq!(catalog.read("plan")?.body, "# Plan\nAct first.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Catalog {
    pub(crate) settings: Arc<Settings>,
    pub(crate) snapshot: Arc<Snapshot>,
}

impl Catalog {
    /// Begins a catalog whose sources are of a dialect, unless they say otherwise.
    pub fn builder(dialect: Dialect) -> CatalogBuilder {
        CatalogBuilder::new(dialect)
    }

    /// The documents that are offered, by id.
    pub fn skills(&self) -> impl Iterator<Item = &Entry> {
        self.snapshot.offered()
    }

    /// A document that is offered. The id is compared exactly.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Entry> {
        self.snapshot.of_id(id).iter().find(|it| it.trusted)
    }

    /// The documents that are offered and those that nobody has trusted yet, by id: for a person who decides. Several may
    /// have one id.
    pub fn listed(&self) -> impl Iterator<Item = &Entry> {
        self.snapshot.entries.iter()
    }

    /// What is wrong with sources and documents, and why documents are left out: source by source, then by what is checked.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.snapshot.diagnostics
    }

    /// A document with its body, which is read now.
    ///
    /// # Errors
    /// No such document is offered, or its file cannot be read or holds something else than when it was loaded.
    pub fn read(&self, id: &str) -> Result<SkillDoc, ReadError> {
        files::document(&self.settings, self.entry(id)?)
    }

    /// A listed document with its body, whether it is trusted or not: for a person who decides. What is read is what the
    /// [`Entry`] stands for, so that its hash is that of what was shown.
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
    /// assert!(catalog.read("plan").is_err()); // nobody has trusted it
    /// let entry = catalog.listed().next().ok_or("it is listed")?.clone();
    /// assert_eq!(catalog.read_listed(&entry)?.body, "# Plan");
    /// catalog.trust(&entry.id, entry.hash)?;
    /// assert_eq!(catalog.read("plan")?.body, "# Plan");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The catalog does not list the entry, or its file cannot be read or holds something else than when it was loaded.
    pub fn read_listed(&self, entry: &Entry) -> Result<SkillDoc, ReadError> {
        files::document(&self.settings, self.as_listed(entry)?)
    }

    /// The files that a document brings, as paths below its folder with `/`, in order. Hidden ones, links, devices and the
    /// document itself are not among them; an embedded document has none.
    ///
    /// # Errors
    /// No such document is offered, its folder cannot be read, it has more files than the dialect allows, or they are no
    /// longer those that were trusted.
    pub fn resources(&self, id: &str) -> Result<Vec<String>, ReadError> {
        files::resources(&self.settings, self.entry(id)?)
    }

    /// The files that a listed document brings, as [`resources`](Self::resources) gives them, whether it is trusted or not.
    ///
    /// # Errors
    /// The catalog does not list the entry, its folder cannot be read, it has more files than the dialect allows, or they are
    /// no longer those that were loaded.
    pub fn resources_listed(&self, entry: &Entry) -> Result<Vec<String>, ReadError> {
        files::resources(&self.settings, self.as_listed(entry)?)
    }

    /// What a file holds that a document brings. The path is one of names with `/` between them; every component of it is
    /// opened without following links. A file of a document that a person trusted is given as it was trusted, or not at all;
    /// in a source that the program names it is what it is now, since files are no part of the [`ContentHash`] there.
    ///
    /// # Errors
    /// No such document is offered, the path is none or leads to no regular file, or the file is larger than the dialect
    /// allows or is no longer what was trusted.
    pub fn resource(&self, id: &str, path: &str) -> Result<Vec<u8>, ReadError> {
        files::resource(&self.settings, self.entry(id)?, path)
    }

    /// What a file holds that a listed document brings, as [`resource`](Self::resource) gives it, whether it is trusted or
    /// not.
    ///
    /// # Errors
    /// The catalog does not list the entry, the path is none or leads to no regular file, or the file is larger than the
    /// dialect allows or is no longer what was loaded.
    pub fn resource_listed(&self, entry: &Entry, path: &str) -> Result<Vec<u8>, ReadError> {
        files::resource(&self.settings, self.as_listed(entry)?, path)
    }

    /// How often what is offered has changed since the catalog was built.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.snapshot.generation
    }

    /// The hash of what is offered: ids, contents, and where they stand in which source. What changes it
    /// makes another [`generation`](Self::generation), and nothing else does.
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        self.snapshot.hash
    }

    /// Reads the sources again. A document that a person trusted stays so as long as it and its files hold what they
    /// held.
    pub fn reload(&mut self) -> Changes {
        self.take(load::load(&self.settings))
    }

    fn take(&mut self, next: Snapshot) -> Changes {
        let changes = Changes::between(&self.snapshot, &next);
        let generation = self.snapshot.generation + u64::from(!changes.is_empty());
        self.snapshot = Arc::new(Snapshot { generation, ..next });
        changes
    }

    /// Offers a document that is listed, if it holds what a person has seen: the hash of its [`Entry`]. It is trusted until it
    /// changes; a program that is to remember it gives the same to [`CatalogBuilder::trust`]. The sources are read again, unless it is
    /// trusted already.
    ///
    /// # Errors
    /// No such document is listed, or by now there is none with this content; nobody is then trusted more than before.
    pub fn trust(&mut self, id: &str, hash: ContentHash) -> Result<(), TrustError> {
        let listed = self.snapshot.of_id(id);
        let mut same = listed.iter().filter(|it| it.hash == hash).peekable();
        if same.peek().is_none() {
            return Err(refused(id, hash, listed));
        }
        if same.all(|it| it.trusted) {
            return Ok(());
        }
        let seen = (id.to_owned(), hash);
        let mut settings = (*self.settings).clone();
        settings.trusted.insert(seen.clone());
        let next = load::load(&settings);
        // where it has changed since it was seen, the word for it made no difference to this load
        let is_there = next.trusted.contains(&seen);
        self.take(next);
        if !is_there {
            return Err(refused(id, hash, self.snapshot.of_id(id)));
        }
        self.settings = Arc::new(settings);
        Ok(())
    }

    /// What this catalog lists of an entry, which may be of an earlier load or of another catalog.
    fn as_listed(&self, entry: &Entry) -> Result<&Entry, ReadError> {
        let mut listed = self.snapshot.of_id(&entry.id).iter();
        match listed.find(|it| it.source == entry.source && it.path == entry.path) {
            Some(it) if it.hash == entry.hash => Ok(it),
            Some(it) => Err(ReadError::Changed {
                id: it.id.to_string(),
                path: it.shown(&self.settings),
            }),
            None => Err(ReadError::NotListed {
                id: entry.id.to_string(),
            }),
        }
    }

    fn entry(&self, id: &str) -> Result<&Entry, ReadError> {
        let listed = self.snapshot.of_id(id);
        if let Some(entry) = listed.iter().find(|it| it.trusted) {
            return Ok(entry);
        }
        match listed.first() {
            Some(entry) => Err(ReadError::Untrusted {
                id: id.to_owned(),
                path: entry.shown(&self.settings),
                hash: entry.hash,
            }),
            None => Err(ReadError::Unknown { id: id.to_owned() }),
        }
    }
}

/// Why what a person has seen is not trusted.
fn refused(id: &str, given: ContentHash, listed: &[Entry]) -> TrustError {
    let id = id.to_owned();
    match listed.iter().map(|it| it.hash).collect::<Vec<_>>() {
        found if found.is_empty() => TrustError::Unknown { id },
        found => TrustError::OtherContent { id, given, found },
    }
}
