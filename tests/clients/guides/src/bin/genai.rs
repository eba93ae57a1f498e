//! Asks a model with `genai`. The model is at `GENAI_1_ENDPOINT`, and its key is in `GENAI_1_API_KEY`.

use client_guides::Assistant;
use genai::Client;
use genai::chat::{ChatRequest, Tool, ToolResponse};
use skill_agent::AgentServer;
use skill_agent::models::{Provider, SchemaError, ToolCall};
use skill_agent::prelude::*;
use std::error::Error;

/// Returns the tools in `genai`'s own type, each with its schema.
fn tools() -> Result<Vec<Tool>, SchemaError> {
    let tools = Assistant::tools().iter().map(|tool| {
        let schema = Provider::OPENAI_CHAT.schema(tool.input_schema())?;
        Ok(Tool::new(tool.name)
            .with_description(tool.description)
            .with_schema(schema))
    });
    tools.collect()
}

async fn ask(server: &AgentServer<Assistant>, question: &str) -> Result<String, Box<dyn Error>> {
    let (client, model) = (Client::new()?, server.on_behalf_of(ForeignCaller::Model));
    let mut request = ChatRequest::from_user(question).with_tools(tools()?);
    loop {
        let response = client
            .exec_chat("genai_1::gpt-5", request.clone(), None)
            .await?;
        let calls: Vec<_> = response.tool_calls().into_iter().cloned().collect();
        if calls.is_empty() {
            return response
                .into_first_text()
                .ok_or_else(|| "the model did not answer".into());
        }
        request
            .messages
            .extend(response.into_assistant_message_for_tool_use());
        for call in &calls {
            let ours = ToolCall::new(&call.fn_name, call.fn_arguments.to_string());
            let result = ours.result(model.call_json(&ours.name, &ours.arguments).await);
            request = request.append_message(ToolResponse::from_tool_call(call, result.content));
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = AgentServer::builder(Assistant::new()).start().await?;
    println!("{}", ask(&server, "Remember to buy milk.").await?);
    server.stop().await?;
    Ok(())
}
