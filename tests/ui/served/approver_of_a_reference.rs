// An approver takes its request by reference.
// Text of rustc, `E0631`: docs/guarding.md has the cure.
use fixture_ui::counter::Counter;
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Verdict};

agent! { struct Clerk { name: "clerk", skills: [Counter] } }

async fn serve() {
    let approver = |_: &ApprovalRequest| async { Verdict::Approve };
    let _ = AgentServer::builder(Clerk::new()).approver(approver).start().await;
}

fn main() {}
