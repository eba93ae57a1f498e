//! Tests of `genai` models against a local server.

mod again;
mod completions;
mod failures;
mod hostile;
mod requests;

use ::genai::adapter::AdapterKind;
use ::genai::resolver::{AuthData, Endpoint};
use ::genai::{ModelIden, ServiceTarget};

use super::*;
use crate::gen_ai::GenAi;

fn model(server: &Server, kind: AdapterKind) -> GenAi {
    GenAi::new(target(server, kind, "m"))
}

fn target(server: &Server, kind: AdapterKind, name: &str) -> ServiceTarget {
    ServiceTarget {
        endpoint: Endpoint::from_owned(format!("{}/v1/", server.url)),
        auth: AuthData::from_single(KEY),
        model: ModelIden::new(kind, name),
    }
}

fn chat(server: &Server) -> GenAi {
    model(server, AdapterKind::OpenAI)
}

fn gemini(server: &Server) -> GenAi {
    model(server, AdapterKind::Gemini)
}

/// Returns a stream of Chat Completions that ends with `[DONE]`.
fn completions(events: &[&str]) -> Response {
    Response::events(&[events, &["[DONE]"]].concat())
}

/// Returns the completion that an adapter reads from a response.
async fn collected_from(kind: AdapterKind, response: Response) -> Collected {
    let server = Server::start([response]).await;
    collected(events(&model(&server, kind), question()).await)
}

/// Returns the id, name and arguments of each call.
fn calls(parts: &[MessagePart]) -> Vec<(Option<&str>, &str, &str)> {
    let mut calls = Vec::new();
    for part in parts {
        if let MessagePart::Call(CallPart { call, .. }) = part {
            calls.push((call.id.as_deref(), &*call.name, &*call.arguments));
        }
    }
    calls
}
