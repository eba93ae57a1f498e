//! The requests for deferred tools, with a scripted model.

use super::{chat, clerk, load, names, pay_one, results};
use crate::support::raw;
use skill_agent::chat::ModelProfile;
use skill_agent::chat::{Chat, ChatRequest, Deferred, Scripted};
use skill_agent::models::Provider;
use skill_agent::prelude::*;
use skill_agent::toolbox::Toolbox;
use skill_examples::skills::{FileSystem, Math, Message, Posting, Ticket};

const OWN: [&str; 8] = [
    "skill",
    "add_note",
    "list_notes",
    "clear_notes",
    "remove_note",
    "crash",
    "write_slowly",
    "read_slowly",
];

#[timed_test::test]
async fn listed_tools_are_in_all_requests() {
    let server = clerk().await;
    let model = Scripted::new().raw_calls([load("billing")]).text("Loaded.");
    chat(&model, &server).send("Load it.").await.unwrap();
    let all = [&OWN[..], &["pay", "refund", "trips_book"]].concat();
    for request in model.requests() {
        assert_eq!(names(&request), all);
        assert!(request.deferred.is_empty());
    }
}

#[timed_test::test]
async fn hidden_tools_join_the_end_when_they_are_loaded() {
    let server = clerk().await;
    let model = Scripted::new()
        .raw_calls([pay_one()])
        .raw_calls([load("trips")])
        .raw_calls([load("billing")])
        .raw_calls([pay_one(), raw("trips_book", r#"{"to":"Bonn"}"#)])
        .text("Done.");
    let builder = Chat::builder(model.clone(), Toolbox::of(&server)).deferred(Deferred::Hidden);
    let mut chat = builder.build().unwrap();
    let turn = chat.send("Pay and book.").await.unwrap();
    let first = "error: load `billing` with the tool `skill` first, and then call `pay`";
    let texts = results(&turn);
    assert_eq!([&*texts[0], &*texts[3], &*texts[4]], [first, "1", "1"]);
    let own = OWN;
    let requests = model.requests();
    let requested: Vec<Vec<&str>> = requests.iter().map(names).collect();
    assert_eq!(requested[0], own);
    assert_eq!(requested[1], own);
    assert_eq!(requested[2], [&own[..], &["trips_book"]].concat());
    assert_eq!(
        requested[3],
        [&own[..], &["trips_book", "pay", "refund"]].concat()
    );
    assert_eq!(requested[4], requested[3]);
}

#[timed_test::test]
async fn a_model_that_reads_tools_in_messages_gets_them_there() {
    let server = clerk().await;
    let profile = ModelProfile::new(Provider::ANTHROPIC).with_tools_in_messages(true);
    let model = Scripted::new()
        .with_profile(profile)
        .raw_calls([load("billing")])
        .text("Loaded.");
    chat(&model, &server).send("Load it.").await.unwrap();
    for request in model.requests() {
        assert_eq!(names(&request), OWN);
        let groups: Vec<_> = request
            .deferred
            .iter()
            .map(|deferred| &*deferred.group)
            .collect();
        assert_eq!(groups, ["billing", "trips"]);
    }
}

agent! {
    /// The agent of `tool_calls`, whose skills are all deferred.
    pub struct Deferring {
        name: "workbench",
        deferred: [FileSystem, Math, Ticket, Message, Posting],
    }
}

/// The tokens of a request's tools and system text, estimated as four bytes each.
fn tokens(request: &ChatRequest) -> usize {
    let tools: Vec<_> = request.tools.iter().map(|tool| tool.as_tool()).collect();
    let tools = Provider::OPENAI_CHAT.tools_json(&tools).unwrap();
    (tools.len() + request.system_text().len()) / 4
}

async fn first_request<G: Agent + skill_agent::bounds::AgentRunsWith<()>>(
    agent: G,
    how: Deferred,
) -> ChatRequest {
    let server = AgentServer::builder(agent).start().await.unwrap();
    let model = Scripted::new().text("Hello.");
    let builder = Chat::builder(model.clone(), Toolbox::of(&server)).deferred(how);
    builder.build().unwrap().send("Hello.").await.unwrap();
    model.requests().remove(0)
}

#[timed_test::test]
async fn sixty_eight_actions_cost_little_until_they_are_loaded() {
    let all = first_request(skill_examples::Workbench::new(), Deferred::Listed).await;
    let listed = first_request(Deferring::new(), Deferred::Listed).await;
    let hidden = first_request(Deferring::new(), Deferred::Hidden).await;
    assert_eq!(
        [&all, &listed, &hidden].map(|request| request.tools.len()),
        [68, 69, 1]
    );
    let [all, listed, hidden] = [all, listed, hidden].map(|request| tokens(&request));
    println!("all {all}, deferred and listed {listed}, deferred and hidden {hidden}");
    let thousands = |number: usize| format!("{},{:03}", number / 1_000, number % 1_000);
    let guide = include_str!("../../../../docs/deferred.md");
    let guide = guide.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = format!(
        "take {} tokens. If all skills are deferred, they take {} tokens with `Listed`, and {hidden} tokens",
        thousands(all),
        thousands(listed),
    );
    assert!(
        guide.contains(&sentence),
        "the guide does not say: {sentence}"
    );
}
