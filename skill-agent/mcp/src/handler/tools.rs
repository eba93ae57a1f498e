//! The list of tools in MCP's form.

use rmcp::ErrorData;
use rmcp::model::Tool;
use skill_agent_models::Provider;
use skill_agent_toolbox::{ToolList, Toolbox};
use skill_core::ForeignCaller;
use std::sync::{Arc, Mutex, PoisonError};

/// A toolbox's list, in both forms.
#[derive(Debug)]
pub(super) struct McpList {
    list: Arc<ToolList>,
    tools: Vec<Tool>,
}

impl McpList {
    fn new(list: Arc<ToolList>) -> Result<Self, ErrorData> {
        let tools = list.tools.iter().map(|listed| {
            let tool = Provider::MCP.tool(&listed.tool.as_tool())?;
            Ok(serde_json::from_value(tool)?)
        });
        let tools = tools.collect::<Result<_, Box<dyn std::error::Error>>>();
        let tools = tools.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(Self { list, tools })
    }

    pub(super) fn tools(&self) -> &[Tool] {
        &self.tools
    }

    pub(super) fn get(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }
}

/// The last list that was made.
#[derive(Debug, Default)]
pub(super) struct Tools(Mutex<Option<Arc<McpList>>>);

impl Tools {
    pub(super) fn known(&self) -> Option<Arc<McpList>> {
        // no user code runs under the lock
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Asks the toolbox for its list. The list is the same for all clients: a document that is active for one of them does not
    /// restrict it.
    pub(super) async fn listed(&self, toolbox: &Toolbox) -> Result<Arc<McpList>, ErrorData> {
        let list = toolbox.session(ForeignCaller::Mcp).list().await;
        if let Some(known) = self.known()
            && Arc::ptr_eq(&known.list, &list)
        {
            return Ok(known);
        }
        let made = Arc::new(McpList::new(list)?);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&made));
        Ok(made)
    }
}
