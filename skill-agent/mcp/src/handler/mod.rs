//! The MCP server: answers the requests of clients from a toolbox.

mod approval;
mod call;
mod changes;
mod commands;
mod content;
mod documents;
mod into_handler;
mod limits;
mod options;
mod prompts;
mod skills;
mod tools;

pub use into_handler::IntoHandler;
pub(crate) use limits::{Limits, MAX_LISTENERS, TOO_MANY_LISTENERS};
pub use options::{Options, OptionsError};

use approval::Asking;
use changes::Changes;
use limits::MAX_CALLS;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult,
    GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams, GetSkillResult,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListSkillsResult, ListToolsResult, PaginatedRequestParams, ReadResourceDirectoryRequestParams,
    ReadResourceDirectoryResult, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use skill_agent_toolbox::{ToolSession, Toolbox};
use skill_core::ForeignCaller;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tools::Tools;

/// The key of a `tools/call` request's `_meta` with the idempotency key of the call: a string. A server runs an action at most once
/// per key, as with [`AgentServer::call_with_key`](skill_agent_server::AgentServer::call_with_key).
pub const IDEMPOTENCY_KEY: &str = "idempotencyKey";

/// How often a task for a client of the earlier era checks whether the connection has closed.
const CLOSED_CHECK: Duration = Duration::from_secs(30);

/// An MCP server for a toolbox, as a [`ServerHandler`] of rmcp. Clones share everything.
///
/// [`serve`](crate::serve) and [`stdio`](crate::stdio) create a handler from a toolbox. To change how some requests are answered,
/// write a `ServerHandler` of your own that passes the others on to this one.
#[derive(Clone)]
pub struct Handler {
    inner: Arc<Inner>,
    caller: ForeignCaller,
    limits: Limits,
    /// Permits for calls, and for requests that read documents.
    calls: Arc<Semaphore>,
    /// Ends the streams of listening clients.
    closing: CancellationToken,
}

struct Inner {
    toolbox: Toolbox,
    options: Options,
    tools: Tools,
    changes: Changes,
    asking: Asking,
}

impl Handler {
    /// Creates a handler with the default options.
    pub fn new(toolbox: Toolbox) -> Self {
        Self::of(toolbox, Options::default(), Asking::random())
    }

    /// Creates a handler.
    ///
    /// # Errors
    /// Returns an error if the [secret](Options::approval_secret) has less than 32 bytes.
    pub fn with_options(toolbox: Toolbox, mut options: Options) -> Result<Self, OptionsError> {
        let asking = match options.secret.take() {
            None => Asking::random(),
            Some(secret) => {
                let bytes = secret.len();
                Asking::with_secret(secret).map_err(|_| OptionsError::ApprovalSecret { bytes })?
            }
        };
        Ok(Self::of(toolbox, options, asking))
    }

    /// Sets the principal of all calls: the user or service on whose behalf the client calls. Guards and approvers see it.
    ///
    /// A server over HTTP with [authentication](crate::Http::auth) sets it for each request.
    #[must_use]
    pub fn with_principal(mut self, principal: impl Into<String>) -> Self {
        self.caller = self.caller.with_principal(principal);
        self
    }

    fn session(&self) -> ToolSession {
        self.inner.toolbox.session(self.caller.clone())
    }

    /// Returns a future that ends when the servers of the toolbox have stopped. It does not keep them running.
    pub(crate) fn servers_closed(&self) -> impl Future<Output = ()> + Send + use<> {
        let servers = self.session().servers_closed();
        async {
            for closed in servers {
                closed.await;
            }
        }
    }

    /// Returns the handler with calls of its own, limits that it shares with others, and a token that ends the streams of listening
    /// clients.
    pub(crate) fn in_server(mut self, limits: Limits, closing: CancellationToken) -> Self {
        self.limits = limits;
        self.calls = Arc::new(Semaphore::new(MAX_CALLS));
        self.closing = closing;
        self
    }

    fn of(toolbox: Toolbox, options: Options, asking: Asking) -> Self {
        Self {
            closing: CancellationToken::new(),
            caller: ForeignCaller::Mcp,
            limits: Limits::new(MAX_LISTENERS),
            calls: Arc::new(Semaphore::new(MAX_CALLS)),
            inner: Arc::new(Inner {
                toolbox,
                options,
                tools: Tools::default(),
                changes: Changes::default(),
                asking,
            }),
        }
    }
}

impl fmt::Debug for Handler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handler")
            .field("toolbox", &self.inner.toolbox)
            .finish_non_exhaustive()
    }
}

impl Inner {
    fn implementation(&self) -> Implementation {
        let options = &self.options;
        let agents = self.toolbox.agents();
        let agent = match agents[..] {
            [agent] => Some(agent),
            _ => None,
        };
        let name = options.name.as_deref();
        let name = name.unwrap_or(agent.map_or("toolbox", |agent| agent.name));
        let version = options.version.as_deref();
        let version = version.or_else(|| agent?.version);
        Implementation::new(name, version.unwrap_or(env!("CARGO_PKG_VERSION")))
    }

    fn instructions(&self) -> Option<String> {
        let of_skills = || {
            let texts = self.toolbox.instructions().into_iter();
            let texts: Vec<_> = texts.map(|skill| skill.text).collect();
            (!texts.is_empty()).then(|| texts.join("\n\n"))
        };
        self.options.instructions.clone().or_else(of_skills)
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_completions();
        let config = ServerConfig::new(if self.inner.toolbox.catalog().is_some() {
            let capabilities = capabilities
                .enable_resources()
                .enable_resources_list_changed();
            capabilities.enable_skills_with_directory_read().build()
        } else {
            capabilities.build()
        });
        let config = config.with_server_info(self.inner.implementation());
        match self.inner.instructions() {
            Some(instructions) => config.with_instructions(instructions),
            None => config,
        }
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let list = self.inner.tools.listed(&self.inner.toolbox).await;
        list.check_sources()?;
        Ok(ListToolsResult::with_all_items(list.tools().to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.inner.tools.known()?.get(name).cloned()
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.inner.prompts(self.reading(context)?).await
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let prompt = self.inner.prompt(self.reading(context)?, request).await;
        prompt.map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let completion = self.inner.completion(self.reading(context)?, request).await;
        completion.map(CompleteResult::new)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let list = move |documents: &_| documents::list(documents, cursor.as_deref());
        self.with_documents(context, list).await
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let none = |_: &_| Ok(ListResourceTemplatesResult::default());
        self.with_documents(context, none).await
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = move |documents: &_| documents::read(documents, &request.uri);
        self.with_documents(context, read).await.map(Into::into)
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        let list = move |documents: &_| documents::directory(documents, &request.uri);
        self.with_documents(context, list).await
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let list = move |documents: &_| skills::list(documents, cursor.as_deref());
        self.with_documents(context, list).await
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        let get = move |documents: &_| skills::get(documents, &request.uri);
        self.with_documents(context, get)
            .await
            .map(GetSkillResult::new)
    }

    /// Tells a client of the earlier era about changes, until its connection closes.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let mut changes = self.inner.changes.listen(&self.inner);
        let peer = context.peer;
        tokio::spawn(async move {
            while !peer.is_transport_closed() {
                match timeout(CLOSED_CHECK, changes.next()).await {
                    Ok(Some(changed)) if changed.told_to(&peer).await.is_ok() => {}
                    Ok(_) => return,
                    Err(_) => {} // has the connection closed?
                }
            }
        });
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    /// Tells a client of the stateless era about changes, until it cancels the request.
    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let permit = self.limits.listeners.try_acquire();
        let _permit = permit.map_err(|_| ErrorData::internal_error(TOO_MANY_LISTENERS, None))?;
        let mut changes = self.inner.changes.listen(&self.inner);
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                () = self.closing.cancelled() => return Ok(()),
                changed = changes.next() => match changed {
                    Some(changed) if changed.sent_to(context.sink()).await.is_ok() => {}
                    _ => return Ok(()),
                }
            }
        }
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let _permit = self.permit()?;
        // boxed, because rmcp moves the future several times
        Box::pin(self.inner.call(self.session(), request, context)).await
    }
}
