//! A skill that requires two others.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;

/// Knows the user.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "auth", version = "1.1.0", actions(LogIn))]
pub struct Auth {
    /// The user who is logged in.
    pub user: Option<String>,
}

/// Log in under a name.
#[action]
pub fn log_in(auth: &mut Auth, user: String) {
    auth.user = Some(user);
}

/// Emits a signal for each page to fetch.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "http_client", version = "0.4.2", actions(Get))]
pub struct HttpClient {
    /// The number of requested pages.
    pub requests: u64,
}

/// Fetch a page.
#[action(on("http_client.get"))]
pub fn get(client: &mut HttpClient, cx: &mut Context<HttpClient>, url: String) -> u64 {
    client.requests += 1;
    cx.emit(Signal::new("http_client.requested", json!({ "url": url })));
    client.requests
}

/// A search for users who are logged in.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "authenticated_search",
    state_key = "search",
    requires("auth@^1.0", "http_client"),
    actions(Query)
)]
pub struct AuthenticatedSearch {
    /// The last query.
    pub last_query: Option<String>,
}

/// Search for a text.
#[action]
pub fn query(
    search: &mut AuthenticatedSearch,
    cx: &mut Context<AuthenticatedSearch>,
    text: String,
) {
    cx.run(Instruction::new(
        Get::NAME,
        json!({ "url": format!("https://search.example/{text}") }),
    ));
    search.last_query = Some(text);
}
