// A typed answer borrows its texts from the completion.
// Text of rustc, `is not general enough`: docs/chat.md has the cure.
use schemars::JsonSchema;
use serde::Deserialize;
use skill_agent::chat::{Chat, ChatError};

/// A plan.
#[derive(Deserialize, JsonSchema)]
struct Plan<'a> {
    title: &'a str,
}

async fn plan(chat: &mut Chat) -> Result<(), ChatError> {
    let plan: Plan<'_> = chat.ask("Plan my day.").await?;
    println!("{}", plan.title);
    Ok(())
}

fn main() {}
