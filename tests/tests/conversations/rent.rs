//! The rent of a new user: the program is killed while the rent is booked, and says the message again or resumes the turn. The rent is
//! booked once.

use crate::support::{crash, lines, serve};
use serde_json::json;
use skill_agent::chat::{
    BoxStream, Chat, ChatModel, ChatRequest, ConversationStatus, Conversations, Event, ModelError,
    ModelEvent, ModelProfile, Scripted,
};
use skill_agent::store::Redb;
use skill_agent::toolbox::Toolbox;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// The environment variable with the victim's store.
const STORE: &str = "RENT_STORE";
const SAID: &str = "Book the rent.";

/// A model that books the rent and waits, unless it sees that the rent is booked.
#[derive(Clone)]
struct Landlord;

impl ChatModel for Landlord {
    fn profile(&self) -> ModelProfile {
        Scripted::new().profile()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let results = request
            .messages
            .iter()
            .flat_map(|message| message.results());
        let booked = { results }.find(|result| result.name == "add_note");
        let script = match booked {
            Some(result) => {
                assert!(!result.is_error(), "{}", result.text());
                Scripted::new().text("The rent is booked.")
            }
            None => Scripted::new().calls([
                ("add_note", json!({ "text": "rent" })),
                ("sleep", json!({})),
            ]),
        };
        script.stream(request)
    }
}

async fn open(
    path: &Path,
) -> (
    skill_agent::AgentServer<crate::support::Assistant>,
    Conversations,
) {
    let server = serve(Redb::open(path).unwrap(), "main").await;
    let toolbox = Toolbox::of(&server);
    let build = move |_| Chat::builder(Landlord, toolbox.clone());
    let chats = Conversations::open(&server, build).await.unwrap();
    (server, chats)
}

/// Starts a process that books the rent, and kills it before its turn ends.
fn kill_in_mid_turn(path: &Path) {
    let mut victim = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "rent::victim", "--nocapture"])
        .env(STORE, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(victim.stdout.take().unwrap());
    let mut lines = output.lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains("booked")));
    victim.kill().unwrap();
    victim.wait().unwrap();
}

#[timed_test::test]
async fn victim() {
    let Some(path) = std::env::var_os(STORE) else {
        return println!("not started as the victim");
    };
    let (_server, chats) = open(Path::new(&path)).await;
    let mut events = chats.start("ann", SAID).await.unwrap().events();
    while let Some(event) = events.next().await {
        if let Ok(Event::Called(called)) = event.event {
            assert_eq!(called.name, "add_note");
            println!("booked");
        }
    }
}

#[timed_test::test]
async fn the_rent_is_booked_once() {
    for resumes in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agents.redb");
        kill_in_mid_turn(&path);
        let (server, chats) = open(&path).await;
        let info = &chats.list("ann").await.unwrap()[0];
        assert_eq!(info.status, ConversationStatus::Interrupted);
        assert_eq!(lines(&server).await, ["rent"]);
        let running = if resumes {
            chats.resume("ann").await
        } else {
            chats.start("ann", SAID).await
        };
        let turn = running.unwrap().wait().await.unwrap();
        assert_eq!(turn.text(), "The rent is booked.");
        assert_eq!(lines(&server).await, ["rent"]);
        let page = chats.get("ann").await.unwrap();
        let results: Vec<_> = page.history[2].results().collect();
        assert_eq!(results[0].text(), "1"); // the output that the server kept
        let text = results[1].text().into_owned();
        assert!(text.contains("it has perhaps run"), "{text}");
        assert_eq!(page.info.status, ConversationStatus::Idle);
        crash(server).await;
    }
}
