//! A toolbox: all tools that one model or client may call.

mod error;
mod list;
mod merged;
mod origin;
mod output;
mod session;
mod shared;

pub use error::ToolError;
pub use list::{Instructions, ListedTool, ToolList, Withheld};
pub use output::{OutputPart, ToolOutput};
pub use session::ToolSession;

use crate::AgentServer;
use origin::ServerOrigin;
use shared::{Shared, Source};
use skill_core::{Agent, ForeignCaller};
use std::sync::Arc;

/// All tools that one model or client may call. Clones are cheap and share it; it keeps nothing of a caller.
///
/// It has handles to its servers, so that they do not stop while it exists.
#[derive(Clone, Debug)]
pub struct Toolbox {
    shared: Arc<Shared>,
}

impl Toolbox {
    /// A toolbox with the tools of one server. The guard and the approver of the server decide on them.
    pub fn of<G: Agent>(server: &AgentServer<G>) -> Self {
        let origin = ServerOrigin::new(server.clone().erase());
        Self {
            shared: Arc::new(Shared::new(vec![Source { origin }])),
        }
    }

    /// Returns a session for one conversation or client, which calls on behalf of this caller.
    pub fn session(&self, caller: ForeignCaller) -> ToolSession {
        ToolSession::new(Arc::clone(&self.shared), caller)
    }

    /// The instructions of the skills, in the order of the list; those of mounted skills as they were last listed.
    pub fn instructions(&self) -> Vec<Instructions> {
        self.shared.instructions()
    }
}
