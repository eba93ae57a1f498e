//! A catalog as a source of tools that load documents for a model.

use super::{Listed, Version};
use crate::list::ListedTool;
use skill_agent_documents::__private::{FILE_TOOL, SEARCH_TOOL, SKILL_TOOL, ToolProblem};
use skill_agent_documents::Catalog;
use skill_core::Tool;
use std::sync::{Arc, PoisonError, RwLock};

/// A loaded catalog, either owned or in an `Arc`. Do not implement this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a loaded catalog",
    label = "not a `Catalog`",
    note = "the builder of a catalog ends with `.load()`, or with `.try_load()?` for sources that are required"
)]
pub trait IntoCatalog {
    #[doc(hidden)]
    fn into_catalog(self) -> Arc<Catalog>;
}

impl IntoCatalog for Catalog {
    fn into_catalog(self) -> Arc<Catalog> {
        self.into()
    }
}

impl IntoCatalog for Arc<Catalog> {
    fn into_catalog(self) -> Arc<Catalog> {
        self
    }
}

/// A catalog that your program may replace.
#[derive(Debug)]
pub(crate) struct CatalogSource {
    current: RwLock<Arc<Current>>,
}

#[derive(Debug)]
struct Current {
    catalog: Arc<Catalog>,
    tools: Vec<Arc<ListedTool>>,
    /// How many times the catalog has been replaced.
    generation: u64,
}

/// The answer of a catalog's tool.
pub(crate) struct CatalogAnswer {
    pub(crate) text: String,
    /// The id of the loaded document.
    pub(crate) loaded: Option<String>,
    /// The catalog that answered.
    pub(crate) catalog: Arc<Catalog>,
}

impl CatalogSource {
    /// The name of the source, and the lane of its tools, all of which only read.
    pub(crate) const NAME: &'static str = "catalog";

    pub(crate) fn new(catalog: Arc<Catalog>) -> Self {
        Self {
            current: RwLock::new(Arc::new(Current::new(catalog, 0))),
        }
    }

    fn current(&self) -> Arc<Current> {
        let current = self.current.read();
        Arc::clone(&current.unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.current().catalog)
    }

    /// Returns whether the catalog lists a tool.
    pub(crate) fn has_tool(&self, name: &str) -> bool {
        let current = self.current();
        current.tools.iter().any(|listed| listed.tool.name == name)
    }

    pub(crate) fn replace(&self, catalog: Arc<Catalog>) {
        let next = Current::new(catalog, 0);
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        let generation = current.generation + 1;
        *current = Arc::new(Current { generation, ..next });
    }

    pub(super) fn generation(&self) -> u64 {
        self.current().generation
    }

    pub(super) fn listed(&self) -> Listed {
        let current = self.current();
        Listed {
            tools: current.tools.clone(),
            version: Version::Generation(current.generation),
        }
    }

    pub(super) fn list(&self, known: &Version) -> Option<Listed> {
        let listed = self.listed();
        match (known, &listed.version) {
            (Version::Generation(known), Version::Generation(now)) if known == now => None,
            _ => Some(listed),
        }
    }

    /// Answers a call, on a thread that may block on files.
    ///
    /// # Errors
    /// Returns an error if the arguments are invalid, or if the document or file cannot be read.
    pub(crate) async fn call(
        &self,
        tool: &str,
        arguments: String,
    ) -> Result<CatalogAnswer, ToolProblem> {
        let (catalog, tool) = (self.catalog(), tool.to_owned());
        let answer = move || {
            let mut loaded = None;
            let text = match tool.as_str() {
                SKILL_TOOL => {
                    let (entry, text) = catalog.load_for_model(&arguments)?;
                    loaded = Some(entry.id.to_string());
                    text
                }
                SEARCH_TOOL => catalog.search_for_model(&arguments)?,
                FILE_TOOL => catalog.read_file_for_model(&arguments)?,
                _ => return Err(failed("the catalog has no such tool")),
            };
            Ok(CatalogAnswer {
                text,
                loaded,
                catalog,
            })
        };
        let answered = tokio::task::spawn_blocking(answer).await;
        answered.unwrap_or_else(|error| {
            tracing::error!(%error, "the catalog did not answer");
            Err(failed("the catalog did not answer"))
        })
    }
}

fn failed(message: &str) -> ToolProblem {
    ToolProblem::Failed(message.to_owned())
}

impl Current {
    fn new(catalog: Arc<Catalog>, generation: u64) -> Self {
        let tools = [
            catalog.skill_tool(),
            catalog.search_tool(),
            catalog.skill_file_tool(),
        ];
        let has_discovered = catalog.offers_discovered();
        let listed = |tool: Tool<'_>| {
            let mut tool = tool.to_buf();
            // although a person trusted these documents, a stranger wrote them
            tool.hints.reads_untrusted |= has_discovered;
            Arc::new(ListedTool::builtin(tool, CatalogSource::NAME))
        };
        Self {
            tools: tools.into_iter().flatten().map(listed).collect(),
            catalog,
            generation,
        }
    }
}
