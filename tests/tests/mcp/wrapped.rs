//! A server over HTTP with a handler of the program's own.

use crate::http::{call, initialize, office};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::json;
use skill_agent::mcp::{self, Handler};
use skill_agent::toolbox::Toolbox;

/// Answers calls of `ring`, and passes the others on.
struct Doorbell(Handler);

impl ServerHandler for Doorbell {
    fn get_info(&self) -> ServerConfig {
        self.0.get_info()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != "ring" {
            return self.0.call_tool(request, context).await;
        }
        let text = ContentBlock::text("ding");
        Ok(CallToolResult::success(vec![text]).into())
    }
}

#[timed_test::test]
async fn a_wrapped_handler_answers_some_requests_itself() {
    let server = office().await;
    let http = mcp::http(Toolbox::of(&server)).wrap(Doorbell);
    let http = http.bind("127.0.0.1:0").await.unwrap();
    let address = http.local_addr();
    let rung = call(address, &[], "ring", json!({})).await;
    assert_eq!(rung.message()["result"]["content"][0]["text"], "ding");
    let notes = call(address, &[], "notes", json!({})).await;
    assert_eq!(notes.message()["result"]["structuredContent"], json!([]));
    // the earlier era, too
    let opened = initialize(address, &[]).await;
    assert_eq!(opened.message()["result"]["serverInfo"]["name"], "office");
}
