//! The configuration of a catalog, which stays the same across reloads.

use super::choices::CatalogChoices;
use crate::catalog::tools::agent_facts::AgentFacts;
use crate::folder::HardLinks;
use crate::selection::Exposure;
use crate::sources::source::SourceOrigin;
use crate::{ContentHash, Dialect, DocText, Host, SkillDoc, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Clone)]
pub(crate) struct CatalogSettings {
    /// The sources, sorted by precedence, lowest first.
    pub(crate) roots: Vec<SourceRoot>,
    /// The source names passed to `CatalogBuilder::order`, lowest precedence first.
    pub(crate) order: Vec<DocText>,
    pub(crate) host: Arc<dyn Host + Send + Sync>,
    /// The names of the available tools, or `None` if they are unknown and not checked.
    pub(crate) tools: Option<BTreeSet<DocText>>,
    pub(crate) facts: AgentFacts,
    /// Commands that no document may claim, in addition to the built-in ones.
    pub(crate) reserved: BTreeSet<DocText>,
    /// The builder's setting, which overrides the agent's key.
    pub(crate) allow_skills: Option<bool>,
    /// Whether the `allowed-tools` of active documents restrict a model's tools.
    pub(crate) restrict_tools: bool,
    pub(crate) at_most: Option<usize>,
    /// The configured limit of documents per selection.
    pub(crate) max_skills: Option<usize>,
    /// The size limit of the tool `skill`, in tokens.
    pub(crate) skill_budget: usize,
    pub(crate) exposures: BTreeMap<DocText, Exposure>,
    /// The ids that the builder or the configuration disables.
    pub(crate) disabled: BTreeSet<DocText>,
    /// The ids that the builder enables.
    pub(crate) enabled: BTreeSet<DocText>,
    /// A person's decisions, which override `disabled` and `enabled`.
    pub(crate) choices: CatalogChoices,
}

/// The id and content hash of a trusted document.
pub(crate) type TrustKey = (String, ContentHash);

impl CatalogSettings {
    /// Returns whether the documents are offered to a model. The builder's setting overrides the agent's, and the default is
    /// true.
    pub(crate) fn offers_skills(&self) -> bool {
        self.allow_skills
            .or(self.facts.allow_skills)
            .unwrap_or(true)
    }

    /// Returns whether a document is enabled, as decided by a person or, failing that, by the settings. Returns `None` if the
    /// document itself decides.
    pub(crate) fn is_enabled(&self, id: &str) -> Option<bool> {
        let by_program = || match (self.disabled.contains(id), self.enabled.contains(id)) {
            (true, _) => Some(false),
            (false, true) => Some(true),
            (false, false) => None,
        };
        self.choices.is_enabled(id).or_else(by_program)
    }
}

/// A source with its dialect and its location on this machine.
#[derive(Clone, Debug)]
pub(crate) struct SourceRoot {
    pub(crate) name: DocText,
    pub(crate) kind: SourceKind,
    pub(crate) dialect: Dialect,
    pub(crate) required: bool,
    pub(crate) discovered: bool,
    /// Whether links that leave the folder are followed.
    pub(crate) follows_links: bool,
    /// The name of the only subfolder to read.
    pub(crate) only: Option<OsString>,
}

#[derive(Clone, Debug)]
pub(crate) enum SourceKind {
    Embedded(Vec<&'static SkillDoc>),
    Folder(PathBuf),
    /// A path that begins with `~/` on a machine that has no home folder.
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

    /// Returns the source's folder, or `None` for an embedded source or a path that needs a missing home folder.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.kind {
            SourceKind::Folder(path) => Some(path),
            SourceKind::Embedded(_) | SourceKind::NoHome(_) => None,
        }
    }

    /// Returns the rule for files with more than one hard link. In a discovered folder, anyone may have created the links, but
    /// elsewhere, hard links are normal, because package stores use them for installed files.
    pub(crate) fn hard_links(&self) -> HardLinks {
        if self.discovered {
            HardLinks::Refuse
        } else {
            HardLinks::Allow
        }
    }

    pub(crate) fn is_bundled(&self) -> bool {
        self.name == crate::sources::source::BUNDLED
    }
}

/// Resolves a path that may begin with `~/`.
pub(crate) fn folder_kind(path: PathBuf, host: &dyn Host) -> SourceKind {
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
