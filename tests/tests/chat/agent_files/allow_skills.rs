//! `allow_skills`: which documents the model is offered.

use super::*;
use crate::deferred::{Clerk, clerk};
use crate::support::{raw, results, server};
use model_server::{Response, Server};
use serde_json::json;
use skill_agent::chat::{ActivateError, ChatRequest, Conversations, Message, OpenAi};
use skill_agent::manifest::selection::SelectionPolicy;
use skill_agent::models::ToolCall;
use skill_agent::prelude::{Agent, AgentServer, ForeignCaller};
use skill_agent::store::Memory;

const PLAIN: &str = "---\nname: Plain\nprovider: openai\nmodel: gpt-4\n---\nYou help.\n";

fn names(request: &ChatRequest) -> Vec<&str> {
    request.tools.iter().map(|tool| &*tool.name).collect()
}

fn load(name: &str) -> ToolCall {
    raw("skill", &json!({ "skill_name": name }).to_string())
}

async fn clerk_and_documents(skills: &Path) -> (AgentServer<Clerk>, Toolbox) {
    let clerk = clerk().await;
    let toolbox = Toolbox::builder().server(&clerk).catalog(catalog(skills));
    let toolbox = toolbox.build().await.unwrap();
    (clerk, toolbox)
}

#[timed_test::test]
async fn the_agent_of_the_design_loads_a_document() {
    let (agents, skills) = (
        folder(&[("general", GENERAL)]),
        tempfile::tempdir().unwrap(),
    );
    let toolbox = Toolbox::builder().catalog(catalog(skills.path())).build();
    let model = Scripted::new()
        .raw_calls([load("brainstorming")])
        .text("Done.");
    let chat = builder(agents.path(), "general", toolbox.await.unwrap(), &model);
    let turn = chat.build().unwrap().send("An idea.").await.unwrap();
    assert!(results(&turn)[0].contains("Ask first."));

    let requests = model.requests();
    let system = requests[0].system.iter().map(|part| part.text.as_str());
    assert_eq!(
        system.collect::<Vec<_>>(),
        ["You are a helpful assistant with access to specialized skills..."]
    );
    let tools = serde_json::to_string(&requests[0].tools).unwrap();
    assert!(tools.contains("brainstorming") && tools.contains("code-review"));
}

#[timed_test::test]
async fn no_document_is_in_a_request_without_allow_skills() {
    let skills = tempfile::tempdir().unwrap();
    let (_clerk, deferring) = clerk_and_documents(skills.path()).await;
    let plain = Toolbox::builder().server(&server().await);
    let plain = plain.catalog(catalog(skills.path())).build().await.unwrap();
    for (toolbox, has_skill) in [(deferring, true), (plain, false)] {
        let text = body_without_documents(toolbox).await;
        assert_eq!(text.contains(r#""name":"skill""#), has_skill, "{text}");
        assert!(text.contains("add_note"), "{text}");
        for word in [
            "brainstorming",
            "code-review",
            "search_skills",
            "read_skill_file",
        ] {
            assert!(!text.contains(word), "{word} is in {text}");
        }
    }
}

/// Returns the body that an agent without `allow_skills` sends to a model.
async fn body_without_documents(toolbox: Toolbox) -> String {
    let message = json!({ "content": "Hello." });
    let wire = json!({ "choices": [{ "message": message, "finish_reason": "stop" }] });
    let server = Server::start([Response::json(&wire.to_string())]).await;
    let url = format!("{}/v1", server.url);
    let providers = Providers::new().with("openai", move |model: &str| {
        OpenAi::new("", model).base_url(&*url)
    });
    let agents = folder(&[("plain", PLAIN)]);
    let docs = AgentDocs::load(agents.path()).unwrap();
    let chat = Chat::from_doc(docs.get("plain").unwrap(), toolbox, &providers);
    let turn = chat.build().unwrap().send("Hello.").await.unwrap();
    assert_eq!(turn.text(), "Hello.");
    let body = server.body();
    assert_eq!(body["model"], "gpt-4");
    let system = body["messages"][0]["content"].as_str().unwrap();
    assert!(system.starts_with("You help."), "{system}");
    body.to_string()
}

#[timed_test::test]
async fn a_call_to_a_tool_of_the_catalog_is_an_error() {
    let (agents, skills) = (folder(&[("plain", PLAIN)]), tempfile::tempdir().unwrap());
    let toolbox = Toolbox::builder().server(&server().await);
    let toolbox = toolbox
        .catalog(catalog(skills.path()))
        .build()
        .await
        .unwrap();
    let model = Scripted::new().raw_calls([load("brainstorming"), raw("skills", "{}")]);
    let chat = builder(agents.path(), "plain", toolbox, &model.clone().text("No."));
    let turn = chat.build().unwrap().send("An idea.").await.unwrap();
    let why = "it is withheld from `catalog`: the agent `plain` does not have `allow_skills: true`";
    assert_eq!(
        results(&turn),
        [
            format!("error: `skill` cannot be called now: {why}"),
            "error: there is no tool `skills`".to_owned(),
        ]
    );
}

#[timed_test::test]
async fn the_list_says_why_the_documents_are_withheld() {
    let skills = tempfile::tempdir().unwrap();
    let (_clerk, toolbox) = clerk_and_documents(skills.path()).await;
    let with = toolbox.session(ForeignCaller::Model);
    let without = toolbox.clone().without_documents("they are secret");
    let without = without.session(ForeignCaller::Model);
    assert!(with.list().await.withheld.is_empty());
    let list = without.list().await;
    let [withheld] = &list.withheld[..] else {
        panic!("{list:?}")
    };
    assert_eq!((&*withheld.source, &withheld.tool), ("catalog", &None));
    assert_eq!(withheld.reason, "they are secret");
    assert!(list.tools.iter().all(|listed| listed.source == "clerk"));
    // the list changes with the toolbox's list only
    assert_eq!(without.list().await.generation, list.generation);
    toolbox.set_catalog(catalog(skills.path()));
    assert_eq!(without.list().await.generation, list.generation);
    assert_eq!(without.list().await.tools, list.tools);
}

#[timed_test::test]
async fn deferred_skills_still_load_without_allow_skills() {
    let (agents, skills) = (folder(&[("plain", PLAIN)]), tempfile::tempdir().unwrap());
    let (_clerk, toolbox) = clerk_and_documents(skills.path()).await;
    let model = Scripted::new()
        .raw_calls([load("brainstorming"), load("billing")])
        .calls([("pay", json!({ "cents": 1 }))])
        .text("Paid.");
    let chat = builder(agents.path(), "plain", toolbox, &model);
    let turn = chat.build().unwrap().send("Pay.").await.unwrap();
    let results = results(&turn);
    assert!(results[0].starts_with("error: "), "{results:?}");
    assert!(!results[0].contains("Ask first.") && !results[0].contains("code-review"));
    assert!(results[1].contains("Amounts are in cents."), "{results:?}");
    assert_eq!(results[2], "1");
    let requests = model.requests();
    assert_eq!(names(&requests[0])[0], "skill");
    assert_eq!(
        names(&requests[0])
            .iter()
            .filter(|name| **name == "skill")
            .count(),
        1
    );
}

#[timed_test::test]
async fn nothing_else_brings_a_document_into_a_chat_without_allow_skills() {
    let (agents, skills) = (folder(&[("plain", PLAIN)]), tempfile::tempdir().unwrap());
    let toolbox = Toolbox::builder().server(&server().await);
    let toolbox = toolbox.selection_policy(SelectionPolicy::TIERS);
    let toolbox = toolbox
        .catalog(catalog(skills.path()))
        .build()
        .await
        .unwrap();
    let model = Scripted::new().text("Yes.").text("Yes.");
    let chat = builder(agents.path(), "plain", toolbox.clone(), &model);
    let mut chat = chat.build().unwrap();
    chat.send("Load brainstorming. What can you do?")
        .await
        .unwrap();
    assert!(
        chat.history()[0]
            .contexts()
            .all(|part| part.text.is_empty())
    );
    assert_eq!(chat.explain("brainstorming"), None);
    let error = chat.command("/brainstorming it").await.unwrap_err();
    assert!(matches!(error, ActivateError::Withheld), "{error}");
    let error = chat.activate("brainstorming").await.unwrap_err();
    assert!(matches!(error, ActivateError::Withheld), "{error}");

    // other chats with the toolbox have the documents
    let with = folder(&[("general", GENERAL)]);
    let chat = builder(with.path(), "general", toolbox, &model);
    let mut chat = chat.build().unwrap();
    assert!(chat.activate("brainstorming").await.unwrap());
}

#[timed_test::test]
async fn a_chat_may_have_no_tools_because_its_documents_are_withheld() {
    let (agents, skills) = (folder(&[("plain", PLAIN)]), tempfile::tempdir().unwrap());
    let toolbox = Toolbox::builder().catalog(catalog(skills.path())).build();
    let model = Scripted::new().text("Hello.");
    let chat = builder(agents.path(), "plain", toolbox.await.unwrap(), &model);
    let turn = chat.build().unwrap().send("Hello.").await.unwrap();
    assert_eq!(turn.text(), "Hello.");
    assert!(names(&model.requests()[0]).is_empty());
}

#[timed_test::test]
async fn a_conversation_is_built_from_a_document() {
    let agents = folder(&[("plain", PLAIN)]);
    let docs = AgentDocs::load(agents.path()).unwrap();
    let doc = docs.get("plain").unwrap().clone();
    let server = server().await;
    let keeper = AgentServer::builder(crate::support::Assistant::with_id("keeper"));
    let keeper = keeper.resources(crate::support::Gates {
        gate: crate::support::gate().0,
    });
    let keeper = keeper.store(Memory::default()).start().await.unwrap();
    let toolbox = Toolbox::of(&server);
    let model = Scripted::new().text("Hello.");
    let providers = providers(&model);
    let chats = Conversations::open(&keeper, move |_id| {
        Chat::from_doc(&doc, toolbox.clone(), &providers)
    });
    let chats = chats.await.unwrap();
    let turn = chats.send("one", Message::user("Hello.")).await.unwrap();
    assert_eq!(turn.text(), "Hello.");
}

#[timed_test::test]
async fn a_document_without_a_system_prompt_has_no_system_text() {
    let text = "---\nname: Plain\nprovider: openai\nmodel: gpt-4\n---\n";
    let agents = folder(&[("plain", text)]);
    let toolbox = Toolbox::builder().build().await.unwrap();
    let model = Scripted::new().text("Hello.");
    let chat = builder(agents.path(), "plain", toolbox, &model);
    chat.build().unwrap().send("Hello.").await.unwrap();
    assert!(model.requests()[0].system.is_empty());
}

#[timed_test::test]
async fn withheld_documents_restrict_no_tool() {
    let skills = tempfile::tempdir().unwrap();
    let quiet = "---\nname: quiet\ndescription: Be quiet.\nallowed-tools: list_notes\n---\nHush.\n";
    std::fs::create_dir(skills.path().join("quiet")).unwrap();
    std::fs::write(skills.path().join("quiet/SKILL.md"), quiet).unwrap();
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS).source(Source::project(skills.path()));
    let toolbox = Toolbox::builder().server(&server().await);
    let toolbox = toolbox.catalog(catalog.restrict_tools(true).load()).build();
    let toolbox = toolbox.await.unwrap();
    let note = r#"{"text":"Buy milk."}"#;
    let session = toolbox.session(ForeignCaller::Model);
    let load = session.call("skill", r#"{"skill_name":"quiet"}"#);
    load.await.unwrap();
    assert!(session.call("add_note", note).await.is_err());

    let without = toolbox.without_documents("a test");
    let without = without.session(ForeignCaller::Model);
    without.set_activations(session.activations());
    without.call("add_note", note).await.unwrap();
}
