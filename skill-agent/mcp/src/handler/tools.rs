//! The list of tools in MCP's form.

use crate::tool::converted;
use rmcp::ErrorData;
use rmcp::model::Tool;
use skill_agent_toolbox::__private::TOOLBOX;
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
    /// Leaves out tools that MCP cannot express.
    fn new(list: Arc<ToolList>) -> Self {
        let tools = list.tools.iter().filter_map(|listed| {
            let name = &listed.tool.name;
            converted(&listed.tool.as_tool())
                .inspect_err(|error| tracing::warn!(tool = %name, %error, "a tool is not listed for MCP clients"))
                .ok()
        });
        let tools = tools.collect();
        Self { list, tools }
    }

    pub(super) fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// Returns an error if the list is empty because its sources fail. Without the error, a client would go on as if there were no
    /// tools.
    pub(super) fn check_sources(&self) -> Result<(), ErrorData> {
        let ToolList {
            tools, withheld, ..
        } = &*self.list;
        // a single tool may be withheld from a source that works
        let failing = withheld.iter().filter(|withheld| withheld.tool.is_none());
        let sources: Vec<&str> = failing.map(|withheld| &*withheld.source).collect();
        // the toolbox's own tool for cut results does not count
        if sources.is_empty() || tools.iter().any(|listed| listed.source != TOOLBOX) {
            return Ok(());
        }
        let sources = sources.join("`, `");
        // the reasons may say more than a client should know
        let text = format!("the tools of `{sources}` are withheld; the log of the server says why");
        Err(ErrorData::internal_error(text, None))
    }

    /// Returns the generation of the toolbox's list.
    pub(super) fn generation(&self) -> u64 {
        self.list.generation
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
    pub(super) async fn listed(&self, toolbox: &Toolbox) -> Arc<McpList> {
        let list = toolbox.session(ForeignCaller::Mcp).list().await;
        if let Some(known) = self.known()
            && known.list.generation >= list.generation
        {
            return known;
        }
        let made = Arc::new(McpList::new(list));
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // another request may have made a newer one
        match &*known {
            Some(newer) if newer.list.generation >= made.list.generation => Arc::clone(newer),
            _ => Arc::clone(known.insert(made)),
        }
    }
}
