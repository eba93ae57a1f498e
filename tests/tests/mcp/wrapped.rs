//! A server over HTTP with a handler of the program's own.

use crate::http::office;
use crate::raw::Raw;
use crate::script::{Script, tool};
use crate::support::*;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    ContentBlock, GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams, GetSkillResult,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceDirectoryRequestParams,
    ReadResourceDirectoryResult, ReadResourceRequestParams, ReadResourceResponse, ServerConfig,
    SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};
use skill_agent::mcp::{self, Auth, Handler, Principal, TokenError};
use skill_agent::prelude::*;
use skill_agent::toolbox::Toolbox;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

type Page = Option<PaginatedRequestParams>;
type Cx = RequestContext<RoleServer>;

/// Answers calls of `ring`, and passes the others on.
struct Doorbell(Handler);

impl ServerHandler for Doorbell {
    fn get_info(&self) -> ServerConfig {
        self.0.get_info()
    }

    async fn list_tools(&self, page: Page, cx: Cx) -> Result<ListToolsResult, ErrorData> {
        self.0.list_tools(page, cx).await
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.0.get_tool(name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        cx: Cx,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != "ring" {
            return self.0.call_tool(request, cx).await;
        }
        let text = ContentBlock::text("ding");
        Ok(CallToolResult::success(vec![text]).into())
    }

    async fn list_prompts(&self, page: Page, cx: Cx) -> Result<ListPromptsResult, ErrorData> {
        self.0.list_prompts(page, cx).await
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        cx: Cx,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.0.get_prompt(request, cx).await
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        cx: Cx,
    ) -> Result<CompleteResult, ErrorData> {
        self.0.complete(request, cx).await
    }

    async fn list_resources(&self, page: Page, cx: Cx) -> Result<ListResourcesResult, ErrorData> {
        self.0.list_resources(page, cx).await
    }

    async fn list_resource_templates(
        &self,
        page: Page,
        cx: Cx,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.0.list_resource_templates(page, cx).await
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        cx: Cx,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.0.read_resource(request, cx).await
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        cx: Cx,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        self.0.read_resource_directory(request, cx).await
    }

    async fn list_skills(&self, page: Page, cx: Cx) -> Result<ListSkillsResult, ErrorData> {
        self.0.list_skills(page, cx).await
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        cx: Cx,
    ) -> Result<GetSkillResult, ErrorData> {
        self.0.get_skill(request, cx).await
    }

    async fn on_initialized(&self, cx: NotificationContext<RoleServer>) {
        self.0.on_initialized(cx).await;
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        self.0.accepted_subscription_filter(requested)
    }

    async fn listen(&self, cx: SubscriptionContext) -> Result<(), ErrorData> {
        self.0.listen(cx).await
    }
}

/// Shreds the notes, and answers the form in the way of the era. Returns the form and the result.
async fn shred(raw: &Raw, action: &str) -> (Value, Value) {
    let mut call = json!({ "name": "shred", "arguments": {} });
    let answer = json!({ "action": action });
    if raw.era == Era::Stateless {
        let mut asked = raw.ask("tools/call", call.clone()).await;
        call["requestState"] = asked["requestState"].take();
        call["inputResponses"] = json!({ "approval": answer });
        return (asked, raw.ask("tools/call", call).await);
    }
    let mut messages = raw.send("tools/call", call).await;
    let form = messages.next().await;
    let answer = json!({ "jsonrpc": "2.0", "id": form["id"], "result": answer });
    assert_eq!(raw.post(&[], &answer).await.status, 202);
    (form, messages.next().await["result"].take())
}

#[timed_test::test]
async fn a_wrapped_handler_answers_some_requests_itself() {
    let server = office().await;
    let http = mcp::http(Toolbox::of(&server)).wrap(Doorbell);
    let http = http.bind("127.0.0.1:0").await.unwrap();
    for era in ERAS {
        let raw = Raw::open(http.local_addr(), era, None).await;
        assert_eq!(raw.call("ring").await, "ding");
        assert_eq!(raw.call("notes").await, "[]");
        let tools = raw.ask("tools/list", json!({})).await;
        assert_eq!(tools["tools"].as_array().unwrap().len(), 5, "{era:?}");
        let prompts = raw.ask("prompts/list", json!({})).await;
        assert_eq!(prompts["prompts"][0]["name"], "desk", "{era:?}");
        let prompt = raw.ask("prompts/get", json!({ "name": "desk" })).await;
        let prompt = &prompt["messages"][0]["content"]["text"];
        assert_eq!(prompt, "Keep notes short.", "{era:?}");
    }
}

#[timed_test::test]
async fn clients_of_a_wrapped_handler_hear_of_changes() {
    for era in ERAS {
        let script = Script::of(&["one"]);
        let toolbox = Toolbox::builder().source("far", script.clone());
        let http = mcp::http(toolbox.build().await.unwrap()).wrap(Doorbell);
        let http = http.bind("127.0.0.1:0").await.unwrap();
        let raw = Raw::open(http.local_addr(), era, None).await;
        raw.ask("tools/list", json!({})).await;
        let mut heard = if era == Era::Stateless {
            let filter = json!({ "notifications": { "toolsListChanged": true } });
            let mut heard = raw.send("subscriptions/listen", filter).await;
            let begun = heard.next().await["method"].take();
            assert_eq!(begun, "notifications/subscriptions/acknowledged");
            heard
        } else {
            raw.listen().await
        };
        script.list_now(vec![tool("one"), tool("two")]);
        let change = heard.next().await["method"].take();
        assert_eq!(change, "notifications/tools/list_changed", "{era:?}");
        let tools = raw.ask("tools/list", json!({})).await;
        assert_eq!(tools["tools"].as_array().unwrap().len(), 2, "{era:?}");
    }
}

#[timed_test::test]
async fn a_wrapped_handler_of_each_principal_asks_the_person_at_its_client() {
    const RESOURCE: &str = "http://127.0.0.1/mcp";
    let auth = Auth::new(RESOURCE, |token| async move {
        match token.strip_prefix("of-") {
            Some(name) => Ok(Principal::new(name, [RESOURCE])),
            None => Err(TokenError::Invalid),
        }
    });
    let starts = Arc::new(AtomicUsize::new(0));
    let started = Arc::clone(&starts);
    let http = mcp::http_per_principal(move |principal: Principal| {
        started.fetch_add(1, Ordering::SeqCst);
        async move {
            let builder = AgentServer::builder(Office::new()).resources(Tools::default());
            let server = builder.approver(mcp::ask_client()).start().await.unwrap();
            let text = principal.name().to_owned();
            server.call(AddNote { text }).await.unwrap();
            Ok::<_, Infallible>(Toolbox::of(&server))
        }
    });
    let http = http.auth(auth.unwrap()).wrap(Doorbell);
    let http = http.bind("127.0.0.1:0").await.unwrap();
    for (era, token, action, notes) in [
        (Era::Stateless, "of-ann", "decline", r#"["ann"]"#),
        (Era::Initialize, "of-ann", "accept", "[]"),
        (Era::Initialize, "of-bob", "decline", r#"["bob"]"#),
        (Era::Stateless, "of-bob", "accept", "[]"),
    ] {
        let raw = Raw::open(http.local_addr(), era, Some(token)).await;
        let (form, result) = shred(&raw, action).await;
        let form = form.to_string();
        assert!(form.contains("Run `shred` of `desk`"), "{form}");
        assert_eq!(result["isError"], action == "decline", "{result}");
        assert_eq!(raw.call("notes").await, notes, "{era:?} {token}");
    }
    assert_eq!(starts.load(Ordering::SeqCst), 2);
}
