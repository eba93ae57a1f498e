//! A server on the loopback that responds as a test says.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// The end of a body in chunks.
const END: &[u8] = b"0\r\n\r\n";

/// A response of the server.
#[derive(Clone, Debug)]
pub struct Response {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    /// Whether the body has the head too.
    is_raw: bool,
    end: End,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Whole,
    /// The connection is closed within the body.
    Cut,
    /// Nothing more is sent.
    Stall,
    /// The connection is closed when it is used again.
    UsedOnce,
    /// The end of the body follows after a time.
    Late,
}

impl Response {
    fn new(kind: &str, body: &[u8]) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type", kind.to_owned())],
            body: body.to_owned(),
            is_raw: false,
            end: End::Whole,
        }
    }

    /// A whole body of JSON.
    pub fn json(body: &str) -> Self {
        Self::new("application/json; charset=utf-8", body.as_bytes())
    }

    /// The bytes of a response, after which the connection is closed.
    pub fn raw(bytes: impl AsRef<[u8]>) -> Self {
        Self {
            is_raw: true,
            ..Self::new("", bytes.as_ref()).cut()
        }
    }

    /// A response of a type.
    pub fn of(kind: &str, body: impl AsRef<[u8]>) -> Self {
        Self::new(kind, body.as_ref())
    }

    /// A stream of bytes.
    pub fn stream(body: impl AsRef<[u8]>) -> Self {
        Self::new("text/event-stream; charset=utf-8", body.as_ref())
    }

    /// A stream of the data of events.
    pub fn events(events: &[&str]) -> Self {
        let event = |data: &&str| format!("data: {data}\r\n\r\n");
        Self::stream(events.iter().map(event).collect::<String>())
    }

    /// The response with another status than 200.
    #[must_use]
    pub fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// The response with one more header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// The response whose connection is closed within the body.
    #[must_use]
    pub fn cut(mut self) -> Self {
        self.end = End::Cut;
        self
    }

    /// The response after which the connection is closed when it is used again.
    #[must_use]
    pub fn used_once(mut self) -> Self {
        self.end = End::UsedOnce;
        self
    }

    /// The response with the end of the body 5 ms after its bytes.
    #[must_use]
    pub fn late(mut self) -> Self {
        self.end = End::Late;
        self
    }

    /// The response after whose body nothing comes, nor the end.
    #[must_use]
    pub fn stall(mut self) -> Self {
        self.end = End::Stall;
        self
    }

    /// The head and the body in chunks.
    fn written(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} Test\r\n", self.status);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("transfer-encoding: chunked\r\n\r\n");
        let mut bytes = head.into_bytes();
        // divided within characters and line ends, unless it is long
        let size = self.body.len().div_ceil(1000).max(7);
        for part in self.body.chunks(size) {
            bytes.extend(format!("{:x}\r\n", part.len()).bytes());
            bytes.extend(part);
            bytes.extend(b"\r\n");
        }
        if matches!(self.end, End::Whole | End::UsedOnce) {
            bytes.extend(END);
        }
        bytes
    }
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Received {
    /// The line of the method and the path.
    pub line: String,
    /// The headers, in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Value,
    /// The body as it was written.
    pub text: String,
}

impl Received {
    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// A server that runs as long as the runtime.
#[derive(Debug)]
pub struct Server {
    /// The address, without a slash at its end.
    pub url: String,
    received: Arc<Mutex<Vec<Received>>>,
    connections: Arc<Mutex<usize>>,
    left: Arc<Semaphore>,
    responses: Arc<Mutex<VecDeque<Response>>>,
}

impl Server {
    /// A server that sends these responses in turn.
    pub async fn start(responses: impl IntoIterator<Item = Response>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            received: Arc::default(),
            connections: Arc::default(),
            left: Arc::new(Semaphore::new(0)),
            responses: Arc::new(Mutex::new(responses.into_iter().collect())),
        };
        let responses = server.responses.clone();
        let (received, connections) = (server.received.clone(), server.connections.clone());
        let left = server.left.clone();
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                *connections.lock().unwrap() += 1;
                tokio::spawn(serve(
                    connection,
                    responses.clone(),
                    received.clone(),
                    left.clone(),
                ));
            }
        });
        server
    }

    /// Sends these responses next, in place of the remaining ones.
    pub fn respond(&self, responses: impl IntoIterator<Item = Response>) {
        *self.responses.lock().unwrap() = responses.into_iter().collect();
    }

    /// The requests so far.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// The body of the last request.
    ///
    /// # Panics
    ///
    /// If no request has arrived.
    #[must_use]
    pub fn body(&self) -> Value {
        self.received().pop().unwrap().body
    }

    /// The connections so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        *self.connections.lock().unwrap()
    }

    /// Waits until the client has left a response that [stalls](Response::stall).
    pub async fn left(&self) {
        self.left.acquire().await.unwrap().forget();
    }
}

async fn serve(
    connection: TcpStream,
    responses: Arc<Mutex<VecDeque<Response>>>,
    received: Arc<Mutex<Vec<Received>>>,
    left: Arc<Semaphore>,
) {
    let mut connection = BufReader::new(connection);
    while let Some(request) = read(&mut connection).await {
        received.lock().unwrap().push(request);
        let response = responses.lock().unwrap().pop_front();
        let Some(response) = response else { return };
        let bytes = if response.is_raw {
            response.body.clone()
        } else {
            response.written()
        };
        connection.get_mut().write_all(&bytes).await.ok();
        match response.end {
            End::Whole => {}
            End::Late => {
                tokio::time::sleep(Duration::from_millis(5)).await;
                connection.get_mut().write_all(END).await.ok();
            }
            End::Cut => return,
            End::UsedOnce => {
                read(&mut connection).await;
                return;
            }
            End::Stall => {
                connection.read_u8().await.ok();
                left.add_permits(1);
                return;
            }
        }
    }
}

async fn read(connection: &mut BufReader<TcpStream>) -> Option<Received> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if connection.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let header = |line: &String| {
        let (name, value) = line.split_once(": ").unwrap();
        (name.to_lowercase(), value.to_owned())
    };
    let mut request = Received {
        line: lines.remove(0),
        headers: lines.iter().map(header).collect(),
        body: Value::Null,
        text: String::new(),
    };
    // a GET has no body
    let Some(length) = request.header("content-length") else {
        return Some(request);
    };
    let length = length.parse().unwrap();
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await.ok()?;
    request.body = serde_json::from_slice(&body).unwrap();
    request.text = String::from_utf8(body).unwrap();
    Some(request)
}
