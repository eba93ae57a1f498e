//! A skill whose async actions the test controls.

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
    actions(
        Fetch,
        Store,
        WaitForCancellation,
        IgnoreCancellation,
        RunFetch,
        FetchLater,
        CountCharacters
    )
)]
pub struct Pages {
    pub stored: Vec<String>,
}

/// A resource of the actions, controlled by the test.
#[derive(Clone, Default)]
pub struct Web(pub Arc<WebState>);

pub struct WebState {
    /// Permits for actions to continue.
    permits: Semaphore,
    running: AtomicUsize,
    /// The highest number of actions that ran at once.
    pub max_running: AtomicUsize,
    events: mpsc::UnboundedSender<String>,
    receiver: std::sync::Mutex<Option<mpsc::UnboundedReceiver<String>>>,
}

impl Default for WebState {
    fn default() -> Self {
        let (events, receiver) = mpsc::unbounded_channel();
        Self {
            permits: Semaphore::new(0),
            running: AtomicUsize::new(0),
            max_running: AtomicUsize::new(0),
            events,
            receiver: std::sync::Mutex::new(Some(receiver)),
        }
    }
}

impl Web {
    fn send_event(&self, event: &str) {
        // The test may already be over.
        let _ = self.0.events.send(event.to_owned());
    }

    async fn wait_for_permit(&self) {
        let running = self.0.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.max_running.fetch_max(running, Ordering::SeqCst);
        self.send_event("started");
        self.0.permits.acquire().await.unwrap().forget();
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("there is no page `{page}`")]
pub struct NotFound {
    pub page: String,
}

/// Fetch a page and store it.
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
    web.wait_for_permit().await;
    match &*page {
        "nowhere" => Err(NotFound { page }),
        "broken" => panic!("the page is broken"),
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

/// Wait until the action is cancelled.
#[action]
pub async fn wait_for_cancellation(_: &Pages, cx: &mut Context<Pages>, web: &Web) {
    cx.then(Store {
        page: "too late".to_owned(),
    });
    web.send_event("started");
    cx.cancelled().await;
    web.send_event(if cx.is_cancelled() {
        "cancelled"
    } else {
        "woken"
    });
}

/// Wait for a permit, ignoring cancellation.
#[action(on("pages.both"))]
pub async fn ignore_cancellation(_: &Pages, web: &Web, #[arg(default)] page: String) {
    let _ = page;
    web.wait_for_permit().await;
}

/// Fetch a page by a `Run` directive.
#[action]
pub fn run_fetch(_: &Pages, cx: &mut Context<Pages>, page: String) {
    cx.run(Instruction::new("fetch", json!({ "page": page })));
}

/// Fetch a page by a signal that is due after a second.
#[action]
pub fn fetch_later(_: &Pages, cx: &mut Context<Pages>, page: String) {
    let signal = Signal::new("pages.fetch", json!({ "page": page }));
    cx.schedule(Duration::from_secs(1), signal);
}

/// A text that panics when it is deserialized.
#[derive(Clone, Serialize, JsonSchema)]
pub struct PanicsWhenRead(String);

impl<'de> Deserialize<'de> for PanicsWhenRead {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        panic!("`{text}` cannot be deserialized")
    }
}

/// Count the characters of a text.
#[action]
pub async fn count_characters(_: &Pages, text: PanicsWhenRead) -> usize {
    text.0.chars().count()
}

agent! {
    /// Has the skill `pages`.
    #[derive(Debug, PartialEq)]
    pub struct Reader {
        name: "reader",
        skills: [Pages],
    }
}

#[derive(Resources)]
pub struct WebResources {
    pub web: Web,
}

/// The test's handle to the actions.
pub struct PageControl {
    pub web: Web,
    pub events: mpsc::UnboundedReceiver<String>,
}

impl PageControl {
    pub async fn next_event(&mut self) -> String {
        self.events.recv().await.unwrap()
    }

    pub fn allow(&self, permits: usize) {
        self.web.0.permits.add_permits(permits);
    }
}

pub fn reader() -> (AgentServerBuilder<Reader, WebResources>, PageControl) {
    let web = Web::default();
    let events = web.0.receiver.lock().unwrap().take().unwrap();
    let builder = AgentServer::builder(Reader::with_id("reader-1"))
        .resources(WebResources { web: web.clone() });
    (builder, PageControl { web, events })
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
