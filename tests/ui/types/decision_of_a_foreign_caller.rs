// A model decides on its own request.
use skill_agent::prelude::*;
use skill_agent::server::ApprovalRequest;

agent! {
    struct Watch {
        name: "watch",
        skills: [],
    }
}

async fn decide(server: &AgentServer<Watch>, request: ApprovalRequest) {
    let model = server.on_behalf_of(ForeignCaller::Model);
    let _ = model.decide(request, true).await;
}

fn main() {}
