//! A client of the service, which reads events as they come.

use serde_json::{Value, json};
use skill_agent::chat::ChatModel;
use skill_agent::store::Redb;
use std::fs::remove_file;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use uuid::Uuid;
use web_chat::{open, router};

/// A hundred reloads may take longer than a minute on a slow machine.
const LIMIT: Duration = Duration::from_secs(3 * 60);

/// Runs a test that starts programs. If it does not end in time, its programs end with it; `timed_test` would leave them behind.
pub async fn in_time(test: impl Future<Output = ()>) {
    timeout(LIMIT, test).await.unwrap();
}

/// A file for conversations. It is removed at the end.
pub struct File(PathBuf);

impl File {
    pub fn new() -> Self {
        let name = format!("{}.redb", Uuid::new_v4());
        Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = remove_file(&self.0);
    }
}

/// A service on the loopback address.
pub struct Service {
    pub address: SocketAddr,
    _file: File,
}

impl Service {
    pub async fn start(model: impl ChatModel) -> Self {
        let file = File::new();
        let store = Redb::open(file.path()).unwrap();
        let chats = open(store, Arc::new(model)).await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let served = axum::serve(listener, router(chats));
        tokio::spawn(async { served.await });
        Self {
            address,
            _file: file,
        }
    }

    /// A new client with the id of a new conversation.
    pub fn chat(&self) -> Chat {
        Chat::new(self.address)
    }
}

/// A conversation of a client.
#[derive(Clone)]
pub struct Chat {
    address: SocketAddr,
    pub client: Uuid,
    pub id: Uuid,
}

impl Chat {
    pub fn new(address: SocketAddr) -> Self {
        let (client, id) = (Uuid::new_v4(), Uuid::new_v4());
        Self {
            address,
            client,
            id,
        }
    }

    /// Another conversation of the same client.
    pub fn another(&self) -> Self {
        let id = Uuid::new_v4();
        Self { id, ..self.clone() }
    }

    /// The same conversation of a service that has started again.
    pub fn at(&self, address: SocketAddr) -> Self {
        Self {
            address,
            ..self.clone()
        }
    }

    pub async fn say(&self, text: &str) -> u16 {
        self.post("/messages", &json!({ "text": text }).to_string())
            .await
            .status
    }

    pub async fn decide(&self, call: &str, verdict: &str) -> Response {
        let body = json!({ "call": call, "verdict": verdict }).to_string();
        self.post("/decisions", &body).await
    }

    pub async fn post(&self, path: &str, body: &str) -> Response {
        self.request("POST", path, "", body).await
    }

    pub async fn delete(&self) -> u16 {
        self.request("DELETE", "", "", "").await.status
    }

    pub async fn page(&self) -> Value {
        self.request("GET", "", "", "").await.json().await
    }

    pub async fn list(&self) -> Value {
        let path = format!("/chats/{}", self.client);
        let response = request(self.address, "GET", &path, "", "").await;
        response.json().await
    }

    /// Events from the beginning of the last turn.
    pub async fn events(&self) -> Response {
        self.request("GET", "/events", "", "").await
    }

    /// The events after the number `last`, as a browser requests them when it connects again.
    pub async fn events_after(&self, last: u64) -> Response {
        let header = format!("last-event-id: {last}\r\n");
        self.request("GET", "/events", &header, "").await
    }

    pub async fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Response {
        let path = format!("/chats/{}/{}{path}", self.client, self.id);
        request(self.address, method, &path, headers, body).await
    }
}

/// Sends a request in HTTP/1.0, whose response has no chunks.
pub async fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> Response {
    send(address, &format!("{method} {path} HTTP/1.0"), headers, body).await
}

/// Sends a request with this first line.
pub async fn send(address: SocketAddr, line: &str, headers: &str, body: &str) -> Response {
    let stream = TcpStream::connect(address).await.unwrap();
    let mut stream = BufReader::new(stream);
    let length = body.len();
    let head = format!(
        "{line}\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{headers}\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // a body that is too large is not read to its end
    let _ = stream.write_all(body.as_bytes()).await;
    let mut response = Response {
        status: 0,
        head: String::new(),
        stream,
    };
    let status = response.line().await.unwrap();
    response.status = status.split(' ').nth(1).unwrap().parse().unwrap();
    while let Some(line) = response.line().await.filter(|line| !line.is_empty()) {
        response.head.push_str(&line.to_ascii_lowercase());
        response.head.push('\n');
    }
    response
}

/// A response whose body is still to be read. Its client is gone when it is dropped.
pub struct Response {
    pub status: u16,
    pub head: String,
    stream: BufReader<TcpStream>,
}

/// The number, the name and the data of an event.
pub type Sent = (u64, String, Value);

impl Response {
    /// The next line; `None` at the end.
    async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let length = self.stream.read_line(&mut line).await.unwrap();
        (length > 0).then(|| line.trim_end().to_owned())
    }

    pub async fn text(mut self) -> String {
        let mut lines = self.head.lines();
        let length = lines.find_map(|line| line.strip_prefix("content-length:"));
        let mut text = vec![0; length.unwrap().trim().parse().unwrap()];
        self.stream.read_exact(&mut text).await.unwrap();
        String::from_utf8(text).unwrap()
    }

    pub async fn json(self) -> Value {
        assert_eq!(self.status, 200);
        serde_json::from_str(&self.text().await).unwrap()
    }

    /// The next event.
    pub async fn next(&mut self) -> Option<Sent> {
        let (mut number, mut name, mut data) = (None, String::new(), Value::Null);
        loop {
            let line = self.line().await?;
            if let Some(found) = line.strip_prefix("id: ") {
                number = Some(found.parse().unwrap());
            } else if let Some(found) = line.strip_prefix("event: ") {
                name = found.to_owned();
            } else if let Some(found) = line.strip_prefix("data: ") {
                data = serde_json::from_str(found).unwrap();
            } else if let Some(number) = number {
                return Some((number, name, data));
            }
        }
    }

    /// Reads events up to the one with this name.
    pub async fn until(&mut self, end: &str) -> Vec<Sent> {
        let mut events = Vec::new();
        while events.last().is_none_or(|(_, name, _)| name != end) {
            let event = self.next().await.expect("the events go on");
            assert!(event.1 != "failed" || end == "failed", "{event:?}");
            events.push(event);
        }
        events
    }

    /// The events up to the end of the turn, without their numbers.
    pub async fn turn(&mut self) -> Vec<(String, Value)> {
        let events = self.until("done").await.into_iter();
        events.map(|(_, name, data)| (name, data)).collect()
    }
}

/// Says a message that begins a turn, and returns its events without their numbers.
pub async fn turn(chat: &Chat, text: &str) -> Vec<(String, Value)> {
    assert_eq!(chat.say(text).await, 201);
    chat.events().await.turn().await
}
