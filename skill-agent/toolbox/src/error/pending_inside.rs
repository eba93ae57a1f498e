//! Calls that wait for approval of calls inside them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent_server::ApprovalRequest;

/// A call that waits for approval of calls inside it, such as the calls of a chat that runs as a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PendingInside {
    /// The call itself, as an approval request with the toolbox's seal.
    pub request: ApprovalRequest,
    /// The requests of the calls inside.
    pub requests: Vec<ApprovalRequest>,
    /// The source's own data about the call, from [`SourceError::with_state`](crate::SourceError::with_state).
    pub state: Value,
}

impl PendingInside {
    /// Returns the request whose seal covers all that the call waits for.
    pub(crate) fn sealed(&self) -> ApprovalRequest {
        let mut request = self.request.clone();
        request.arguments = json!([request.arguments, self.requests, self.state]);
        request
    }

    pub(super) fn names(&self) -> String {
        let names = self.requests.iter();
        let names: Vec<_> = names
            .map(|request| format!("`{}`", request.tool.name))
            .collect();
        names.join(", ")
    }
}
