//! A toolbox: all tools that one model or client may call.

mod ask_servers;
mod builder;
mod error;
mod guarding;
mod join;
mod list;
mod output;
mod problem;
mod rules;
mod session;
mod shared;
mod source;
mod sources;
#[cfg(test)]
mod tests;
mod turn_contexts;

pub use builder::ToolboxBuilder;
pub use error::{PendingInside, ToolError};
pub use list::{Instructions, ListedTool, ToolGroup, ToolList, Withheld};
pub use output::{OutputPart, ToolOutput};
pub use problem::{ToolboxError, ToolboxProblem};
pub use session::{ToolNow, ToolSession, ToolsNow};
pub use skill_agent_server::BoxFuture;
pub use source::{SourceCall, SourceDecision, SourceError, SourceTool, ToolSource, WrappedSource};
#[cfg(feature = "documents")]
pub use sources::IntoCatalog;

/// For the other crates of `skill-agent`. Not part of the public API; may change without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::list::ToolKind;
    pub use crate::list::reserved::TOOLBOX;
    #[cfg(feature = "documents")]
    pub use crate::session::DocumentRights;
    pub use crate::session::{CallAttempt, HeldCall};
    pub use crate::turn_contexts::AgentContexts;
}

use guarding::Guarding;
use shared::{Settings, Shared};
#[cfg(feature = "documents")]
use skill_agent_documents::Catalog;
#[cfg(feature = "documents")]
use skill_agent_documents::selection::SelectionPolicy;
use skill_agent_server::AgentServer;
use skill_core::ForeignCaller;
use skill_core::spec::AgentSpec;
use sources::{ServerSource, Source};
use std::sync::Arc;

/// All tools that one model or client may call. Clones are cheap and share the same data, which includes nothing about a caller.
///
/// A toolbox has handles to its servers, so the servers keep running as long as it exists.
#[derive(Clone, Debug)]
pub struct Toolbox {
    shared: Arc<Shared>,
    /// Why this handle withholds the documents, if it does.
    no_documents: Option<Arc<str>>,
}

impl Toolbox {
    /// Not called `new`, because rustc would suggest it instead of [`of`](Self::of).
    fn of_shared(shared: Shared) -> Self {
        Self {
            shared: Arc::new(shared),
            no_documents: None,
        }
    }

    /// Creates a toolbox with the tools of one server, on which the server's guard and approver decide.
    ///
    /// This does not contact the server. Skills that are already mounted, and their [instructions](Self::instructions), appear
    /// with a session's first list. [`ToolboxBuilder::build`] contacts the server at once.
    pub fn of<G>(server: &AgentServer<G>) -> Self {
        let source = Source::Server(ServerSource::new(server.clone().erase()));
        Self::of_shared(Shared::new(
            vec![source],
            Guarding::default(),
            Settings::default(),
        ))
    }

    /// Creates a builder for several sources.
    pub fn builder() -> ToolboxBuilder {
        ToolboxBuilder::default()
    }

    /// Creates a session for one conversation or client, whose calls run on behalf of `caller`.
    pub fn session(&self, caller: ForeignCaller) -> ToolSession {
        ToolSession::new(Arc::clone(&self.shared), caller, self.no_documents.clone())
    }

    /// Returns the instructions of the skills in list order, including skills that were mounted at the time of the last list. A
    /// toolbox from [`of`](Self::of) has no list at first.
    pub fn instructions(&self) -> Vec<Instructions> {
        self.shared.instructions()
    }

    /// Returns the agents of the servers, in source order.
    #[doc(hidden)]
    pub fn agents(&self) -> Vec<&'static AgentSpec> {
        let sources = self.shared.sources.iter();
        sources.filter_map(Source::agent).collect()
    }

    /// Returns the list of the last refresh, without asking the sources.
    #[doc(hidden)]
    pub fn known_list(&self) -> Arc<ToolList> {
        Arc::clone(&self.shared.merged().list)
    }

    /// Returns a handle to the same tools that withholds the documents of the catalog. Its sessions and chats neither list nor
    /// select a document, and a call to a tool of the catalog is an error. Deferred skills and sources still load.
    ///
    /// The reason is for people and for the model: `"the agent is not allowed to use documents"`.
    /// [`withheld`](ToolList::withheld) and the error have it.
    #[cfg(feature = "documents")]
    #[must_use]
    pub fn without_documents(mut self, reason: impl Into<String>) -> Self {
        self.no_documents = Some(reason.into().into());
        self
    }

    /// Returns whether this handle [withholds](Self::without_documents) a source.
    #[cfg(feature = "documents")]
    #[doc(hidden)]
    pub fn withholds(&self, source: &str) -> bool {
        self.no_documents.is_some() && self.shared.catalog_name() == Some(source)
    }

    /// Returns the catalog. Returns `None` if the toolbox has none or this handle is [without documents](Self::without_documents).
    #[cfg(feature = "documents")]
    pub fn catalog(&self) -> Option<Arc<Catalog>> {
        let catalog = self.shared.catalog().map(|source| source.catalog());
        catalog.filter(|_| self.no_documents.is_none())
    }

    /// Returns the policy for activating documents.
    #[cfg(feature = "documents")]
    pub fn selection_policy(&self) -> SelectionPolicy {
        self.shared.settings.policy.clone()
    }

    /// Replaces the catalog in all sessions, for example after a [reload](Catalog::reload). Does nothing if the toolbox has no
    /// catalog.
    #[cfg(feature = "documents")]
    pub fn set_catalog(&self, catalog: impl IntoCatalog) {
        if let Some(source) = self.shared.catalog() {
            source.replace(catalog.into_catalog());
        }
    }
}
