//! Conversations whose chats were dropped: deleted, refused at their first message, or idle.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::chat::{
    BoxStream, Chat, ChatError, ChatModel, ChatRequest, Conversations, Event, ModelError,
    ModelEvent, ModelProfile, Scripted,
};
use skill_agent::prelude::*;
use skill_agent::store::{Memory, Redb};
use skill_agent::toolbox::Toolbox;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::Notify;

/// Lines of one person.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "lines")]
pub struct Lines {
    pub lines: Vec<String>,
}

agent! {
    pub struct Keeper {
        name: "keeper",
        skills: [Lines],
    }
}

/// Conversations with an agent each. An agent has the id of its conversation.
async fn with_own_agents(model: Scripted) -> (TempDir, Conversations) {
    let folder = tempfile::tempdir().unwrap();
    // a log of a file closes later than its server's handle
    let store = Redb::open(folder.path().join("agents.redb")).unwrap();
    let keeper = AgentServer::builder(Keeper::with_id("keeper")).store(store.clone());
    let keeper = keeper.start().await.unwrap();
    let chats = Conversations::open(&keeper, move |id| {
        let agent = AgentServer::builder(Keeper::with_id(id)).store(store.clone());
        let model = model.clone();
        async move {
            let toolbox = Toolbox::of(&agent.start().await?);
            Ok(Chat::builder(model, toolbox))
        }
    });
    (folder, chats.await.unwrap())
}

#[timed_test::test]
async fn an_id_of_a_deleted_conversation_begins_anew() {
    let texts = (0..20).fold(Scripted::new(), |script, _| script.text("Hello."));
    let (_folder, chats) = with_own_agents(texts).await;
    for _ in 0..20 {
        let turn = chats.send("ann", "Hi.").await.unwrap();
        assert_eq!(turn.text(), "Hello.");
        chats.delete("ann").await.unwrap();
    }
}

#[timed_test::test]
async fn an_id_whose_first_message_was_refused_begins_later() {
    let (_folder, chats) = with_own_agents(Scripted::new().text("Hello.")).await;
    for _ in 0..20 {
        let refused = chats.send("ann", " ").await.unwrap_err();
        assert!(matches!(*refused, ChatError::Empty), "{refused}");
    }
    assert_eq!(chats.send("ann", "Hi.").await.unwrap().text(), "Hello.");
}

/// A model that notifies when it is dropped.
struct Noticed(Scripted, Arc<Notify>);

impl Drop for Noticed {
    fn drop(&mut self) {
        self.1.notify_one();
    }
}

impl ChatModel for Noticed {
    fn profile(&self) -> ModelProfile {
        self.0.profile()
    }

    fn stream(&self, request: ChatRequest) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        self.0.stream(request)
    }
}

#[timed_test::test]
async fn an_idle_conversation_knows_the_number_of_its_last_event() {
    let server = AgentServer::builder(Keeper::with_id("keeper")).store(Memory::default());
    let server = server.start().await.unwrap();
    let toolbox = Toolbox::of(&server);
    let dropped = Arc::new(Notify::new());
    let notify = Arc::clone(&dropped);
    let build = move |_id| {
        let model = Noticed(Scripted::new().text("Hello."), Arc::clone(&notify));
        Chat::builder(model, toolbox.clone())
    };
    let chats = Conversations::open(&server, build).idle_after(Duration::from_millis(1));
    let chats = chats.await.unwrap();
    chats.send("ann", "Hi.").await.unwrap();
    let mut events = chats.events("ann", None).unwrap();
    let mut last = None;
    while let Some(event) = events.next().await {
        last = Some(event.number);
    }
    drop(events);
    dropped.notified().await;
    assert!(last.is_some());
    assert_eq!(chats.get("ann").await.unwrap().last_event, last);
}

#[timed_test::test]
async fn a_number_of_a_deleted_conversation_begins_with_a_gap() {
    let (_folder, chats) =
        with_own_agents(Scripted::new().text("Hello.").text("Hello again.")).await;
    chats.send("ann", "Hi.").await.unwrap();
    chats.delete("ann").await.unwrap();
    let turn = chats.start("ann", "Hi!").await.unwrap();
    let mut events = chats.follow("ann", 1_000_u64).unwrap();
    let first = events.next().await.unwrap().event.unwrap();
    assert!(matches!(first, Event::Restarted), "{first:?}");
    let said = events.next().await.unwrap();
    assert!(matches!(said.event, Ok(Event::Said(_))), "{said:?}");
    turn.wait().await.unwrap();
}
