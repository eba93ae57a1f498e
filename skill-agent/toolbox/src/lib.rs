//! A toolbox: all tools that one model or client may call.

mod builder;
mod error;
mod guarding;
mod join;
mod list;
mod merged;
mod output;
mod problem;
mod reserved;
mod rules;
mod session;
mod shared;
mod source;
mod sources;
#[cfg(test)]
mod tests;

pub use builder::ToolboxBuilder;
pub use error::ToolError;
pub use list::{Instructions, ListedTool, ToolList, Withheld};
pub use output::{OutputPart, ToolOutput};
pub use problem::{ToolboxError, ToolboxProblem};
pub use session::ToolSession;
pub use skill_agent_server::BoxFuture;
pub use source::{SourceCall, SourceError, SourceTool, ToolSource};
#[cfg(feature = "documents")]
pub use sources::IntoCatalog;

/// For the other crates of `skill-agent`. Not part of the public interface: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::list::ToolKind;
    pub use crate::reserved::TOOLBOX;
}

use guarding::Guarding;
use shared::{Settings, Shared};
#[cfg(feature = "documents")]
use skill_agent_documents::Catalog;
use skill_agent_server::AgentServer;
use skill_core::{Agent, ForeignCaller};
use sources::{ServerSource, Source};
use std::sync::Arc;

/// All tools that one model or client may call. Clones are cheap and share it; it keeps nothing of a caller.
///
/// It has handles to its servers, so that they do not stop while it exists.
#[derive(Clone, Debug)]
pub struct Toolbox {
    shared: Arc<Shared>,
}

impl Toolbox {
    /// Not `new`: rustc would show it instead of [`of`](Self::of).
    fn of_shared(shared: Shared) -> Self {
        Self {
            shared: Arc::new(shared),
        }
    }

    /// A toolbox with the tools of one server. The guard and the approver of the server decide on them.
    ///
    /// The server is not asked: skills that were mounted before are in the first list of a session, and their
    /// [instructions](Self::instructions) from then on. [`ToolboxBuilder::build`] asks it at once.
    pub fn of<G: Agent>(server: &AgentServer<G>) -> Self {
        let source = Source::Server(ServerSource::new(server.clone().erase()));
        Self::of_shared(Shared::new(
            vec![source],
            Guarding::default(),
            Settings::default(),
        ))
    }

    /// Creates a builder, for several sources.
    pub fn builder() -> ToolboxBuilder {
        ToolboxBuilder::default()
    }

    /// Returns a session for one conversation or client, which calls on behalf of this caller.
    pub fn session(&self, caller: ForeignCaller) -> ToolSession {
        ToolSession::new(Arc::clone(&self.shared), caller)
    }

    /// The instructions of the skills, in the order of the list; for mounted skills as they were last listed. After
    /// [`of`](Self::of) none was listed yet.
    pub fn instructions(&self) -> Vec<Instructions> {
        self.shared.instructions()
    }

    /// The catalog, if there is one.
    #[cfg(feature = "documents")]
    pub fn catalog(&self) -> Option<Arc<Catalog>> {
        self.shared.catalog().map(|source| source.catalog())
    }

    /// Replaces the catalog, for example after a [reload](Catalog::reload). All sessions use it from now on. Has no effect without
    /// a catalog.
    #[cfg(feature = "documents")]
    pub fn set_catalog(&self, catalog: impl IntoCatalog) {
        if let Some(source) = self.shared.catalog() {
            source.replace(catalog.into_catalog());
        }
    }
}
