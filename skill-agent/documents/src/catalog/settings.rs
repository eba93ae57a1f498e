//! The configuration of a catalog, which stays the same across reloads.

use super::agent_facts::AgentFacts;
use super::choices::CatalogChoices;
use crate::folder::HardLinks;
use crate::selection::Exposure;
use crate::source::SourceOrigin;
use crate::{ContentHash, Dialect, DocText, Host, SkillDoc, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Clone)]
pub(crate) struct CatalogSettings {
    /// Sorted by precedence, lowest first.
    pub(crate) roots: Vec<SourceRoot>,
    /// The names of sources in the order that the builder sets.
    pub(crate) order: Vec<DocText>,
    pub(crate) host: Arc<dyn Host + Send + Sync>,
    /// The names of the available tools; `None` leaves them unchecked.
    pub(crate) tools: Option<BTreeSet<DocText>>,
    pub(crate) facts: AgentFacts,
    /// Commands that no document may claim, in addition to the built-in ones.
    pub(crate) reserved: BTreeSet<DocText>,
    /// The builder's setting, which overrides the agent's.
    pub(crate) allow_skills: Option<bool>,
    /// Whether `allowed-tools` of active documents restrict the tools that a model may call.
    pub(crate) restrict_tools: bool,
    pub(crate) at_most: Option<usize>,
    /// The most documents of a selection, if the configuration sets it.
    pub(crate) max_skills: Option<usize>,
    /// The most tokens of the tool `skill`.
    pub(crate) skill_budget: usize,
    pub(crate) exposures: BTreeMap<DocText, Exposure>,
    /// The ids that the program disables.
    pub(crate) disabled: BTreeSet<DocText>,
    /// The ids that the program enables.
    pub(crate) enabled: BTreeSet<DocText>,
    /// The decisions of a person, which count more than the program's settings.
    pub(crate) choices: CatalogChoices,
}

/// The id and content hash of a trusted document.
pub(crate) type TrustKey = (String, ContentHash);

impl CatalogSettings {
    /// Whether documents are offered to a model: by the builder's setting, else by the agent's, else yes.
    pub(crate) fn offers_skills(&self) -> bool {
        self.allow_skills
            .or(self.facts.allow_skills)
            .unwrap_or(true)
    }

    /// Whether a person or, if none decided, the program enables a document; `None` leaves it to the document.
    pub(crate) fn is_enabled(&self, id: &str) -> Option<bool> {
        let by_program = || match (self.disabled.contains(id), self.enabled.contains(id)) {
            (true, _) => Some(false),
            (false, true) => Some(true),
            (false, false) => None,
        };
        self.choices.is_enabled(id).or_else(by_program)
    }
}

/// A source with its dialect and its path on this machine.
#[derive(Clone, Debug)]
pub(crate) struct SourceRoot {
    pub(crate) name: DocText,
    pub(crate) kind: SourceKind,
    pub(crate) dialect: Dialect,
    pub(crate) required: bool,
    pub(crate) discovered: bool,
    /// Whether links out of the folder are followed.
    pub(crate) follows_links: bool,
    /// The only subfolder that is read.
    pub(crate) only: Option<OsString>,
}

#[derive(Clone, Debug)]
pub(crate) enum SourceKind {
    Embedded(Vec<&'static SkillDoc>),
    Folder(PathBuf),
    /// A path that begins with `~/` on a machine without a home folder.
    NoHome(PathBuf),
}

impl SourceRoot {
    pub(crate) fn of(source: Source, dialect: &Dialect, host: &dyn Host) -> Self {
        let kind = match source.origin {
            SourceOrigin::Embedded(docs) => SourceKind::Embedded(docs),
            SourceOrigin::Folder(path) => folder_kind(path, host),
        };
        Self {
            name: source.name,
            kind,
            dialect: source.dialect.unwrap_or(*dialect),
            required: source.required,
            discovered: source.discovered,
            follows_links: source.follow_links && !source.discovered,
            only: source.only,
        }
    }

    /// Returns the folder, if the source has one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.kind {
            SourceKind::Folder(path) => Some(path),
            SourceKind::Embedded(_) | SourceKind::NoHome(_) => None,
        }
    }

    /// Returns the rule for files with several hard links. Anybody may have put them into a discovered folder; in a folder that
    /// the program names they are usual, because package stores link the files that they install.
    pub(crate) fn hard_links(&self) -> HardLinks {
        if self.discovered {
            HardLinks::Refuse
        } else {
            HardLinks::Allow
        }
    }

    pub(crate) fn is_bundled(&self) -> bool {
        self.name == crate::source::BUNDLED
    }
}

fn folder_kind(path: PathBuf, host: &dyn Host) -> SourceKind {
    match path.strip_prefix("~") {
        Err(_) => SourceKind::Folder(path),
        Ok(below) => match host.home() {
            Some(home) => SourceKind::Folder(home.join(below)),
            None => SourceKind::NoHome(path),
        },
    }
}

impl fmt::Debug for CatalogSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("roots", &self.roots)
            .field("tools", &self.tools)
            .field("choices", &self.choices)
            .finish_non_exhaustive()
    }
}
