//! A person's decisions about the documents of a catalog.

use crate::{ContentHash, DocText};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A person's decisions about the documents of a [`Catalog`](super::Catalog): which documents are disabled, enabled and trusted.
/// Programs save this value and restore it with [`CatalogBuilder::choices`](super::CatalogBuilder::choices).
///
/// ```
/// use skill_agent::manifest::{Catalog, CatalogChoices, Dialect, Source};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path();
/// # std::fs::create_dir_all(path.join("plan"))?;
/// # std::fs::write(path.join("plan/SKILL.md"), "# Plan\n")?;
/// let catalog = || Catalog::builder(Dialect::LILY).source(Source::project(path)); // path/plan/SKILL.md
/// let mut first = catalog().load();
/// first.disable("plan")?;
/// let saved = serde_json::to_string(first.choices())?;
/// assert_eq!(saved, r#"{"disabled":["plan"],"enabled":[],"trusted":{}}"#);
///
/// let choices: CatalogChoices = serde_json::from_str(&saved)?;
/// let mut second = catalog().choices(choices).load();
/// assert_eq!(second.skills().count(), 0);
/// second.enable("plan")?;
/// assert_eq!(second.skills().count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CatalogChoices {
    /// The ids of the disabled documents. This choice overrides `enabled`.
    pub disabled: BTreeSet<DocText>,
    /// The ids of the enabled documents. This choice overrides the settings in the documents and in your program.
    pub enabled: BTreeSet<DocText>,
    /// The trusted content hashes, keyed by document id.
    pub trusted: BTreeMap<DocText, BTreeSet<ContentHash>>,
}

impl CatalogChoices {
    /// Returns whether the document is enabled, or `None` if the person has not decided.
    pub(crate) fn is_enabled(&self, id: &str) -> Option<bool> {
        if self.disabled.contains(id) {
            Some(false)
        } else {
            self.enabled.contains(id).then_some(true)
        }
    }

    pub(super) fn enable(&mut self, id: DocText) {
        self.disabled.remove(&id);
        self.enabled.insert(id);
    }

    pub(super) fn disable(&mut self, id: DocText) {
        self.enabled.remove(&id);
        self.disabled.insert(id);
    }

    pub(crate) fn trusts(&self, id: &str, hash: ContentHash) -> bool {
        self.trusted
            .get(id)
            .is_some_and(|hashes| hashes.contains(&hash))
    }

    pub(super) fn trust(&mut self, id: DocText, hash: ContentHash) {
        self.trusted.entry(id).or_default().insert(hash);
    }

    /// Merges `other` into these decisions. If both decide on a document, `other` takes precedence.
    pub(super) fn extend(&mut self, other: Self) {
        for id in other.enabled {
            self.enable(id);
        }
        for id in other.disabled {
            self.disable(id);
        }
        for (id, hashes) in other.trusted {
            self.trusted.entry(id).or_default().extend(hashes);
        }
    }
}
