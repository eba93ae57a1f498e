//! Serves chats on port 3000 of the loopback address.

use serde_json::json;
use skill_agent::chat::{ChatModel, Scripted};
use std::error::Error;
use tokio::net::TcpListener;
use web_chat::{Chats, router};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:3000").await?;
    println!("listening on http://{}", listener.local_addr()?);
    axum::serve(listener, router(Chats::new(model))).await?;
    Ok(())
}

/// Returns a real model if the environment names one.
#[cfg(feature = "http")]
fn model() -> Box<dyn ChatModel> {
    use skill_agent::chat::OpenAi;
    use std::env::var;

    let (key, url) = (var("OPENAI_API_KEY"), var("OPENAI_BASE_URL"));
    if key.is_err() && url.is_err() {
        return Box::new(script());
    }
    let name = var("OPENAI_MODEL").unwrap_or_else(|_| "gpt-5-mini".to_owned());
    let model = OpenAi::new(key.unwrap_or_default(), name);
    Box::new(match url {
        Ok(url) => model.base_url(url),
        Err(_) => model,
    })
}

#[cfg(not(feature = "http"))]
fn model() -> Box<dyn ChatModel> {
    Box::new(script())
}

/// Two turns, the second with a call that waits for approval.
fn script() -> Scripted {
    Scripted::new()
        .calls([("add_note", json!({ "text": "Buy milk." }))])
        .text("I noted it.")
        .calls([("clear_notes", json!({}))])
        .text("As you wish.")
}
