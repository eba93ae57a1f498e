//! Starts the agent, its toolbox and its conversations.

use crate::Failure;
use crate::agent::{Assistant, World, ask_first};
#[cfg(feature = "http")]
use crate::agent::{Browser, Internet};
use crate::args::Args;
#[cfg(feature = "http")]
use crate::fetch::FetchClient;
use crate::models::Model;
use crate::skills::files::Folder;
use skill_agent::chat::{Conversations, Scripted};
use skill_agent::manifest::selection::SelectionPolicy;
use skill_agent::manifest::{Catalog, Dialect, LoadError, SkillDoc, Source};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Verdict};
use skill_agent::store::Store;
use skill_agent::toolbox::{ToolSession, Toolbox};
#[cfg(feature = "http")]
use std::net::SocketAddr;
use std::path::Path;

/// The documents that come with the program.
static DOCUMENTS: &[SkillDoc] =
    include_skills!("../../examples/documents", dialect = AGENT_SKILLS_LENIENT);

/// Why tools that read files and tools that send requests may be together.
const DATA_FLOW: &str = "the person approves each request that leaves this machine";

/// Where the assistant keeps its data and finds its files.
pub(crate) struct Place<'a, S> {
    pub(crate) store: S,
    /// The secret that seals calls that wait for an approval.
    pub(crate) secret: Vec<u8>,
    pub(crate) files: &'a Path,
}

/// The parts of a running assistant.
pub(crate) struct Parts {
    pub(crate) server: AgentServer<Assistant>,
    pub(crate) toolbox: Toolbox,
    /// The person's own session, for direct calls.
    pub(crate) person: ToolSession,
    pub(crate) chats: Conversations,
    pub(crate) catalog: Catalog,
    pub(crate) folder: Folder,
}

/// Starts the assistant.
pub(crate) async fn start(
    args: &Args,
    place: Place<'_, impl Store>,
    model: Option<&Model>,
) -> Result<Parts, Failure> {
    let folder = Folder::open(place.files);
    let folder = folder.map_err(|error| Failure::folder(place.files, error))?;
    let server = AgentServer::builder(Assistant::with_id("assistant"))
        .store(place.store)
        .resources(World {
            folder: folder.clone(),
        })
        .guard(ask_first)
        .approver(|_: ApprovalRequest| async { Verdict::Later })
        .start()
        .await?;
    let catalog = catalog(args)?;
    let toolbox = Toolbox::builder()
        .server(&server)
        .catalog(catalog.clone())
        .selection_policy(SelectionPolicy::TIERS.match_descriptions(true))
        .approver(|_: ApprovalRequest| async { Verdict::Later })
        .approval_secret(place.secret.clone())
        .allow_data_flow(DATA_FLOW);
    #[cfg(feature = "http")]
    let toolbox = toolbox.server(&web(&args.allow, place.secret).await?);
    #[cfg(feature = "mcp")]
    let toolbox = mcp::add(toolbox, &args.mcp).await?;
    let toolbox = toolbox.build().await?;
    let person = toolbox
        .session(ForeignCaller::Document.with_principal("person"))
        .uncut();
    // without a model, the program sends no message
    let model = model.map_or_else(|| Model::new(Scripted::new(), "no model"), Model::clone);
    // a wrong setting ends the program before the first message
    model.chat(toolbox.clone()).build()?;
    let tools = toolbox.clone();
    let chats = Conversations::open(&server, move |_id| model.chat(tools.clone())).await?;
    Ok(Parts {
        toolbox,
        server,
        person,
        chats,
        catalog,
        folder,
    })
}

/// Starts the agent of the skill `web`. It keeps nothing, so it has no store.
#[cfg(feature = "http")]
async fn web(allowed: &[SocketAddr], secret: Vec<u8>) -> Result<AgentServer<Browser>, Failure> {
    let client = allowed.iter().copied();
    let client = client.fold(FetchClient::new(), FetchClient::allow);
    let browser = AgentServer::builder(Browser::new())
        .resources(Internet { client })
        .guard(ask_first)
        .approver(|_: ApprovalRequest| async { Verdict::Later })
        .approval_secret(secret);
    Ok(browser.start().await?)
}

fn catalog(args: &Args) -> Result<Catalog, LoadError> {
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS_LENIENT);
    let catalog = catalog.source(Source::bundled(DOCUMENTS));
    let folders = args.documents.iter();
    folders
        .fold(catalog, |catalog, folder| {
            catalog.source(Source::project(folder).required())
        })
        .try_load()
}

#[cfg(feature = "mcp")]
mod mcp {
    use crate::Failure;
    use crate::args::McpServer;
    use skill_agent::mcp::{McpClient, McpToolbox};
    use skill_agent::toolbox::ToolboxBuilder;

    /// Adds the tools of the servers. Each call of them needs an approval.
    pub(super) async fn add(
        mut toolbox: ToolboxBuilder,
        servers: &[McpServer],
    ) -> Result<ToolboxBuilder, Failure> {
        for McpServer { name, server } in servers {
            let client = if server.starts_with("http://") || server.starts_with("https://") {
                McpClient::http(server).await
            } else {
                let mut words = server.split_whitespace();
                McpClient::command(words.next().unwrap_or_default(), words).await
            };
            let client = client.map_err(|error| Failure::Mcp {
                name: name.clone(),
                problem: error.to_string(),
            })?;
            toolbox = toolbox.mcp(name, client);
        }
        Ok(toolbox)
    }
}
