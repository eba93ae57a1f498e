// An approver returns a boolean without a future.
// Text of ours.
use fixture_ui::counter::Counter;
use skill_agent::prelude::*;
use skill_agent::server::ApprovalRequest;

agent! { struct Clerk { name: "clerk", skills: [Counter] } }

async fn serve() {
    let approver = |request: ApprovalRequest| request.tool.name == "increment";
    let _ = AgentServer::builder(Clerk::new()).approver(approver).start().await;
}

fn main() {}
