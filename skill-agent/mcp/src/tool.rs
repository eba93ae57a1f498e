//! Tools in MCP's form.

use skill_agent_models::Provider;
use std::error::Error;

pub(crate) fn converted(tool: &skill_core::Tool<'_>) -> Result<rmcp::model::Tool, Box<dyn Error>> {
    let tool = Provider::MCP.tool(tool)?;
    Ok(serde_json::from_value(tool)?)
}
