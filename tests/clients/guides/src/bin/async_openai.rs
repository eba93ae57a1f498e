//! Asks OpenAI with `async-openai`, which reads `OPENAI_API_KEY` and `OPENAI_BASE_URL`.

use async_openai::Client;
use async_openai::types::chat::{ChatCompletionRequestUserMessage, CreateChatCompletionRequest};
use client_guides::Assistant;
use skill_agent::models::{Finish, Provider, ToolsJson, openai};
use skill_agent::prelude::*;
use std::error::Error;

async fn ask(agent: &mut Assistant, question: &str) -> Result<String, Box<dyn Error>> {
    let client = Client::new();
    let mut request = CreateChatCompletionRequest {
        model: "gpt-5".to_owned(),
        messages: vec![ChatCompletionRequestUserMessage::from(question).into()],
        tools: Some(serde_json::from_str(Assistant::tools_json(
            Provider::OPENAI_CHAT,
        )?)?),
        ..Default::default()
    };
    loop {
        let response = client.chat().create(request.clone()).await?;
        let completion = openai::chat::read(&serde_json::to_string(&response)?)?;
        match completion.finish {
            Finish::Calls => {}
            Finish::Answered => return Ok(completion.text()),
            other => return Err(format!("the model did not answer: {other:?}").into()),
        }
        let results = completion.calls().map(|call| {
            let called = agent.call_json(&call.name, &call.arguments);
            call.result(called.map(|called| called.output))
        });
        let results = openai::chat::results(&results.collect::<Vec<_>>());
        for message in completion.messages.iter().chain(&results) {
            request.messages.push(serde_json::from_str(message)?);
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{}",
        ask(&mut Assistant::new(), "Remember to buy milk.").await?
    );
    Ok(())
}
