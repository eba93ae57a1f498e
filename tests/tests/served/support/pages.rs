//! A skill that fetches pages from a source that the test controls.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::server::AgentServerBuilder;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};

/// Fetches pages.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "pages",
    actions(Fetch, Store, Linger, Hold, Want, Later, Cough)
)]
pub struct Pages {
    pub stored: Vec<String>,
}

/// The world, which a test holds.
#[derive(Clone, Default)]
pub struct Web(pub Arc<Wires>);

pub struct Wires {
    /// A permit for each call that may go on.
    go: Semaphore,
    inside: AtomicUsize,
    /// The maximum number of calls that were inside at once.
    pub most: AtomicUsize,
    told: mpsc::UnboundedSender<String>,
    heard: std::sync::Mutex<Option<mpsc::UnboundedReceiver<String>>>,
}

impl Default for Wires {
    fn default() -> Self {
        let (told, heard) = mpsc::unbounded_channel();
        Self {
            go: Semaphore::new(0),
            inside: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            told,
            heard: std::sync::Mutex::new(Some(heard)),
        }
    }
}

impl Web {
    fn tell(&self, what: &str) {
        // the test may be over
        let _ = self.0.told.send(what.to_owned());
    }

    async fn go(&self) {
        let inside = self.0.inside.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.most.fetch_max(inside, Ordering::SeqCst);
        self.tell("began");
        self.0.go.acquire().await.unwrap().forget();
        self.0.inside.fetch_sub(1, Ordering::SeqCst);
    }
}

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("there is no page `{page}`")]
pub struct NotFound {
    pub page: String,
}

/// Fetch a page, and store it.
#[action(on("pages.fetch"), on("pages.both", priority = 1))]
pub async fn fetch(
    pages: &Pages,
    cx: &mut Context<Pages>,
    web: &Web,
    page: String,
) -> Result<usize, NotFound> {
    cx.progress(json!({ "page": page }));
    cx.emit(Signal::new("pages.fetched", json!(page)));
    cx.then(Store { page: page.clone() });
    web.go().await;
    match &*page {
        "nowhere" => Err(NotFound { page }),
        "ill" => panic!("the page is ill"),
        "twice" => {
            cx.then(Store {
                page: "full".to_owned(),
            });
            Ok(pages.stored.len())
        }
        _ => Ok(pages.stored.len()),
    }
}

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("the store is full")]
pub struct Full;

/// Store a page.
#[action]
pub fn store(pages: &mut Pages, page: String) -> Result<(), Full> {
    let is_full = page == "full";
    pages.stored.push(page);
    if is_full { Err(Full) } else { Ok(()) }
}

/// Linger until nobody wants to know any more.
#[action]
pub async fn linger(_: &Pages, cx: &mut Context<Pages>, web: &Web) {
    cx.then(Store {
        page: "too late".to_owned(),
    });
    web.tell("began");
    cx.cancelled().await;
    web.tell(if cx.is_cancelled() {
        "cancelled"
    } else {
        "woken"
    });
}

/// Go on whatever anybody says.
#[action(on("pages.both"))]
pub async fn hold(_: &Pages, web: &Web, #[arg(default)] page: String) {
    let _ = page;
    web.go().await;
}

/// Fetch by a directive.
#[action]
pub fn want(_: &Pages, cx: &mut Context<Pages>, page: String) {
    cx.run(Instruction::new("fetch", json!({ "page": page })));
}

/// Fetch by a signal that is due after a second.
#[action]
pub fn later(_: &Pages, cx: &mut Context<Pages>, page: String) {
    let signal = Signal::new("pages.fetch", json!({ "page": page }));
    cx.schedule(Duration::from_secs(1), signal);
}

/// Text whose reading panics.
#[derive(Clone, Serialize, JsonSchema)]
pub struct Sore(String);

impl<'de> Deserialize<'de> for Sore {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        panic!("`{text}` cannot be swallowed")
    }
}

/// Cough.
#[action]
pub async fn cough(_: &Pages, sore: Sore) -> usize {
    sore.0.len()
}

agent! {
    /// Reads the web.
    #[derive(Debug, PartialEq)]
    pub struct Reader {
        name: "reader",
        skills: [Pages],
    }
}

#[derive(Resources)]
pub struct World {
    pub web: Web,
}

/// What a test holds of the world.
pub struct Far {
    pub web: Web,
    pub told: mpsc::UnboundedReceiver<String>,
}

impl Far {
    pub async fn told(&mut self) -> String {
        self.told.recv().await.unwrap()
    }

    pub fn go(&self, permits: usize) {
        self.web.0.go.add_permits(permits);
    }
}

pub fn reader() -> (AgentServerBuilder<Reader, World>, Far) {
    let web = Web::default();
    let told = web.0.heard.lock().unwrap().take().unwrap();
    let builder =
        AgentServer::builder(Reader::with_id("reader-1")).resources(World { web: web.clone() });
    (builder, Far { web, told })
}

pub fn page(page: &str) -> Fetch {
    Fetch {
        page: page.to_owned(),
    }
}

pub fn fetching(
    server: &AgentServer<Reader>,
    name: &'static str,
) -> tokio::task::JoinHandle<Result<usize, ServeError<NotFound>>> {
    let server = server.clone();
    tokio::spawn(async move { server.call(page(name)).await })
}

pub async fn stored(server: &AgentServer<Reader>) -> Vec<String> {
    server.agent().await.unwrap().state().pages.stored.clone()
}
