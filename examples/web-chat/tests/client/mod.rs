//! A client of the service, which reads events as they come.

use serde_json::{Value, json};
use skill_agent::chat::{ChatModel, Scripted};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use web_chat::{Chats, router};

/// A service on the loopback address.
pub struct Service(SocketAddr);

impl Service {
    pub async fn start<M: ChatModel>(model: impl Fn() -> M + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let served = axum::serve(listener, router(Chats::new(model)));
        tokio::spawn(async { served.await });
        Self(address)
    }

    pub async fn begin(&self) -> String {
        let mut response = self.post("/chats", "").await;
        assert_eq!(response.status, 201);
        let body: Value = serde_json::from_str(&response.line().await.unwrap()).unwrap();
        body["id"].as_str().unwrap().to_owned()
    }

    pub async fn say(&self, chat: &str, text: &str) -> Response {
        let body = json!({ "text": text }).to_string();
        self.post(&format!("/chats/{chat}/messages"), &body).await
    }

    pub async fn decide(&self, chat: &str, call: &str, verdict: &str) -> Response {
        let body = json!({ "call": call, "verdict": verdict }).to_string();
        self.post(&format!("/chats/{chat}/decisions"), &body).await
    }

    /// In HTTP/1.0, whose bodies are not in chunks.
    pub async fn post(&self, path: &str, body: &str) -> Response {
        let mut stream = TcpStream::connect(self.0).await.unwrap();
        let length = body.len();
        let head = format!(
            "POST {path} HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        // a body that is too large is not read to its end
        let _ = stream.write_all(body.as_bytes()).await;
        let mut response = Response {
            status: 0,
            head: String::new(),
            stream: BufReader::new(stream),
        };
        let status = response.line().await.unwrap();
        response.status = status.split(' ').nth(1).unwrap().parse().unwrap();
        while let Some(line) = response.line().await.filter(|line| !line.is_empty()) {
            response.head.push_str(&line.to_ascii_lowercase());
            response.head.push('\n');
        }
        response
    }
}

/// A response whose body is still to be read. Its client is gone when it is dropped.
pub struct Response {
    pub status: u16,
    pub head: String,
    stream: BufReader<TcpStream>,
}

impl Response {
    /// The next line; `None` at the end.
    pub async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let length = self.stream.read_line(&mut line).await.unwrap();
        (length > 0).then(|| line.trim_end().to_owned())
    }

    /// The next event: its name and its data.
    pub async fn next(&mut self) -> Option<(String, Value)> {
        let mut name = String::new();
        loop {
            let line = self.line().await?;
            if let Some(found) = line.strip_prefix("event: ") {
                name = found.to_owned();
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data).unwrap()));
            }
        }
    }

    /// The events up to that which ends the turn. The connection may still be open then.
    pub async fn events(&mut self) -> Vec<(String, Value)> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            let is_last = matches!(&*event.0, "done" | "error");
            events.push(event);
            if is_last {
                break;
            }
        }
        events
    }

    pub async fn events_of_200(mut self) -> Vec<(String, Value)> {
        assert_eq!(self.status, 200);
        self.events().await
    }
}

/// The models of the conversations, which know their requests.
#[derive(Clone, Default)]
pub struct Models(Arc<Mutex<Vec<Scripted>>>);

impl Models {
    pub fn made(&self, model: Scripted) -> Scripted {
        self.0.lock().unwrap().push(model.clone());
        model
    }

    pub fn last(&self) -> Scripted {
        self.0.lock().unwrap().last().unwrap().clone()
    }
}
