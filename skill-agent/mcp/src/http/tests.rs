//! A server in a router that authenticates its callers.

use super::{Principal, http, http_per_principal};
use ::http::{Request, Response, StatusCode};
use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use hyper::body::Bytes;
use skill_agent_toolbox::Toolbox;
use std::convert::Infallible;
use std::time::{Duration, SystemTime};
use tower_service::Service;

/// A request of the stateless era, with the principal that a layer has put into it.
fn request(principal: Option<Principal>) -> Request<Full<Bytes>> {
    let body = serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "router", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    }}});
    let mut request = Request::post("/mcp")
        .header("Host", "localhost")
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream")
        .header("MCP-Protocol-Version", "2026-07-28")
        .header("Mcp-Method", "tools/list")
        .body(Full::from(body.to_string()))
        .unwrap();
    if let Some(principal) = principal {
        request.extensions_mut().insert(principal);
    }
    request
}

async fn status<S>(service: &mut S, principal: Option<Principal>) -> StatusCode
where
    S: Service<
            Request<Full<Bytes>>,
            Response = Response<BoxBody<Bytes, Infallible>>,
            Error = Infallible,
        >,
{
    let Ok(response) = service.call(request(principal)).await;
    response.status()
}

#[tokio::test]
async fn a_principal_of_the_router_is_checked() {
    let toolbox = Toolbox::builder().build().await.unwrap();
    let named = |name: &str| Principal::new(name, ["http://localhost/mcp"]);
    let past = SystemTime::now() - Duration::from_secs(1);
    let mut shared = http(toolbox.clone()).into_service();
    assert_eq!(status(&mut shared, None).await, StatusCode::OK);
    assert_eq!(
        status(&mut shared, Some(named("ann"))).await,
        StatusCode::OK
    );
    let started = move |principal: Principal| {
        assert_eq!(principal.name(), "ann");
        let toolbox = toolbox.clone();
        async { Ok::<_, Infallible>(toolbox) }
    };
    let mut each = http_per_principal(started).into_service();
    assert_eq!(status(&mut each, Some(named("ann"))).await, StatusCode::OK);
    let missing = status(&mut each, None).await;
    assert_eq!(missing, StatusCode::INTERNAL_SERVER_ERROR);
    for refused in [named(""), named("ann").expires_at(past)] {
        let status = status(&mut each, Some(refused)).await;
        assert_eq!(status, StatusCode::FORBIDDEN);
    }
}

#[tokio::test(start_paused = true)]
async fn a_start_has_a_time_limit() {
    let started = |_| std::future::pending::<Result<Toolbox, Infallible>>();
    let mut each = http_per_principal(started).into_service();
    let ann = Principal::new("ann", ["http://localhost/mcp"]);
    let status = status(&mut each, Some(ann)).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
}
