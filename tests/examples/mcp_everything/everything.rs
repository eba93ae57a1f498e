//! The handler of skill-agent, with the prompts and resources that no document can be.

use crate::forms::{self, Forms, text};
use crate::pictures::PIXEL;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, ContentBlock,
    EmbeddedResource, GetPromptRequestParams, GetPromptResponse, GetPromptResult,
    GetSkillRequestParams, GetSkillResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListSkillsResult, ListToolsResult, PaginatedRequestParams, Prompt,
    PromptArgument, PromptMessage, ReadResourceDirectoryRequestParams, ReadResourceDirectoryResult,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, RequestStateError,
    Resource, ResourceContents, ResourceTemplate, Role, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};
use rmcp::{ErrorData, ServerHandler};
use serde_json::json;
use skill_agent::manifest::{Catalog, Dialect, Source};
use skill_agent::mcp::Handler;
use skill_agent::toolbox::Toolbox;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const TEMPLATE: &str = "test://template/{id}/data";
const WITH_RESOURCE: &str = "test_prompt_with_embedded_resource";
const WITH_IMAGE: &str = "test_prompt_with_image";

/// Loads the documents, with one more or without it.
pub fn catalog(has_more: bool) -> Catalog {
    let folder = |name| {
        format!(
            "{}/examples/mcp_everything/{name}",
            env!("CARGO_MANIFEST_DIR")
        )
    };
    let mut catalog = Catalog::builder(Dialect::LILY).source(Source::project(folder("documents")));
    if has_more {
        catalog = catalog.source(Source::user(folder("more")));
    }
    catalog.agent::<crate::Suite>().allow_skills(true).load()
}

/// The state of all requests.
#[derive(Clone)]
pub struct Everything {
    toolbox: Toolbox,
    forms: Arc<Forms>,
    /// Whether the catalog has one more document.
    has_more: Arc<AtomicBool>,
}

impl Everything {
    pub fn new(toolbox: Toolbox) -> Result<Self, RequestStateError> {
        Ok(Self {
            toolbox,
            forms: Arc::new(Forms::new()?),
            has_more: Arc::default(),
        })
    }

    pub fn around(&self, handler: Handler) -> Around {
        Around {
            handler,
            everything: self.clone(),
        }
    }
}

/// Answers the suite's own prompts and resources, and passes all other requests on to the handler.
pub struct Around {
    handler: Handler,
    everything: Everything,
}

type Context = RequestContext<RoleServer>;

impl ServerHandler for Around {
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let Everything {
            toolbox,
            forms,
            has_more,
        } = &self.everything;
        match &*request.name {
            "test_trigger_prompt_change" => {
                toolbox.set_catalog(catalog(!has_more.fetch_not(Ordering::SeqCst)));
                Ok(text("changed"))
            }
            name if forms::TOOLS.contains(&name) => forms.call(request, &context.peer).await,
            _ => self.handler.call_tool(request, context).await,
        }
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut list = self.handler.list_prompts(request, context).await?;
        let argument = PromptArgument::new("resourceUri").with_required(true);
        let arguments = Some(vec![argument]);
        list.prompts.extend([
            Prompt::new(WITH_RESOURCE, Some("A resource."), arguments),
            Prompt::new(WITH_IMAGE, Some("An image."), None),
            Prompt::new(forms::PROMPT, Some("A question."), None),
        ]);
        Ok(list)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        let content = match &*request.name {
            WITH_RESOURCE => {
                let arguments = request.arguments.unwrap_or_default();
                let uri = arguments.get("resourceUri").and_then(|uri| uri.as_str());
                let uri = uri.ok_or_else(|| {
                    ErrorData::invalid_params("the argument `resourceUri` is missing", None)
                })?;
                let resource =
                    ResourceContents::text("Embedded resource content for testing.", uri);
                ContentBlock::Resource(EmbeddedResource::new(resource.with_mime_type("text/plain")))
            }
            WITH_IMAGE => ContentBlock::image(PIXEL, "image/png"),
            forms::PROMPT => return self.everything.forms.prompt(&request),
            _ => return self.handler.get_prompt(request, context).await,
        };
        let messages = vec![
            PromptMessage::new(Role::User, content),
            PromptMessage::new_text(Role::User, "Please look at it."),
        ];
        Ok(GetPromptResult::new(messages).into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut list = self.handler.list_resources(request, context).await?;
        let resources = [(TEXT, "text/plain"), (BINARY, "image/png")];
        list.resources.extend(
            resources.map(|(uri, media_type)| Resource::new(uri, uri).with_mime_type(media_type)),
        );
        Ok(list)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut list = self
            .handler
            .list_resource_templates(request, context)
            .await?;
        list.resource_templates
            .push(ResourceTemplate::new(TEMPLATE, "template"));
        Ok(list)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (uri, id) = (&*request.uri, of_template(&request.uri));
        let contents = match (uri, id) {
            (TEXT, _) => {
                let text = "This is the content of the static text resource.";
                ResourceContents::text(text, uri).with_mime_type("text/plain")
            }
            (BINARY, _) => ResourceContents::blob(PIXEL, uri).with_mime_type("image/png"),
            (_, Some(id)) => {
                let data = format!("Data for ID: {id}");
                let text = json!({ "id": id, "templateTest": true, "data": data });
                ResourceContents::text(text.to_string(), uri).with_mime_type("application/json")
            }
            _ => return self.handler.read_resource(request, context).await,
        };
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    fn get_info(&self) -> ServerConfig {
        self.handler.get_info()
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        self.handler.list_tools(request, context).await
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.handler.get_tool(name)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: Context,
    ) -> Result<CompleteResult, ErrorData> {
        self.handler.complete(request, context).await
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        context: Context,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        self.handler.read_resource_directory(request, context).await
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListSkillsResult, ErrorData> {
        self.handler.list_skills(request, context).await
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        context: Context,
    ) -> Result<GetSkillResult, ErrorData> {
        self.handler.get_skill(request, context).await
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.handler.on_initialized(context).await;
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        self.handler.accepted_subscription_filter(requested)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.handler.listen(context).await
    }
}

/// The id in a URI of the template.
fn of_template(uri: &str) -> Option<&str> {
    let (before, after) = TEMPLATE.split_once("{id}")?;
    uri.strip_prefix(before)?.strip_suffix(after)
}
