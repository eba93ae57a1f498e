//! Configures and loads a catalog.

use super::agent_facts::AgentFacts;
use super::settings::SourceRoot;
use super::{Catalog, CatalogChoices, CatalogSettings, events, load};
use crate::selection::Exposure;
use crate::skill_list::DEFAULT_BUDGET;
use crate::source::{BUNDLED, PROJECT, USER};
use crate::{
    ContentHash, Dialect, DocText, Documents, Host, LoadError, Source, Sources, SystemHost,
};
use skill_core::Agent;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// Builds a [`Catalog`] from sources, and from what their documents are checked against.
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

    /// Adds the sources of a configuration or of discovery, and disables the documents that the configuration disables.
    /// [`max_skills`](Sources::max_skills) is a limit for selecting documents per request, which
    /// [`Catalog::configured`](super::Catalog::configured) puts into a policy, and does not limit the catalog.
    pub fn sources(mut self, sources: Sources) -> Self {
        self.settings.max_skills = sources.max_skills.or(self.settings.max_skills);
        self.sources.extend(sources.list);
        self.disabled(sources.disabled.into_owned())
    }

    /// Sets the precedence of the sources with these names, lowest first. A source that is not named ranks below all of them. A
    /// name that no source has is a warning.
    pub fn order<T: Into<DocText>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.settings.order = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the agent. Its documents become bundled documents, and all documents are checked against its skills and tools by
    /// the rules that apply to its own documents at compile time. Toolsets are bound to the types of its skills; without an
    /// agent, a document that names a toolset is left out, since code is never loaded from its folder. Commands of mode
    /// `tool_dispatch` call its tools, and its key `allow_skills` says whether documents are offered to a model.
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

    /// Adds available tools to the tools of an agent. If neither this nor [`agent`](Self::agent) is called, the tools
    /// are unknown, and `requires_tools` and `command_tool` are not checked.
    pub fn tools<T: Into<DocText>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        let tools = self.settings.tools.get_or_insert_default();
        tools.extend(names.into_iter().map(Into::into));
        self
    }

    /// Sets whether the documents are offered to a model. The default is the key `allow_skills` of the [`agent`](Self::agent),
    /// or true without an agent.
    pub fn allow_skills(mut self, allow: bool) -> Self {
        self.settings.allow_skills = Some(allow);
        self
    }

    /// Reserves commands of the program, in addition to `skills`, `skill`, `help` and `reload_skills`. No document may claim
    /// them.
    pub fn reserved<T: Into<DocText>>(mut self, commands: impl IntoIterator<Item = T>) -> Self {
        let commands = commands.into_iter().map(Into::into);
        self.settings.reserved.extend(commands);
        self
    }

    /// Sets the machine that eligibility is checked against. The default is [`SystemHost`].
    pub fn host(mut self, host: impl Host + Send + Sync + 'static) -> Self {
        self.settings.host = Arc::new(host);
        self
    }

    /// Sets whether a model may call only the tools that all active documents list in `allowed-tools`, by their exact names; the
    /// default is false. In the open standard the key lists tools that need no approval, and documents name the tools of other
    /// programs. [`Catalog::tool_access`] applies it, and documents that allow none of the available tools are a warning.
    pub fn restrict_tools(mut self, restrict: bool) -> Self {
        self.settings.restrict_tools = restrict;
        self
    }

    /// Limits the number of documents. Documents of higher sources are kept first, then by id. Each one left out is a
    /// diagnostic.
    pub fn at_most(mut self, max: usize) -> Self {
        self.settings.at_most = Some(max);
        self
    }

    /// Limits the tool `skill`, with its description and schema, to so many [tokens](crate::selection::tokens). The
    /// default is 2,000.
    pub fn skill_budget(mut self, tokens: usize) -> Self {
        self.settings.skill_budget = tokens;
        self
    }

    /// Sets the exposure of the document or skill with this id in a [selection](crate::selection), and of a document in
    /// the tool `skill`. An id that no document or skill has is a warning.
    pub fn exposure(mut self, id: impl Into<DocText>, exposure: Exposure) -> Self {
        self.settings.exposures.insert(id.into(), exposure);
        self
    }

    /// Disables the documents with these ids. An id that no document has is a warning.
    pub fn disabled<T: Into<DocText>>(mut self, ids: impl IntoIterator<Item = T>) -> Self {
        self.settings
            .disabled
            .extend(ids.into_iter().map(Into::into));
        self
    }

    /// Enables the bundled documents with these ids although they say `default_enabled: false`. An id that no document has is a
    /// warning.
    pub fn enabled<T: Into<DocText>>(mut self, ids: impl IntoIterator<Item = T>) -> Self {
        self.settings
            .enabled
            .extend(ids.into_iter().map(Into::into));
        self
    }

    /// Trusts a document that a person has trusted before, as long as the document and its bundled files are unchanged.
    pub fn trust(mut self, id: impl Into<String>, hash: ContentHash) -> Self {
        let id: String = id.into();
        self.settings.choices.trust(id.into(), hash);
        self
    }

    /// Restores what a person decided in an earlier run: the value of [`Catalog::choices`], which the program saved. It counts
    /// more than [`disabled`](Self::disabled), [`enabled`](Self::enabled) and the configuration. An id that no document has is
    /// kept and not reported: the document may come back.
    pub fn choices(mut self, choices: CatalogChoices) -> Self {
        self.settings.choices.extend(choices);
        self
    }

    /// Loads the documents. Each problem is a diagnostic and does not keep other documents from loading.
    #[must_use]
    pub fn load(self) -> Catalog {
        self.loaded().0
    }

    /// Loads the documents.
    ///
    /// # Errors
    /// Fails if the folder of a [`required`](Source::required) source cannot be read.
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

/// Returns the precedence of a source. Sources of equal rank stay in the order in which they were added.
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
