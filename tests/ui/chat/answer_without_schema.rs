// The type of an answer can be read, and has no schema.
// Text of ours.
use serde::Deserialize;
use skill_agent::chat::{Chat, ChatError};

#[derive(Deserialize)]
struct Plan {
    steps: Vec<String>,
}

async fn plan(chat: &mut Chat) -> Result<usize, ChatError> {
    let plan: Plan = chat.ask("Plan my day.").await?;
    Ok(plan.steps.len())
}

fn main() {}
