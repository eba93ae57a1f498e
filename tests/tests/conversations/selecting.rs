//! Documents that messages select in durable conversations.

use crate::support::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::chat::{Chat, ChatModel, Conversations, Event, Message, ModelError, Scripted};
use skill_agent::manifest::selection::{ActivationPeriod, SelectionPolicy};
use skill_agent::manifest::{Catalog, Dialect, Source};
use skill_agent::prelude::*;
use skill_agent::store::Memory;
use skill_agent::toolbox::Toolbox;
use std::borrow::Cow;
use std::path::Path;

fn catalog(folder: &Path) -> Catalog {
    let text =
        "---\nname: greet\ndescription: Greets.\ntriggers:\n  keywords: [hello]\n---\nBe kind.\n";
    std::fs::create_dir_all(folder.join("greet")).unwrap();
    std::fs::write(folder.join("greet/SKILL.md"), text).unwrap();
    let catalog = Catalog::builder(Dialect::TRIGGERED);
    catalog.source(Source::project(folder)).load()
}

/// Opens conversations whose documents are active for a number of turns.
async fn open_with_documents(
    server: &AgentServer<Assistant>,
    folder: &Path,
    model: impl ChatModel + Clone,
    turns: u32,
) -> Conversations {
    let policy = SelectionPolicy::TIERS.period(ActivationPeriod::Turns(turns));
    let toolbox = Toolbox::builder().server(server).catalog(catalog(folder));
    let toolbox = toolbox.selection_policy(policy).build().await.unwrap();
    let build = move |_| Chat::builder(model.clone(), toolbox.clone());
    Conversations::open(server, build).await.unwrap()
}

const GREET: &str = "<skill name=\"greet\">\nBe kind.\n</skill>";

#[timed_test::test]
async fn a_selected_document_is_stored_with_its_message() {
    let folder = tempfile::tempdir().unwrap();
    let store = Memory::default();
    let model = Scripted::new()
        .calls([("add_note", json!({ "text": "Bob" }))])
        .text("Hello.");
    let server = serve(store.clone(), "main").await;
    let chats = open_with_documents(&server, folder.path(), model.clone(), 2).await;
    let turn = chats.start("bob", "hello Bob").await.unwrap();
    let mut events = turn.events();
    let selected = until(&mut events, |event| matches!(event, Event::Selected(_))).await;
    let Event::Selected(selected) = selected else {
        panic!("{selected:?}");
    };
    assert_eq!(selected.loaded, ["greet"]);
    assert_eq!(wait(&turn).await.text(), "Hello.");
    let history = chats.get("bob").await.unwrap().history;
    assert_eq!(history[0].text(), "hello Bob");
    assert_eq!(contexts(&history[0])[0].text, GREET);
    assert_eq!(model.requests()[1].messages[..1], history[..1]);
    crash(server).await;

    // the next process reads it; each message prolongs it without the text
    let model = Scripted::new().text("Again.").text("And again.");
    let server = serve(store, "main").await;
    let chats = open_with_documents(&server, folder.path(), model.clone(), 2).await;
    assert_eq!(chats.get("bob").await.unwrap().history, history);
    for (index, texts) in [(4, vec![""]), (6, vec![""])] {
        wait(&chats.start("bob", "hello again").await.unwrap()).await;
        let history = chats.get("bob").await.unwrap().history;
        let added = contexts(&history[index]).into_iter();
        assert_eq!(
            added.map(|part| part.text.as_str()).collect::<Vec<_>>(),
            texts
        );
    }
    assert_eq!(model.requests()[0].messages[..4], history[..4]);
}

#[timed_test::test]
async fn a_turn_that_is_resumed_has_the_document_of_its_message() {
    let folder = tempfile::tempdir().unwrap();
    let store = Memory::default();
    let model = Gated::new(Scripted::new().text("Never."));
    let server = serve(store.clone(), "main").await;
    let chats = open_with_documents(&server, folder.path(), model.clone(), 1).await;
    let _turn = chats.start("bob", "hello Bob").await.unwrap();
    model.asked(1).await;
    crash(server).await;

    let model = Scripted::new().text("Hello.");
    let server = serve(store, "main").await;
    let chats = open_with_documents(&server, folder.path(), model.clone(), 2).await;
    assert_eq!(
        wait(&chats.resume("bob").await.unwrap()).await.text(),
        "Hello."
    );
    let said = &model.requests()[0].messages[0];
    assert_eq!(contexts(said)[0].text, GREET);
}

#[timed_test::test]
async fn a_selection_takes_no_message_out_of_the_queue() {
    let folder = tempfile::tempdir().unwrap();
    let model = Gated::new(Scripted::new().text("One.").text("Two.").text("Three."));
    let server = serve(Memory::default(), "main").await;
    let chats = open_with_documents(&server, folder.path(), model.clone(), 1).await;
    let turn = chats.start("bob", "hello Bob").await.unwrap();
    model.asked(1).await;
    for message in ["hello again", "hello once more"] {
        chats.steer("bob", message).await.unwrap();
    }
    let mut follow = chats.follow("bob", None).unwrap();
    model.pass(9);
    wait(&turn).await;
    loop {
        until(&mut follow, |event| matches!(event, Event::Done(_))).await;
        if chats.get("bob").await.unwrap().queued.is_empty() {
            break;
        }
    }
    let history = chats.get("bob").await.unwrap().history;
    let said = history.iter().filter(|message| message.is_of_user());
    let said: Vec<_> = said.map(Message::text).collect();
    assert_eq!(said, ["hello Bob", "hello again", "hello once more"]);
}

/// Writes a document with the keyword `hello`.
fn greeting(folder: &Path, id: &str) {
    let text = format!(
        "---\nname: {id}\ndescription: Greets.\ntriggers:\n  keywords: [hello]\n---\nBe kind.\n"
    );
    std::fs::create_dir_all(folder.join(id)).unwrap();
    std::fs::write(folder.join(id).join("SKILL.md"), text).unwrap();
}

#[timed_test::test]
async fn a_turn_that_is_resumed_selects_no_further_documents() {
    let folder = tempfile::tempdir().unwrap();
    for id in ["a", "b", "c", "d"] {
        greeting(folder.path(), id);
    }
    let store = Memory::default();
    let server = serve(store.clone(), "main").await;
    let fails = Scripted::new().error(ModelError::Request("a map".into()));
    let chats = open_with_documents(&server, folder.path(), fails, 2).await;
    let turn = chats.start("bob", "hello Bob").await.unwrap();
    turn.wait().await.unwrap_err();
    let model = Scripted::new().text("Hello.");
    crash(server).await;
    let server = serve(store, "main").await;
    let chats = open_with_documents(&server, folder.path(), model.clone(), 2).await;
    let before = chats.get("bob").await.unwrap().history;
    assert_eq!(contexts(&before[0]).len(), 3);
    wait(&chats.resume("bob").await.unwrap()).await;
    assert_eq!(chats.get("bob").await.unwrap().history[0], before[0]);
    assert_eq!(model.requests()[0].messages[0], before[0]);
}

#[timed_test::test]
async fn a_step_that_was_cut_off_keeps_its_completion_when_documents_came_later() {
    let folder = tempfile::tempdir().unwrap();
    let store = Memory::default();
    let server = serve(store.clone(), "main").await;
    let calls = [
        ("add_note", json!({ "text": "milk" })),
        ("sleep", json!({})),
    ];
    // an earlier version added nothing
    let chats = open_on(&server, Scripted::new().calls(calls)).await;
    let turn = chats.start("bob", "Add 1 and 2.").await.unwrap();
    until(&mut turn.events(), |event| {
        matches!(event, Event::Called(_))
    })
    .await;
    crash(server).await;

    let server = serve(store.clone(), "main").await;
    let model = Scripted::new().text("Done.");
    let chats = open_with_documents(&server, folder.path(), model.clone(), 2).await;
    let turn = chats.resume("bob").await.unwrap();
    assert_eq!(wait(&turn).await.text(), "Done.");
    let history = chats.get("bob").await.unwrap().history;
    assert_eq!(history.len(), 4);
    assert_eq!(model.requests()[0].messages[..], history[..3]);
    crash(server).await;
    let server = serve(store, "main").await;
    let chats = open_on(&server, Scripted::new()).await;
    assert_eq!(chats.get("bob").await.unwrap().history, history);
}

#[timed_test::test]
async fn a_message_that_enters_a_turn_ends_no_activation() {
    let folder = tempfile::tempdir().unwrap();
    let model = Gated::new(
        Scripted::new()
            .calls([("add_note", json!({ "text": "Bob" }))])
            .text("Hello.")
            .text("Bye."),
    );
    let server = serve(Memory::default(), "main").await;
    let chats = open_with_documents(&server, folder.path(), model.clone(), 1).await;
    let turn = chats.start("bob", "hello Bob").await.unwrap();
    model.asked(1).await;
    chats.steer("bob", "in French please").await.unwrap();
    model.pass(9);
    wait(&turn).await;
    let history = chats.get("bob").await.unwrap().history;
    let said: Vec<_> = history
        .iter()
        .filter(|message| message.is_of_user())
        .collect();
    assert_eq!(said[1].text(), "in French please");
    let again = Chat::builder(Scripted::new(), Toolbox::builder().build().await.unwrap());
    let stored = serde_json::to_string(&history).unwrap();
    let again = again
        .history(serde_json::from_str(&stored).unwrap())
        .build()
        .unwrap();
    assert!(again.activations().is_active("greet"), "{history:?}");
}

/// A shelf.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "shelf", actions(Fill), hooks)]
pub struct Shelf {
    jars: u32,
}

/// Put a jar on the shelf.
#[action]
pub fn fill(shelf: &mut Shelf) {
    shelf.jars += 1;
}

impl Hooks for Shelf {
    fn turn_context<'a>(&'a self, _: &'a Context<Self>) -> Option<Cow<'a, str>> {
        Some(format!("{} jars", self.jars).into())
    }
}

agent! {
    pub struct Pantry {
        name: "pantry",
        skills: [Shelf],
    }
}

async fn pantry(store: Memory, model: &Scripted) -> (AgentServer<Pantry>, Conversations) {
    let server = AgentServer::builder(Pantry::with_id("main")).store(store);
    let server = server.start().await.unwrap();
    let (toolbox, model) = (Toolbox::of(&server), model.clone());
    let build = move |_| Chat::builder(model.clone(), toolbox.clone());
    let chats = Conversations::open(&server, build).await.unwrap();
    (server, chats)
}

#[timed_test::test]
async fn a_state_is_stored_with_its_message() {
    let state = |jars| format!("<state skill=\"shelf\">\n{jars} jars\n</state>");
    let store = Memory::default();
    let model = Scripted::new().calls([("fill", json!({}))]).text("Done.");
    let (server, chats) = pantry(store.clone(), &model).await;
    wait(&chats.start("bob", "Fill it.").await.unwrap()).await;
    let history = chats.get("bob").await.unwrap().history;
    assert_eq!(contexts(&history[0])[0].text, state(0));
    assert_eq!(model.requests()[1].messages[..1], history[..1]);
    server.kill();
    server.closed().await;

    let model = Scripted::new().text("One.").text("One.");
    let (_server, chats) = pantry(store, &model).await;
    assert_eq!(chats.get("bob").await.unwrap().history, history);
    // the committed state, once
    for texts in [vec![state(1)], vec![]] {
        wait(&chats.start("bob", "How many?").await.unwrap()).await;
        let requests = model.requests();
        let said = requests.last().unwrap().messages.last().unwrap().clone();
        let added = contexts(&said).into_iter().map(|part| part.text.clone());
        assert_eq!(added.collect::<Vec<_>>(), texts);
    }
}
