//! Configures and loads a catalog.

use super::settings::SourceRoot;
use super::{Catalog, CatalogChoices, CatalogSettings, events, load};
use crate::catalog::tools::agent_facts::AgentFacts;
use crate::selection::Exposure;
use crate::sources::source::{BUNDLED, PROJECT, USER};
use crate::tool::skill_list::DEFAULT_BUDGET;
use crate::{
    ContentHash, Dialect, DocText, Documents, Host, LoadError, Source, Sources, SystemHost,
};
use skill_core::Agent;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// Builds a [`Catalog`] from sources, and checks the documents against the agent, the tools and the host.
#[must_use = "a builder does nothing until `load`"]
pub struct CatalogBuilder {
    dialect: Dialect,
    sources: Vec<Source>,
    settings: CatalogSettings,
}

impl CatalogBuilder {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            sources: Vec::new(),
            settings: CatalogSettings {
                roots: Vec::new(),
                order: Vec::new(),
                host: Arc::new(SystemHost),
                tools: None,
                facts: AgentFacts::default(),
                reserved: BTreeSet::new(),
                allow_skills: None,
                restrict_tools: false,
                at_most: None,
                max_skills: None,
                skill_budget: DEFAULT_BUDGET,
                exposures: BTreeMap::new(),
                disabled: BTreeSet::new(),
                enabled: BTreeSet::new(),
                choices: CatalogChoices::default(),
            },
        }
    }

    /// Adds a source.
    pub fn source(mut self, source: Source) -> Self {
        self.sources.push(source);
        self
    }

    /// Adds the sources found by a configuration or by discovery, and disables the documents that the configuration disables.
    /// [`max_skills`](Sources::max_skills) limits each selection, not the catalog:
    /// [`Catalog::configured`](super::Catalog::configured) applies it to a policy.
    pub fn sources(mut self, sources: Sources) -> Self {
        self.settings.max_skills = sources.max_skills.or(self.settings.max_skills);
        self.sources.extend(sources.list);
        self.disabled(sources.disabled.into_owned())
    }

    /// Sets the precedence of the named sources, lowest first. Other sources have a lower precedence, and a name without a source
    /// causes a warning.
    pub fn order<T: Into<DocText>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.settings.order = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the agent. The agent's documents become bundled documents, and all documents are checked against its skills and tools
    /// by the rules that `agent!` applies at compile time. Toolsets refer to the types of the agent's skills. Without an agent, a
    /// document that names a toolset is left out, because a document's folder cannot provide code. Commands in `tool_dispatch`
    /// mode call the agent's tools, and the agent's key `allow_skills` decides whether a model is offered documents.
    pub fn agent<A: Agent>(mut self) -> Self {
        self.settings.facts = AgentFacts::of::<A>();
        let docs: Vec<_> = A::documents().collect();
        let names = A::tools().iter().map(|tool| tool.name);
        let this = self.tools(names);
        if docs.is_empty() {
            this
        } else {
            this.source(Source::embedded(docs))
        }
    }

    /// Adds available tools to the agent's tools. If neither this method nor [`agent`](Self::agent) is called, the tools are
    /// unknown, and `requires_tools` and `command_tool` are not checked.
    pub fn tools<T: Into<DocText>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        let tools = self.settings.tools.get_or_insert_default();
        tools.extend(names.into_iter().map(Into::into));
        self
    }

    /// Sets whether the documents are offered to a model. Defaults to the agent's key `allow_skills`, or to true without an
    /// [`agent`](Self::agent).
    pub fn allow_skills(mut self, allow: bool) -> Self {
        self.settings.allow_skills = Some(allow);
        self
    }

    /// Reserves commands for your program, in addition to `skills`, `skill`, `help` and `reload_skills`, so that no document may
    /// use them.
    pub fn reserved<T: Into<DocText>>(mut self, commands: impl IntoIterator<Item = T>) -> Self {
        let commands = commands.into_iter().map(Into::into);
        self.settings.reserved.extend(commands);
        self
    }

    /// Sets the machine on which eligibility is checked. Defaults to [`SystemHost`].
    pub fn host(mut self, host: impl Host + Send + Sync + 'static) -> Self {
        self.settings.host = Arc::new(host);
        self
    }

    /// Sets whether a model may call only the tools that all active documents list in `allowed-tools`, by their exact names.
    /// Defaults to false: in the open standard, the key lists tools that need no approval, and documents often name tools of
    /// other programs. [`Catalog::tool_access`] applies the restriction. A document that allows none of the available tools
    /// causes a warning.
    pub fn restrict_tools(mut self, restrict: bool) -> Self {
        self.settings.restrict_tools = restrict;
        self
    }

    /// Limits the number of documents. Documents from sources with a higher precedence are kept first, then documents with lower
    /// ids, and each dropped document gets a diagnostic.
    pub fn at_most(mut self, max: usize) -> Self {
        self.settings.at_most = Some(max);
        self
    }

    /// Limits the size of the tool `skill`, including its description and schema, in [tokens](crate::selection::tokens). Defaults
    /// to 2,000.
    pub fn skill_budget(mut self, tokens: usize) -> Self {
        self.settings.skill_budget = tokens;
        self
    }

    /// Sets the exposure of a document or skill in a [selection](crate::selection) and, for a document, in the tool `skill`. An
    /// unknown id causes a warning.
    pub fn exposure(mut self, id: impl Into<DocText>, exposure: Exposure) -> Self {
        self.settings.exposures.insert(id.into(), exposure);
        self
    }

    /// Disables the documents with these ids. An unknown id causes a warning.
    pub fn disabled<T: Into<DocText>>(mut self, ids: impl IntoIterator<Item = T>) -> Self {
        self.settings
            .disabled
            .extend(ids.into_iter().map(Into::into));
        self
    }

    /// Enables the bundled documents with these ids, overriding `default_enabled: false`. An unknown id causes a warning.
    pub fn enabled<T: Into<DocText>>(mut self, ids: impl IntoIterator<Item = T>) -> Self {
        self.settings
            .enabled
            .extend(ids.into_iter().map(Into::into));
        self
    }

    /// Trusts a document with the hash that a person trusted earlier. The trust ends when the document or a bundled file changes.
    pub fn trust(mut self, id: impl Into<String>, hash: ContentHash) -> Self {
        let id: String = id.into();
        self.settings.choices.trust(id.into(), hash);
        self
    }

    /// Restores a person's decisions from an earlier run, as saved from [`Catalog::choices`]. They override
    /// [`disabled`](Self::disabled), [`enabled`](Self::enabled) and the configuration. An unknown id is kept without a warning,
    /// because its document may appear again.
    pub fn choices(mut self, choices: CatalogChoices) -> Self {
        self.settings.choices.extend(choices);
        self
    }

    /// Loads the documents. Each problem becomes a diagnostic and does not prevent other documents from loading.
    #[must_use]
    pub fn load(self) -> Catalog {
        self.loaded().0
    }

    /// Loads the documents, like [`load`](Self::load), but requires the folders of required sources.
    ///
    /// # Errors
    /// Returns an error if the folder of a [`required`](Source::required) source cannot be read.
    pub fn try_load(self) -> Result<Catalog, LoadError> {
        match self.loaded() {
            (_, Some(error)) => Err(error),
            (catalog, None) => Ok(catalog),
        }
    }

    fn loaded(self) -> (Catalog, Option<LoadError>) {
        let settings = Arc::new(self.finished());
        let (snapshot, error) = load::load_with_error(&settings);
        events::emit(&snapshot.diagnostics);
        let snapshot = Arc::new(snapshot);
        (Catalog { settings, snapshot }, error)
    }

    fn finished(self) -> CatalogSettings {
        let mut settings = self.settings;
        let mut sources = self.sources;
        sources.sort_by_key(|source| rank(&source.name, &settings.order));
        let host = &*settings.host;
        let roots = sources
            .into_iter()
            .map(|source| SourceRoot::of(source, &self.dialect, host));
        settings.roots = roots.collect();
        settings
    }
}

/// Returns the precedence of a source. Sources of equal precedence stay in the order of their calls.
fn rank(name: &str, order: &[DocText]) -> (bool, usize) {
    match order.iter().position(|other| other == name) {
        Some(index) => (true, index),
        None => {
            let usual = match name {
                BUNDLED => 0,
                USER => 1,
                PROJECT => 3,
                _ => 2,
            };
            (false, usual)
        }
    }
}

impl fmt::Debug for CatalogBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CatalogBuilder")
            .field("dialect", &self.dialect.name)
            .field("sources", &self.sources)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
