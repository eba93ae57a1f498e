//! `tools/call` of an MCP client, compared with the same tools written for rmcp.

use crate::callers::{Round, round};
use crate::measure::Sample;
use crate::options::Options;
use crate::report::{Figure, Goal, Report};
use crate::source::example;
use crate::tools::{COUNT, ours, rmcp as by_hand};
use http::{Request, Response};
use http_body_util::combinators::BoxBody;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ContentBlock, JsonObject, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleClient, RoleServer, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ClientLifecycleMode, ClientServiceExt, ErrorData, ServerHandler, ServiceExt};
use skill_agent::AgentServer;
use skill_agent::mcp;
use skill_agent::prelude::Agent;
use skill_agent::toolbox::Toolbox;
use std::convert::Infallible;
use std::sync::Arc;
use tokio::net::TcpListener;
use tower_service::Service;

const CALLS: usize = 4_000;

type Client = RunningService<RoleClient, ()>;

/// A server of rmcp that keeps its router. By default, rmcp's macro builds a router for each call.
struct Kept {
    worker: by_hand::Worker,
    router: ToolRouter<by_hand::Worker>,
}

impl Kept {
    fn new() -> Self {
        Self {
            worker: by_hand::Worker::default(),
            router: by_hand::Worker::tool_router(),
        }
    }
}

impl ServerHandler for Kept {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let context = ToolCallContext::new(&self.worker, request, context);
        let mut response = self.router.call(context).await?;
        if let CallToolResponse::Complete(result) = &mut response {
            let text = result.content.first().and_then(ContentBlock::as_text);
            let text = text.expect("a tool returns JSON text");
            // `Json` of rmcp adds it to a tool with an output schema
            let structured = serde_json::from_str(&text.text);
            result.structured_content = Some(structured.expect("the text is JSON"));
        }
        Ok(response)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.router.list_all()))
    }
}

/// How a client is connected.
#[derive(Clone, Copy, PartialEq)]
enum Connection {
    /// Lines of JSON, as over standard input and output, but in memory.
    Lines,
    Http,
}

fn lifecycle(is_stateless: bool) -> ClientLifecycleMode {
    if is_stateless {
        ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::LATEST],
        }
    } else {
        ClientLifecycleMode::Initialize
    }
}

/// Serves a service over HTTP, and returns its URL.
async fn listening<S>(service: S) -> String
where
    S: Service<
            Request<Incoming>,
            Response = Response<BoxBody<Bytes, Infallible>>,
            Error = Infallible,
        > + Clone
        + Send
        + Sync
        + 'static,
    S::Future: Send,
{
    let listener = TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            stream.set_nodelay(true).expect("the connection is open");
            let service = service.clone();
            tokio::spawn(async move {
                let service = service_fn(|request| service.clone().call(request));
                let _ = http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
            });
        }
    });
    format!("http://{address}/mcp")
}

async fn over_http(url: String, is_stateless: bool) -> Client {
    let client = skill_agent_http::client(false, None).expect("no TLS is needed");
    let config = StreamableHttpClientTransportConfig::with_uri(url);
    let transport = StreamableHttpClientTransport::with_client(client, config);
    let connected = ().serve_with_lifecycle(transport, lifecycle(is_stateless));
    connected.await.expect("the client connects")
}

async fn of_rmcp(connection: Connection, is_stateless: bool) -> Client {
    if connection == Connection::Http {
        let kept = Arc::new(Kept::new());
        let service = StreamableHttpService::new(
            move || Ok(Arc::clone(&kept)),
            Arc::new(LocalSessionManager::default()),
            StreamableHttpServerConfig::default(),
        );
        return over_http(listening(service).await, is_stateless).await;
    }
    let (near, far) = tokio::io::duplex(64 << 10);
    tokio::spawn(async {
        let service = Kept::new().serve(far).await;
        let _ = service.expect("the server starts").waiting().await;
    });
    let connected = ().serve_with_lifecycle(near, lifecycle(is_stateless));
    connected.await.expect("the client connects")
}

async fn of_ours(connection: Connection, is_stateless: bool) -> Client {
    let server = AgentServer::builder(ours::Worker::new()).start().await;
    let toolbox = Toolbox::of(&server.expect("the server starts"));
    if connection == Connection::Http {
        let service = mcp::http(toolbox).into_service();
        return over_http(listening(service).await, is_stateless).await;
    }
    let (near, far) = tokio::io::duplex(64 << 10);
    tokio::spawn(mcp::serve(toolbox, far));
    let connected = ().serve_with_lifecycle(near, lifecycle(is_stateless));
    connected.await.expect("the client connects")
}

/// Calls each tool in turn.
async fn ask(client: Arc<Client>, tools: Arc<Vec<CallToolRequestParams>>, calls: usize) -> bool {
    for tool in tools.iter().cycle().take(calls) {
        let called = client.call_tool(tool.clone()).await;
        if called.is_err() || called.is_ok_and(|result| result.is_error == Some(true)) {
            return false;
        }
    }
    true
}

async fn compared(
    rounds: usize,
    callers: usize,
    connection: Connection,
    is_stateless: bool,
) -> [Vec<Round>; 2] {
    let tools = (0..COUNT).map(|number| {
        let (name, arguments) = example(number);
        let arguments: JsonObject = serde_json::from_str(arguments).expect("it is JSON");
        CallToolRequestParams::new(name).with_arguments(arguments)
    });
    let tools = Arc::new(tools.collect::<Vec<_>>());
    let clients = [
        Arc::new(of_rmcp(connection, is_stateless).await),
        Arc::new(of_ours(connection, is_stateless).await),
    ];
    let mut measured = [Vec::new(), Vec::new()];
    for number in 0..rounds + 2 {
        for (client, measured) in clients.iter().zip(&mut measured) {
            let asking = |calls| ask(Arc::clone(client), Arc::clone(&tools), calls);
            let round = round(callers, CALLS, asking).await;
            // the first two rounds warm up
            if number >= 2 {
                measured.push(round);
            }
        }
    }
    measured
}

pub fn run(options: &Options, report: &mut Report) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime starts");
    let rounds = options.rounds(11);
    let mut figures = Vec::new();
    for (connection, how) in [(Connection::Lines, "lines"), (Connection::Http, "HTTP")] {
        for (is_stateless, era) in [(true, "stateless"), (false, "earlier era")] {
            for callers in [1, 16] {
                let measured = compared(rounds, callers, connection, is_stateless);
                let measured = runtime.block_on(measured);
                let sample = |at: usize, part: fn(&Round) -> f64| {
                    let rounds: &Vec<Round> = &measured[at];
                    Sample::new("rmcp", rounds.iter().map(part).collect::<Vec<_>>())
                };
                let what = format!("{how}, {era}, at once: {callers}");
                let [theirs, ours] = [0, 1].map(|at| sample(at, |round| round.rate));
                figures.push(Figure::of(format!("{what}: rmcp"), &theirs, "calls/s"));
                let figure = Figure::of(format!("{what}: skill-agent"), &ours, "calls/s");
                let goal = Some(Goal::RatioAtLeast(0.95));
                figures.push(Figure {
                    goal,
                    ..figure.compared_to(&ours, &theirs)
                });
            }
        }
    }
    report.section(
        "A call of an MCP client",
        "Calls each of the 32 tools by rmcp's client, compared with a server of rmcp that keeps its router. *Lines* are standard input \
         and output, in memory. Both servers answer with text and with structured content, as for an output schema. Over HTTP, both servers have the same loop of hyper. A call of skill-agent passes the guard, runs in \
         the task of the agent's server, and is recorded in the state. More calls per second are better.",
        &figures,
    );
}
