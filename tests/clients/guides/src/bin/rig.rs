//! Asks OpenAI with an agent of `rig`, which reads `OPENAI_API_KEY` and `OPENAI_BASE_URL` and runs the calls itself.

use client_guides::Assistant;
use rig::AgentBuilder;
use rig::providers::openai::OpenAI;
use rig::tool::{DynamicTool, ToolExecutionError, ToolOutput};
use skill_agent::AgentServer;
use skill_agent::models::Provider;
use skill_agent::prelude::*;
use std::error::Error;

/// Returns a server's tools in the form that `rig` expects.
async fn tools(server: &AgentServer<Assistant>) -> Result<Vec<DynamicTool>, Box<dyn Error>> {
    let model = server.on_behalf_of(ForeignCaller::Model);
    let mut tools = Vec::new();
    for tool in model.tools().await? {
        let schema = Provider::OPENAI_CHAT.schema(&tool.input_schema)?;
        let (model, name) = (model.clone(), tool.name.clone());
        let call = move |arguments: serde_json::Value| {
            let (model, name) = (model.clone(), name.clone());
            Box::pin(async move {
                let called = model.call_json(name, arguments.to_string()).await;
                called
                    .map(ToolOutput::text)
                    .map_err(|error| ToolExecutionError::other(error.to_string()))
            }) as _
        };
        tools.push(DynamicTool::new(
            tool.name.try_into()?,
            tool.description,
            schema,
            call,
        ));
    }
    Ok(tools)
}

async fn ask(server: &AgentServer<Assistant>, question: &str) -> Result<String, Box<dyn Error>> {
    let model = OpenAI::from_env()?.chat("gpt-5");
    let agent = AgentBuilder::new(model)
        .dynamic_tools(tools(server).await?)
        .default_max_turns(8);
    Ok(agent.build().prompt(question).await?.output())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = AgentServer::builder(Assistant::new()).start().await?;
    println!("{}", ask(&server, "Remember to buy milk.").await?);
    server.stop().await?;
    Ok(())
}
