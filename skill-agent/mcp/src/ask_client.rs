//! An approver that asks the person at an MCP client.

use skill_agent_server::{ApprovalRequest, Approver, BoxFuture, Verdict};
use skill_core::CallerKind;
use std::fmt;
use std::sync::Arc;

/// Creates an approver that asks the person at the MCP client that makes the call.
///
/// The client shows a form with the call. If the client cannot show forms, the call is denied, and the model reads why. Calls of
/// other callers, such as a chat of your program, are denied, unless there is [another approver](AskClient::or) for them.
///
/// ```
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// use skill_agent::mcp;
/// use skill_agent::prelude::*;
/// # /// Counts.
/// # #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
/// # #[serde(default)]
/// # #[skill(name = "counter", actions(Reset))]
/// # pub struct Counter { count: u32 }
/// # /// Start again.
/// # #[action(destructive)]
/// # pub fn reset(counter: &mut Counter) { counter.count = 0 }
/// # agent! { pub struct Clerk { name: "clerk", skills: [Counter] } }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = AgentServer::builder(Clerk::new()).approver(mcp::ask_client()).start().await?;
/// # Ok(())
/// # }
/// ```
pub fn ask_client() -> AskClient {
    AskClient { other: None }
}

/// An approver that asks the person at an MCP client. Created by [`ask_client`].
#[derive(Clone)]
pub struct AskClient {
    other: Option<Arc<dyn Approver>>,
}

impl AskClient {
    /// Sets the approver for callers that are not MCP clients.
    #[must_use]
    pub fn or(self, approver: impl Approver) -> Self {
        Self {
            other: Some(Arc::new(approver)),
        }
    }
}

impl fmt::Debug for AskClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AskClient").finish_non_exhaustive()
    }
}

#[diagnostic::do_not_recommend]
impl Approver for AskClient {
    fn approve(&self, request: ApprovalRequest) -> BoxFuture<'static, Verdict> {
        let verdict = match &self.other {
            _ if request.caller.kind() == CallerKind::Mcp => Verdict::AskCaller,
            Some(other) => return other.approve(request),
            None => Verdict::Deny("only the person at an MCP client can approve it".into()),
        };
        Box::pin(std::future::ready(verdict))
    }
}
