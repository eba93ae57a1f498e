//! An authorization server, an office behind it, and a person with a browser.

use crate::http::{bound_again, office, request};
use rmcp::transport::auth::{
    AuthError, CredentialStore, InMemoryCredentialStore, StoredCredentials,
};
use serde_json::{Value, json};
use skill_agent::mcp::{self, Auth, BoundHttp, ClientCredentials, Principal, SignIn, TokenError};
use skill_agent::toolbox::Toolbox;
use std::collections::HashMap;
use std::future::pending;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

const SECRET: &str = "hunter2";
pub const REDIRECT: &str = "http://127.0.0.1:8912/callback";

pub type Form = HashMap<String, String>;

/// A server for a test. Clones are the same one.
#[derive(Clone)]
pub struct Login {
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
    /// Is notified when a call has reached the desk.
    pub has_called: Arc<Notify>,
}

#[derive(Default)]
pub struct State {
    /// The scopes of the valid tokens.
    pub tokens: HashMap<String, Vec<String>>,
    pub refresh_tokens: Vec<String>,
    /// The requests for a token, and the visits of browsers.
    pub exchanges: Vec<Form>,
    pub visits: Vec<Form>,
    pub registrations: usize,
    /// Answers in place of the usual ones, by path.
    pub instead: HashMap<&'static str, Instead>,
    /// The browser's answer in place of a code.
    pub denial: Option<&'static str>,
    /// The tools that calls of the desk have named, refused calls too.
    pub called: Vec<String>,
}

#[derive(Clone)]
pub enum Instead {
    /// A whole response.
    Response(String),
    /// The usual document with another member.
    Member(&'static str, Value),
    /// A body of so many bytes.
    Bytes(usize),
    /// A body without end.
    Endless,
    /// Nothing. The clock of the test runs ahead to the next time limit.
    Never,
}

impl Login {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let login = Self {
            address: listener.local_addr().unwrap(),
            state: Arc::default(),
            has_called: Arc::default(),
        };
        let serving = login.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let login = serving.clone();
                tokio::spawn(async move { login.answer(stream).await });
            }
        });
        login
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub fn issuer(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn instead(&self, path: &'static str, instead: Instead) {
        self.state().instead.insert(path, instead);
    }

    /// Makes the tokens invalid, as if they had expired.
    pub fn expire(&self) {
        self.state().tokens.clear();
    }

    async fn answer(&self, stream: TcpStream) -> Option<()> {
        let mut stream = BufReader::new(stream);
        let (mut line, mut length, mut token) = (String::new(), 0, None);
        stream.read_line(&mut line).await.ok()?;
        loop {
            let mut header = String::new();
            stream.read_line(&mut header).await.ok()?;
            let header = header.trim_end().to_ascii_lowercase();
            if let Some(value) = header.strip_prefix("content-length: ") {
                length = value.parse().ok()?;
            }
            if let Some(value) = header.strip_prefix("authorization: bearer ") {
                token = Some(value.to_owned());
            }
            if header.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.ok()?;
        let body = String::from_utf8(body).ok()?;
        let target = line.split(' ').nth(1)?;
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let instead = self.state().instead.get(path).cloned();
        let response = match instead {
            Some(Instead::Response(response)) => response,
            Some(Instead::Member(name, value)) => {
                let mut document = self.document();
                document[name] = value;
                json_response(200, &document)
            }
            Some(Instead::Bytes(bytes)) => json_response(200, &json!("x".repeat(bytes))),
            Some(Instead::Endless) => {
                let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[";
                stream.write_all(head.as_bytes()).await.ok()?;
                while stream.write_all(&[b' '; 4096]).await.is_ok() {}
                return None;
            }
            Some(Instead::Never) => {
                tokio::time::pause();
                pending().await
            }
            None if path == "/desk" => self.desk(token.as_deref(), &body),
            None => self.usual(path, query, &body),
        };
        stream.write_all(response.as_bytes()).await.ok()
    }

    fn usual(&self, path: &str, query: &str, body: &str) -> String {
        match path {
            "/.well-known/oauth-authorization-server" => json_response(200, &self.document()),
            "/register" => {
                self.state().registrations += 1;
                let client = json!({ "client_id": "registered", "redirect_uris": [REDIRECT] });
                json_response(201, &client)
            }
            "/authorize" => self.visited(form(query)),
            "/token" => self.exchanged(form(body)),
            _ => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                .to_owned(),
        }
    }

    pub fn desk_url(&self) -> String {
        format!("{}/desk", self.issuer())
    }

    /// An MCP server whose tools need a scope each: `send` needs `mail`, and `add` needs `calendar`.
    fn desk(&self, token: Option<&str>, body: &str) -> String {
        let request: Value = serde_json::from_str(body).unwrap_or_default();
        let tool = request["params"]["name"].as_str().unwrap_or_default();
        let mut state = self.state();
        let Some(scopes) = token.and_then(|token| state.tokens.get(token)).cloned() else {
            return challenge("Bearer");
        };
        let result = match request["method"].as_str() {
            Some("initialize") => json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "desk", "version": "1" },
            }),
            Some("tools/list") => {
                let tool = |name| json!({ "name": name, "inputSchema": { "type": "object" } });
                json!({ "tools": [tool("send"), tool("add")] })
            }
            Some("tools/call") => {
                state.called.push(tool.to_owned());
                self.has_called.notify_one();
                let scope = if tool == "send" { "mail" } else { "calendar" };
                if !scopes.iter().any(|has| has == scope) {
                    return lacks(scope);
                }
                json!({ "content": [{ "type": "text", "text": format!("{tool} is done") }] })
            }
            _ if request["id"].is_null() => {
                return "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    .to_owned();
            }
            _ => {
                let error = json!({ "code": -32601, "message": "Method not found" });
                let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "error": error });
                return json_response(200, &answer);
            }
        };
        json_response(
            200,
            &json!({ "jsonrpc": "2.0", "id": request["id"], "result": result }),
        )
    }

    fn document(&self) -> Value {
        let issuer = self.issuer();
        json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"),
            "registration_endpoint": format!("{issuer}/register"),
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": true,
        })
    }

    fn visited(&self, form: Form) -> String {
        let mut state = self.state();
        let answer = state.denial.unwrap_or("code=the-code");
        let iss = self.issuer();
        let location = format!("{REDIRECT}?{answer}&state={}&iss={iss}", form["state"]);
        state.visits.push(form);
        redirect(&location)
    }

    fn exchanged(&self, form: Form) -> String {
        let mut state = self.state();
        let scope = match &*form["grant_type"] {
            "client_credentials" if form.get("client_secret").is_some_and(|s| s == SECRET) => {
                form.get("scope").cloned()
            }
            "client_credentials" => {
                return refused("invalid_client", "no such client");
            }
            "authorization_code" => state.visits.last().unwrap().get("scope").cloned(),
            _ if state.refresh_tokens.contains(&form["refresh_token"]) => Some("office".to_owned()),
            _ => return refused("invalid_grant", "the refresh token has expired"),
        };
        let number = state.exchanges.len();
        let is_program = form["grant_type"] == "client_credentials";
        state.exchanges.push(form);
        let (token, refresh) = (format!("token-{number}"), format!("refresh-{number}"));
        let scope = scope.unwrap_or_default();
        let scopes = scope.split(' ').map(str::to_owned).collect();
        state.tokens.insert(token.clone(), scopes);
        let mut answer = json!({ "access_token": token, "token_type": "Bearer", "expires_in": 3600, "scope": scope });
        if !is_program {
            answer["refresh_token"] = refresh.clone().into();
            state.refresh_tokens.push(refresh);
        }
        json_response(200, &answer)
    }

    /// The person's browser visits a URL, and says where it was sent to.
    pub async fn browse(&self, url: &str) -> String {
        let path = url.strip_prefix(&self.issuer()).unwrap();
        let answer = request(self.address, &format!("GET {path}"), &[], "").await;
        answer.header("Location").unwrap().to_owned()
    }

    /// An office that the tokens open, and its URL.
    pub async fn office(&self) -> (BoundHttp, String) {
        let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        self.office_at(address).await
    }

    /// An office at an address, such as the one of a stopped office.
    pub async fn office_at(&self, address: SocketAddr) -> (BoundHttp, String) {
        let url = format!("http://{address}/mcp");
        let (login, resource) = (self.clone(), url.clone());
        let auth = Auth::new(url.clone(), move |token| {
            let scopes = login.state().tokens.get(&token).cloned();
            let principal = Principal::new("ann", [resource.clone()]);
            async move {
                let scopes = scopes.ok_or(TokenError::Invalid)?;
                Ok(principal.scopes(scopes))
            }
        });
        let auth = auth.unwrap().scopes(["office"]);
        let auth = auth.authorization_server(self.issuer());
        let office = office().await;
        let http = || mcp::http(Toolbox::of(&office)).auth(auth.clone());
        (bound_again(&address.to_string(), http).await, url)
    }
}

/// A store that another client has filled after the first look at it.
#[derive(Clone)]
pub struct LateStore {
    pub tokens: InMemoryCredentialStore,
    has_looked: Arc<AtomicBool>,
    /// Is notified when tokens have been saved. The first save never returns.
    pub saved: Arc<Notify>,
    has_saved: Arc<AtomicBool>,
}

impl LateStore {
    pub fn new(tokens: &InMemoryCredentialStore) -> Self {
        Self {
            tokens: tokens.clone(),
            has_looked: Arc::default(),
            saved: Arc::default(),
            has_saved: Arc::default(),
        }
    }
}

type Stored<'s, T> = Pin<Box<dyn Future<Output = Result<T, AuthError>> + Send + 's>>;

impl CredentialStore for LateStore {
    fn load<'l: 's, 's>(&'l self) -> Stored<'s, Option<StoredCredentials>>
    where
        Self: 's,
    {
        if self.has_looked.swap(true, Ordering::SeqCst) {
            self.tokens.load()
        } else {
            Box::pin(async { Ok(None) })
        }
    }

    fn save<'l: 's, 's>(&'l self, credentials: StoredCredentials) -> Stored<'s, ()>
    where
        Self: 's,
    {
        Box::pin(async move {
            self.tokens.save(credentials).await?;
            self.saved.notify_one();
            if !self.has_saved.swap(true, Ordering::SeqCst) {
                pending::<()>().await;
            }
            Ok(())
        })
    }

    fn clear<'l: 's, 's>(&'l self) -> Stored<'s, ()>
    where
        Self: 's,
    {
        self.tokens.clear()
    }
}

/// A store of another client's tokens that can be loaded once. The next load never ends, and the clock of the test runs ahead.
pub struct StallingStore {
    tokens: InMemoryCredentialStore,
    has_loaded: AtomicBool,
}

impl StallingStore {
    /// A store that answers once, or never.
    pub fn new(tokens: &InMemoryCredentialStore, answers_once: bool) -> Self {
        Self {
            tokens: tokens.clone(),
            has_loaded: AtomicBool::new(!answers_once),
        }
    }
}

impl CredentialStore for StallingStore {
    fn load<'l: 's, 's>(&'l self) -> Stored<'s, Option<StoredCredentials>>
    where
        Self: 's,
    {
        if self.has_loaded.swap(true, Ordering::SeqCst) {
            tokio::time::pause();
            Box::pin(pending())
        } else {
            self.tokens.load()
        }
    }

    fn save<'l: 's, 's>(&'l self, credentials: StoredCredentials) -> Stored<'s, ()>
    where
        Self: 's,
    {
        self.tokens.save(credentials)
    }

    fn clear<'l: 's, 's>(&'l self) -> Stored<'s, ()>
    where
        Self: 's,
    {
        self.tokens.clear()
    }
}

pub fn credentials() -> ClientCredentials {
    ClientCredentials::new("robot", SECRET)
}

/// A person who allows everything.
pub fn person(login: &Login) -> SignIn {
    let login = login.clone();
    SignIn::new(REDIRECT, move |url| {
        let login = login.clone();
        async move { Ok::<_, String>(login.browse(&url).await) }
    })
}

pub fn json_response(status: u16, body: &Value) -> String {
    let body = body.to_string();
    let length = body.len();
    format!(
        "HTTP/1.1 {status} Answer\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

pub fn redirect(location: &str) -> String {
    format!(
        "HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )
}

/// The response of a server that asks for a token.
pub fn challenge(challenge: &str) -> String {
    format!(
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: {challenge}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )
}

/// The response of a server that asks for a token with another scope.
fn lacks(scope: &str) -> String {
    format!(
        "HTTP/1.1 403 Forbidden\r\nWWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"{scope}\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )
}

fn refused(error: &str, description: &str) -> String {
    json_response(
        400,
        &json!({ "error": error, "error_description": description }),
    )
}

fn form(text: &str) -> Form {
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    let decoded = |text: &str| {
        let text = text.replace('+', " ").replace("%3A", ":");
        text.replace("%2F", "/").replace("%2B", "+")
    };
    pairs
        .map(|(name, value)| (name.to_owned(), decoded(value)))
        .collect()
}
