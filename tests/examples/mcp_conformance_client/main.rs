//! The client that the conformance suite of MCP starts, with the URL of the suite's server as its argument: an [`McpClient`] in a toolbox.
//!
//! It calls the tools that the suite names in the variable `MCP_CONFORMANCE_CONTEXT`, or else each listed tool once, with values of the
//! types in its schema.

mod sign_in;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use skill_agent::mcp::McpClient;
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Verdict};
use skill_agent::toolbox::{ListedTool, Toolbox};
use std::env;
use std::sync::Arc;

/// The tool that expects the schema of another one as its argument `schema`.
const ECHO: &str = "far__json_schema_echo";

#[derive(Default, Deserialize)]
struct Suite {
    #[serde(default, rename = "toolCalls")]
    calls: Vec<Call>,
}

/// A call that the suite asks for.
#[derive(Deserialize)]
struct Call {
    name: String,
    arguments: Value,
}

fn calls(tools: &[Arc<ListedTool>]) -> Result<Vec<Call>, serde_json::Error> {
    let suite: Suite = match env::var("MCP_CONFORMANCE_CONTEXT") {
        Ok(context) => serde_json::from_str(&context)?,
        Err(_) => Suite::default(),
    };
    if !suite.calls.is_empty() {
        return Ok(suite.calls.into_iter().map(Call::at_far).collect());
    }
    let of_first = || tools.first().map(|listed| &listed.tool.input_schema);
    let calls = tools.iter().map(|listed| Call {
        name: listed.tool.name.clone(),
        arguments: match &*listed.tool.name {
            ECHO => json!({ "schema": of_first() }),
            _ => sample(&listed.tool.input_schema),
        },
    });
    Ok(calls.collect())
}

impl Call {
    /// Leaves out arguments that are null, which the toolbox refuses if the schema does not allow them.
    fn at_far(mut self) -> Self {
        self.name = format!("far__{}", self.name);
        if let Value::Object(arguments) = &mut self.arguments {
            arguments.retain(|_, value| !value.is_null());
        }
        self
    }
}

/// Arguments with the types in a schema.
fn sample(schema: &Value) -> Value {
    let properties = schema["properties"].as_object();
    let properties = properties.into_iter().flatten();
    let values = properties.map(|(name, property)| {
        let value = match property["type"].as_str() {
            Some("number" | "integer") => json!(1),
            Some("boolean") => json!(true),
            Some("object") => json!({}),
            Some("array") => json!([]),
            Some("null") => Value::Null,
            _ => json!("text"),
        };
        (name.clone(), value)
    });
    Value::Object(values.collect::<Map<_, _>>())
}

/// Lists the skills, and loads them unless no file may be read.
async fn load_skills(client: &McpClient, scenario: &str) -> Result<(), sign_in::Failure> {
    let skills = client.skills().await?;
    if scenario == "sep-2640-client-no-prefetch" {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    client.download_skills(skills, folder.path()).await?;
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), sign_in::Failure> {
    let url = env::args()
        .nth(1)
        .ok_or("the URL of the server is missing")?;
    let scenario = env::var("MCP_CONFORMANCE_SCENARIO").unwrap_or_default();
    let client = if scenario.starts_with("auth/") {
        sign_in::opened(url, &scenario).await?
    } else {
        McpClient::http(url).await?
    };
    if scenario.starts_with("sep-2640-") {
        return load_skills(&client, &scenario).await;
    }
    let toolbox = Toolbox::builder()
        .mcp("far", client)
        .approver(|_: ApprovalRequest| Verdict::Approve)
        .build()
        .await?;
    let session = toolbox.session(ForeignCaller::Model);
    let list = session.list().await;
    for call in calls(&list.tools)? {
        match session.call(&call.name, &call.arguments.to_string()).await {
            Ok(output) => println!("{}: {}", call.name, output.text()),
            Err(error) => println!("{}: error: {error}", call.name),
        }
    }
    Ok(())
}
