//! Serves chats on the loopback address: `web-chat FILE PORT`.

mod demo;

use skill_agent::chat::ChatModel;
use skill_agent::store::Redb;
use std::error::Error;
use std::sync::Arc;
use tokio::net::TcpListener;
use web_chat::{open, router};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or_else(|| "chats.redb".to_owned());
    let port = arguments.next().unwrap_or_else(|| "3000".to_owned());
    let chats = open(Redb::open(file)?, model()).await?;
    let listener = TcpListener::bind(("127.0.0.1", port.parse()?)).await?;
    println!("listening on http://{}", listener.local_addr()?);
    axum::serve(listener, router(chats)).await?;
    Ok(())
}

/// Returns a real model if the environment names one.
#[cfg(feature = "http")]
fn model() -> Arc<dyn ChatModel> {
    use skill_agent::chat::OpenAi;
    use std::env::var;

    let (key, url) = (var("OPENAI_API_KEY"), var("OPENAI_BASE_URL"));
    if key.is_err() && url.is_err() {
        return Arc::new(demo::Demo);
    }
    let name = var("OPENAI_MODEL").unwrap_or_else(|_| "gpt-5-mini".to_owned());
    let model = OpenAi::new(key.unwrap_or_default(), name);
    Arc::new(match url {
        Ok(url) => model.base_url(url),
        Err(_) => model,
    })
}

#[cfg(not(feature = "http"))]
fn model() -> Arc<dyn ChatModel> {
    Arc::new(demo::Demo)
}
