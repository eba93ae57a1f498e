// The type of an answer has no derives.
// Text of ours.
use skill_agent::chat::{Chat, ChatError};

struct Plan {
    steps: Vec<String>,
}

async fn plan(chat: &mut Chat) -> Result<usize, ChatError> {
    let plan = chat.ask::<Plan>("Plan my day.").await?;
    Ok(plan.steps.len())
}

fn main() {}
