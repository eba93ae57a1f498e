//! A server on the loopback that answers as a test says.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// A reply of the server.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
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
}

impl Reply {
    fn new(kind: &str, body: &[u8]) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type", kind.to_owned())],
            body: body.to_owned(),
            end: End::Whole,
        }
    }

    pub(super) fn json(body: &str) -> Self {
        Self::new("application/json; charset=utf-8", body.as_bytes())
    }

    /// A stream of bytes.
    pub(super) fn stream(body: impl AsRef<[u8]>) -> Self {
        Self::new("text/event-stream; charset=utf-8", body.as_ref())
    }

    /// A stream of the data of events.
    pub(super) fn events(events: &[&str]) -> Self {
        let event = |data: &&str| format!("data: {data}\r\n\r\n");
        Self::stream(events.iter().map(event).collect::<String>())
    }

    pub(super) fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    pub(super) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub(super) fn cut(mut self) -> Self {
        self.end = End::Cut;
        self
    }

    pub(super) fn used_once(mut self) -> Self {
        self.end = End::UsedOnce;
        self
    }

    pub(super) fn stall(mut self) -> Self {
        self.end = End::Stall;
        self
    }
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(super) struct Received {
    /// The line of the method and the path.
    pub(super) line: String,
    /// The headers, in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Value,
    /// The body as it was written.
    pub(super) text: String,
}

impl Received {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

pub(super) struct Server {
    pub(super) url: String,
    received: Arc<Mutex<Vec<Received>>>,
    connections: Arc<Mutex<usize>>,
}

impl Server {
    /// A server that gives these replies in turn.
    pub(super) async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            received: Arc::default(),
            connections: Arc::default(),
        };
        let replies: VecDeque<Reply> = replies.into_iter().collect();
        let replies = Arc::new(Mutex::new(replies));
        let (received, connections) = (server.received.clone(), server.connections.clone());
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                *connections.lock().unwrap() += 1;
                tokio::spawn(serve(connection, replies.clone(), received.clone()));
            }
        });
        server
    }

    /// The requests so far.
    pub(super) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// The body of the last request.
    pub(super) fn body(&self) -> Value {
        self.received().pop().unwrap().body
    }

    pub(super) fn connections(&self) -> usize {
        *self.connections.lock().unwrap()
    }
}

async fn serve(
    connection: TcpStream,
    replies: Arc<Mutex<VecDeque<Reply>>>,
    received: Arc<Mutex<Vec<Received>>>,
) {
    let mut connection = BufReader::new(connection);
    while let Some(request) = read(&mut connection).await {
        received.lock().unwrap().push(request);
        let reply = replies.lock().unwrap().pop_front();
        let Some(reply) = reply else { return };
        let mut head = format!("HTTP/1.1 {} Reply\r\n", reply.status);
        for (name, value) in &reply.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("transfer-encoding: chunked\r\n\r\n");
        let mut bytes = head.into_bytes();
        // divided within characters and line ends, unless it is long
        let size = reply.body.len().div_ceil(1000).max(7);
        for part in reply.body.chunks(size) {
            bytes.extend(format!("{:x}\r\n", part.len()).bytes());
            bytes.extend(part);
            bytes.extend(b"\r\n");
        }
        if matches!(reply.end, End::Whole | End::UsedOnce) {
            bytes.extend(b"0\r\n\r\n");
        }
        connection.get_mut().write_all(&bytes).await.ok();
        match reply.end {
            End::Whole => {}
            End::Cut => return,
            End::Stall => std::future::pending().await,
            End::UsedOnce => {
                read(&mut connection).await;
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
    let length = request.header("content-length").unwrap().parse().unwrap();
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await.ok()?;
    request.body = serde_json::from_slice(&body).unwrap();
    request.text = String::from_utf8(body).unwrap();
    Some(request)
}
