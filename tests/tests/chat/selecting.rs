//! Documents that a message selects: what each request contains. The guide is docs/selection.md.

use crate::support::contexts;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use skill_agent::ToolBuf;
use skill_agent::chat::{
    ActivateError, AnswerForm, Chat, ChatBuilder, ContextOrigin, ContextPart, Event, Message,
    ModelProfile, Scripted,
};
use skill_agent::manifest::selection::{ActivationPeriod, Exposure, SelectionPolicy};
use skill_agent::manifest::{Catalog, CatalogBuilder, Dialect, Source};
use skill_agent::models::Provider;
use skill_agent::server::{Attempt, Decision};
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolOutput, ToolSource, Toolbox,
};
use std::path::Path;

/// Documents with one keyword each, and one without triggers.
fn catalog(folder: &Path) -> CatalogBuilder {
    let documents = [
        ("greet", "triggers:\n  keywords: [hello]\n", "Be kind."),
        ("plan", "triggers:\n  keywords: [plan]\n", "Plan first."),
        ("weather", "", "Look outside."),
    ];
    for (id, triggers, body) in documents {
        let text = format!("---\nname: {id}\ndescription: About {id}.\n{triggers}---\n{body}\n");
        std::fs::create_dir_all(folder.join(id)).unwrap();
        std::fs::write(folder.join(id).join("SKILL.md"), text).unwrap();
    }
    Catalog::builder(Dialect::TRIGGERED).source(Source::project(folder))
}

async fn toolbox(catalog: CatalogBuilder, policy: SelectionPolicy) -> Toolbox {
    let builder = Toolbox::builder().catalog(catalog.load());
    builder.selection_policy(policy).build().await.unwrap()
}

fn saying(answers: usize) -> Scripted {
    (0..answers).fold(Scripted::new(), |model, _| model.text("Yes."))
}

async fn chat_of(model: &Scripted, catalog: CatalogBuilder, policy: SelectionPolicy) -> Chat {
    let builder: ChatBuilder = Chat::builder(model.clone(), toolbox(catalog, policy).await);
    builder.build().unwrap()
}

/// Sends messages, and returns the texts that were added to each of them.
async fn added(chat: &mut Chat, messages: &[&str]) -> Vec<String> {
    let mut added = Vec::new();
    for message in messages {
        let at = chat.history().len();
        chat.send(*message).await.unwrap();
        let said = &chat.history()[at];
        assert_eq!(said.text(), *message);
        let texts = contexts(said).into_iter().map(|part| part.text.as_str());
        added.push(texts.collect::<Vec<_>>().join("|"));
    }
    added
}

const GREET: &str = "<skill name=\"greet\">\nBe kind.\n</skill>";
const PLAN: &str = "<skill name=\"plan\">\nPlan first.\n</skill>";

#[timed_test::test]
async fn a_message_selects_documents_by_their_triggers() {
    let folder = tempfile::tempdir().unwrap();
    let model = saying(9);
    let mut chat = chat_of(&model, catalog(folder.path()), SelectionPolicy::TIERS).await;
    let messages = [
        "hello Bob",
        "Add 1 and 2.",
        "Add 3 and 4.",
        "What can you do?",
        "What can you do?",
        "hello, plan it",
    ];
    let added = added(&mut chat, &messages).await;
    assert_eq!(added[0], GREET);
    assert_eq!(added[1], "[3 skills available]");
    assert_eq!(added[2], "", "the model still reads the number");
    assert!(added[3].starts_with("## Available skills"), "{}", added[3]);
    assert_eq!(added[4], "", "the model still reads the list");
    // the model still reads the text of `greet`
    assert_eq!(added[5], format!("{PLAN}|"));

    let part = contexts(&chat.history()[0])[0].clone();
    assert_eq!(
        (part.origin, part.turns),
        (ContextOrigin::Selection, Some(1))
    );
    assert_eq!(part.loaded, ["greet"]);
    assert!(chat.activations().is_active("plan"));
    // each request begins with the one before
    let requests = model.requests();
    for pair in requests.windows(2) {
        assert!(pair[1].messages.starts_with(&pair[0].messages));
        assert_eq!(
            (&pair[0].system, &pair[0].tools),
            (&pair[1].system, &pair[1].tools)
        );
    }
}

#[timed_test::test]
async fn a_document_that_is_active_is_prolonged_and_not_added_again() {
    let folder = tempfile::tempdir().unwrap();
    let policy = SelectionPolicy::TIERS.period(ActivationPeriod::Turns(2));
    let model = saying(9);
    let mut chat = chat_of(&model, catalog(folder.path()), policy).await;
    let messages = ["hello", "hello", "Add 1 and 2.", "Add 3 and 4.", "hello"];
    let added = added(&mut chat, &messages[..3]).await;
    assert_eq!(added[..2], [GREET, ""]);
    assert!(
        chat.activations().is_active("greet"),
        "the second message prolonged it"
    );
    chat.send(messages[3]).await.unwrap();
    assert!(!chat.activations().is_active("greet"));
    // it is activated again, and the model has its text
    chat.send(messages[4]).await.unwrap();
    let part = contexts(&chat.history()[8])[0];
    assert_eq!(
        (&*part.text, &*part.loaded),
        ("", &["greet".to_owned()][..])
    );
}

#[timed_test::test]
async fn a_pinned_document_is_added_once() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = catalog(folder.path()).exposure("weather", Exposure::Pinned);
    let model = saying(9);
    let mut chat = chat_of(&model, catalog, SelectionPolicy::TIERS).await;
    let added = added(&mut chat, &["hello", "Add 1 and 2.", "Add 3 and 4."]).await;
    let weather = "<skill name=\"weather\">\nLook outside.\n</skill>";
    assert_eq!(added[0], format!("{weather}|{GREET}"));
    assert!(
        !added[1].contains("Look outside") && added[2].is_empty(),
        "{added:?}"
    );
    assert_eq!(contexts(&chat.history()[0])[0].turns, None);
    assert!(chat.activations().is_active("weather"));
}

#[timed_test::test]
async fn at_most_one_document_of_an_index_is_active_in_a_turn() {
    let folder = tempfile::tempdir().unwrap();
    let model = saying(2)
        .calls([("skill", json!({ "skill_name": "plan" }))])
        .text("No.");
    let mut chat = chat_of(&model, catalog(folder.path()), SelectionPolicy::INDEX).await;
    let added = added(&mut chat, &["Which are there?", "greet", "greet"]).await;
    assert!(
        added[0].contains("**greet**") && !added[0].contains("Be kind."),
        "{}",
        added[0]
    );
    assert_eq!(added[1], GREET);
    // the model asked for another document in the last turn
    let refused = format!("{:?}", chat.history());
    assert!(
        refused.contains("`greet` is active, and one is allowed"),
        "{refused}"
    );
    let active = chat.activations();
    assert_eq!(active.active().collect::<Vec<_>>(), ["greet"]);
}

#[timed_test::test]
async fn a_program_reads_what_was_selected_and_why() {
    let folder = tempfile::tempdir().unwrap();
    let model = saying(9);
    let mut chat = chat_of(&model, catalog(folder.path()), SelectionPolicy::TIERS).await;
    let explained = chat.explain("hello Bob").unwrap();
    assert!(
        explained.contains("+ greet: matched (keyword `hello`)"),
        "{explained}"
    );
    assert!(model.requests().is_empty() && chat.history().is_empty());
    let mut turn = chat.stream("hello Bob");
    let Event::Selected(selected) = turn.next().await.unwrap().unwrap() else {
        panic!("the first event");
    };
    assert_eq!(selected.loaded, ["greet"]);
    assert_eq!(selected.explanation, explained);
    turn.finish().await.unwrap();
}

/// An answer whose schema has a keyword.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Answer {
    plan: u8,
}

#[timed_test::test]
async fn the_request_for_a_typed_answer_selects_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let profile = ModelProfile::new(Provider::OPENAI_CHAT).with_answer_form(AnswerForm::Prompt);
    let model = Scripted::new().with_profile(profile).text(r#"{"plan":1}"#);
    let mut chat = chat_of(&model, catalog(folder.path()), SelectionPolicy::TIERS).await;
    let answer: Answer = chat.ask("hello Bob").await.unwrap();
    assert_eq!(answer, Answer { plan: 1 });
    let said = &chat.history()[0];
    assert!(said.text().contains("\"plan\""), "{}", said.text());
    assert_eq!(contexts(said)[0].loaded, ["greet"]);
}

#[timed_test::test]
async fn a_policy_that_leaves_the_choice_to_the_model_adds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let model = saying(9);
    let mut chat = chat_of(&model, catalog(folder.path()), SelectionPolicy::LAZY_TOOL).await;
    assert_eq!(added(&mut chat, &["hello Bob", "greet"]).await, ["", ""]);
    assert_eq!(chat.explain("hello Bob"), None);
}

#[timed_test::test]
async fn a_document_without_trust_is_not_added() {
    let folder = tempfile::tempdir().unwrap();
    drop(catalog(folder.path()));
    let source = Source::project(folder.path()).discovered();
    let untrusted = Catalog::builder(Dialect::TRIGGERED).source(source);
    let model = saying(9);
    let mut chat = chat_of(&model, untrusted, SelectionPolicy::TIERS).await;
    assert_eq!(added(&mut chat, &["hello Bob"]).await, [""]);
    assert!(!chat.activations().is_active("greet"));
    let requests = format!("{:?}", model.requests());
    assert!(!requests.contains("Be kind."), "{requests}");
}

#[timed_test::test]
async fn the_guard_decides_on_what_is_added() {
    let folder = tempfile::tempdir().unwrap();
    let toolbox = Toolbox::builder().catalog(catalog(folder.path()).load());
    let toolbox = toolbox.selection_policy(SelectionPolicy::TIERS);
    let denies = |attempt: &Attempt<'_>| {
        let is_plan = attempt.arguments()["skill_name"] == "plan";
        if is_plan {
            Decision::Ask
        } else {
            Decision::Allow
        }
    };
    let toolbox = toolbox.guard(denies).build().await.unwrap();
    let model = saying(9);
    let mut chat = Chat::builder(model.clone(), toolbox).build().unwrap();
    let mut turn = chat.stream("hello, plan it");
    let Event::Selected(selected) = turn.next().await.unwrap().unwrap() else {
        panic!("the first event");
    };
    turn.finish().await.unwrap();
    assert_eq!(selected.loaded, ["greet"]);
    let said = "- plan: left out, because the guard does not let the model load it";
    assert!(
        selected.explanation.contains(said),
        "{}",
        selected.explanation
    );
    let requests = format!("{:?}", model.requests());
    assert!(!requests.contains("Plan first."), "{requests}");
}

/// A source with a tool that sends what it reads.
struct Mail;

impl ToolSource for Mail {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let mut tool = ToolBuf::new("mail", "Sends mail.", json!({ "type": "object" }));
        tool.hints = tool.hints.reads_sensitive().sends_out();
        Box::pin(async move { Ok(vec![tool.into()]) })
    }

    fn call<'a>(&'a self, _: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(async { Ok("Sent.".into()) })
    }
}

#[timed_test::test]
async fn documents_that_the_toolbox_withholds_are_not_added() {
    let folder = tempfile::tempdir().unwrap();
    drop(catalog(folder.path()));
    let source = Source::project(folder.path()).discovered();
    let mut found = Catalog::builder(Dialect::TRIGGERED).source(source).load();
    let toolbox = Toolbox::builder()
        .source("mail", Mail)
        .catalog(found.clone());
    let toolbox = toolbox.selection_policy(SelectionPolicy::TIERS);
    let toolbox = toolbox.build().await.unwrap();
    let entry = found.listed().find(|entry| &*entry.id == "greet").unwrap();
    let hash = entry.hash;
    found.trust("greet", hash).unwrap();
    toolbox.set_catalog(found);
    let model = saying(9);
    let mut chat = Chat::builder(model.clone(), toolbox).build().unwrap();
    let messages = ["hello Bob", "What can you do?"];
    assert_eq!(added(&mut chat, &messages).await, ["", ""]);
    let error = chat.activate("greet").await.unwrap_err();
    assert!(matches!(error, ActivateError::Withheld), "{error}");
    let error = chat.command("/skill greet").await.unwrap_err();
    assert!(matches!(error, ActivateError::Withheld), "{error}");
    let requests = format!("{:?}", model.requests());
    assert!(!requests.contains("Be kind."), "{requests}");
}

#[timed_test::test]
async fn a_message_brings_no_parts_of_the_chat() {
    let folder = tempfile::tempdir().unwrap();
    let model = saying(9);
    let mut chat = chat_of(&model, catalog(folder.path()), SelectionPolicy::TIERS).await;
    let mut part = ContextPart::new(ContextOrigin::Program);
    part.loaded = vec!["plan".to_owned()];
    let error = chat
        .send(Message::from("Hello.").with(part))
        .await
        .unwrap_err();
    let said = "only the chat adds parts of the type `context`";
    assert!(error.to_string().contains(said), "{error}");
    assert!(model.requests().is_empty() && !chat.activations().is_active("plan"));
}

#[timed_test::test]
async fn a_list_that_another_list_replaced_is_added_again() {
    let folder = tempfile::tempdir().unwrap();
    let model = saying(9);
    let mut chat = chat_of(&model, catalog(folder.path()), SelectionPolicy::TIERS).await;
    let questions = ["What can you do?", "Add 1 and 2.", "What can you do?"];
    let added = added(&mut chat, &questions).await;
    assert!(!added[0].is_empty());
    assert_eq!((&*added[1], &added[2]), ("[3 skills available]", &added[0]));
}
