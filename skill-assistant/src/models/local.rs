//! Servers of models on the loopback address.

use crate::Failure;
use serde::Deserialize;
use skill_agent_http::{chain, client};
use std::time::Duration;

/// How long a server may take to list its models.
const TIME: Duration = Duration::from_secs(5);
/// How long a server on this machine may take. A server that is not there refuses at once.
const TIME_HERE: Duration = Duration::from_millis(500);

/// The programs and their usual ports.
const USUAL: [(&str, u16); 3] = [("llama.cpp", 8080), ("Ollama", 11434), ("LM Studio", 1234)];

/// A server on this machine, with its first model.
pub(super) struct LocalServer {
    pub(super) program: &'static str,
    pub(super) url: String,
    pub(super) model: String,
}

#[derive(Deserialize)]
struct Models {
    data: Vec<ListedModel>,
}

#[derive(Deserialize)]
struct ListedModel {
    id: String,
}

/// Returns the servers that answer.
pub(super) async fn servers() -> Vec<LocalServer> {
    let mut servers = Vec::new();
    for (program, port) in USUAL {
        let url = format!("http://127.0.0.1:{port}/v1");
        // most of them are not there
        let models = list(&url, "", TIME_HERE).await.unwrap_or_default();
        let model = models.into_iter().next();
        servers.extend(model.map(|model| LocalServer {
            program,
            url,
            model,
        }));
    }
    servers
}

/// Returns the models of a server.
pub(super) async fn models_of(url: &str, key: &str) -> Result<Vec<String>, Failure> {
    let models = list(url, key, TIME).await;
    models.map_err(|problem| Failure::NoModels {
        url: url.to_owned(),
        problem,
    })
}

async fn list(url: &str, key: &str, time: Duration) -> Result<Vec<String>, String> {
    let client = client(url.starts_with("https:"), None)?;
    let request = client.get(format!("{}/models", url.trim_end_matches('/')));
    let request = match key {
        "" => request,
        key => request.bearer_auth(key),
    };
    let answer = request.timeout(time).send().await;
    let answer = answer.and_then(reqwest::Response::error_for_status);
    let body = answer.map_err(|error| chain(&error))?.bytes().await;
    let models: Models = serde_json::from_slice(&body.map_err(|error| chain(&error))?)
        .map_err(|error| format!("its list of models cannot be read: {error}"))?;
    Ok(models.data.into_iter().map(|model| model.id).collect())
}
