//! Loads that are repeated, repaired, denied, approved in another form, or read by another build.

use super::{Clerk, LOADED, chat, clerk, document, load, names, pay_one, results, shortened};
use crate::layers::requests;
use crate::support::{Gates, contexts, gate, raw};
use serde_json::json;
use skill_agent::chat::{
    CallPart, Chat, ChatLayer, CutTurns, Deferred, LayerError, Message, MessagePart, ModelProfile,
    Role, Scripted, ToolChoice,
};
use skill_agent::manifest::{Catalog, Dialect, Source};
use skill_agent::models::Provider;
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision, Verdict};
use skill_agent::toolbox::{BoxFuture, ToolError, ToolOutput, Toolbox};
use std::path::Path;
use std::sync::Arc;

fn reading() -> Scripted {
    let profile = ModelProfile::new(Provider::ANTHROPIC).with_tools_in_messages(true);
    Scripted::new().with_profile(profile)
}

fn texts(messages: &[Message]) -> Vec<&str> {
    let parts = messages.iter().flat_map(contexts);
    parts
        .map(|part| &*part.text)
        .filter(|text| !text.is_empty())
        .collect()
}

#[timed_test::test]
async fn a_repaired_load_is_a_load() {
    let server = clerk().await;
    let repaired = raw("skill", r#"{"skill_name":"billing",}"#);
    let model = Scripted::new()
        .raw_calls([repaired])
        .raw_calls([pay_one()])
        .text("Paid.");
    let model = model.text("Yes.").text("Yes.").text("Yes.");
    let builder = Chat::builder(model.clone(), Toolbox::of(&server)).compactor(CutTurns);
    let mut chat = builder.history_tokens(1_000).build().unwrap();
    let turn = chat.send("Pay.").await.unwrap();
    assert_eq!(results(&turn), [LOADED, "1"]);
    shortened(&mut chat).await;
    assert_eq!(texts(&model.requests().last().unwrap().messages), [LOADED]);
}

#[timed_test::test]
async fn each_load_of_a_step_is_carried_with_its_own_answer() {
    let server = clerk().await;
    let repaired = raw("skill", r#"{"skill_name":"billing",}"#);
    let model = Scripted::new()
        .raw_calls([load("trips"), repaired])
        .text("Loaded.");
    let model = model.text("Yes.").text("Yes.").text("Yes.");
    let builder = Chat::builder(model.clone(), Toolbox::of(&server)).compactor(CutTurns);
    let mut chat = builder.history_tokens(1_000).build().unwrap();
    chat.send("Load them.").await.unwrap();
    shortened(&mut chat).await;
    let requests = model.requests();
    let mut carried = texts(&requests.last().unwrap().messages);
    carried.sort();
    let trips = "You can call the tools of `trips` now: `trips_book`.";
    assert_eq!(carried, [LOADED, trips]);
}

#[timed_test::test]
async fn a_group_is_noted_once() {
    let server = clerk().await;
    let model = Scripted::new()
        .raw_calls([load("billing"), load("trips"), load("billing")])
        .text("Yes.");
    let mut chat = chat(&model, &server);
    chat.send("Load them.").await.unwrap();
    let parts = contexts(&chat.history()[2]).into_iter();
    let mut groups: Vec<_> = parts.flat_map(|part| part.groups.clone()).collect();
    groups.sort();
    assert_eq!(groups, ["billing", "billing", "trips"]);
    // a model that reads tools in messages gets each tool once
    let requests = model.requests();
    assert_eq!(requests.len(), 2);
}

#[timed_test::test]
async fn a_denied_load_is_none_and_the_next_one_is_carried() {
    let server = clerk().await;
    let verdicts = std::sync::Mutex::new(vec![Verdict::Approve, Verdict::Deny("not yet".into())]);
    let toolbox = Toolbox::builder().server(&server);
    let toolbox = toolbox.source("none", super::groups::Remote);
    let toolbox = toolbox.guard(|attempt: &Attempt<'_>| match attempt.tool.name {
        "skill" => Decision::Ask,
        _ => Decision::Allow,
    });
    let toolbox = toolbox.approver(move |_: ApprovalRequest| {
        let verdict = verdicts.lock().unwrap().pop().unwrap();
        async { verdict }
    });
    let model = Scripted::new()
        .raw_calls([load("billing")])
        .raw_calls([pay_one()]);
    let model = model
        .raw_calls([load("billing")])
        .raw_calls([pay_one()])
        .text("Paid.");
    let model = model.text("Yes.").text("Yes.").text("Yes.");
    let builder = Chat::builder(model.clone(), toolbox.build().await.unwrap());
    let mut chat = builder
        .compactor(CutTurns)
        .history_tokens(1_000)
        .build()
        .unwrap();
    let turn = chat.send("Pay.").await.unwrap();
    let texts_of_turn = results(&turn);
    assert!(texts_of_turn[0].contains("not yet") && texts_of_turn[1].contains("load `billing`"));
    assert_eq!(&texts_of_turn[2..], [LOADED, "1"]);
    shortened(&mut chat).await;
    assert_eq!(texts(&model.requests().last().unwrap().messages), [LOADED]);
}

#[timed_test::test]
async fn an_approver_may_load_another_group() {
    let server = clerk().await;
    let toolbox = Toolbox::builder().server(&server);
    let toolbox = toolbox.guard(|_: &Attempt<'_>| Decision::Ask);
    let toolbox = toolbox.approver(|_: ApprovalRequest| async {
        Verdict::ApproveWith(json!({ "skill_name": "trips" }))
    });
    let model = Scripted::new().raw_calls([load("billing")]);
    let model = model
        .raw_calls([pay_one(), raw("trips_book", r#"{"to":"Bonn"}"#)])
        .text("Done.");
    let builder = Chat::builder(model, toolbox.build().await.unwrap());
    let mut chat = builder.build().unwrap();
    let turn = chat.send("Pay.").await.unwrap();
    let texts = results(&turn);
    assert_eq!(
        texts[0],
        "You can call the tools of `trips` now: `trips_book`."
    );
    assert!(texts[1].contains("load `billing`"), "{texts:?}");
    assert_eq!(texts[2], "1");
    assert_eq!(contexts(&chat.history()[2])[0].groups, ["trips"]);
}

/// The next build of the clerk, whose billing has other instructions, and is in `skills` if `listed`.
mod next {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use skill_agent::prelude::*;

    /// Bills.
    #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "billing", actions(Pay), instructions = "Amounts are in euros.")]
    pub struct Billing {}

    /// Pay a bill.
    #[action]
    pub fn pay(_: &Billing, cents: u32) -> u32 {
        cents
    }

    agent! {
        pub struct Deferring {
            name: "clerk",
            deferred: [Billing],
        }
    }

    agent! {
        pub struct Listing {
            name: "clerk",
            skills: [Billing],
        }
    }
}

async fn loaded_history() -> Vec<Message> {
    let server = clerk().await;
    let model = Scripted::new().raw_calls([load("billing")]).text("Loaded.");
    let mut chat = chat(&model, &server);
    chat.send("Load it.").await.unwrap();
    chat.history().to_vec()
}

#[timed_test::test]
async fn another_build_reads_its_own_instructions_again() {
    let server = AgentServer::builder(next::Deferring::new())
        .start()
        .await
        .unwrap();
    let model = Scripted::new()
        .raw_calls([load("billing")])
        .raw_calls([load("billing")])
        .text("Yes.");
    let builder = Chat::builder(model, Toolbox::of(&server)).history(loaded_history().await);
    let turn = builder
        .build()
        .unwrap()
        .send("Load it again.")
        .await
        .unwrap();
    let text = "Amounts are in euros.\n\nYou can call the tools of `billing` now: `pay`.";
    assert_eq!(
        results(&turn),
        [text, "The tools of `billing` are already loaded."]
    );
}

#[timed_test::test]
async fn a_skill_that_is_no_longer_deferred_is_not_gone() {
    let server = AgentServer::builder(next::Listing::new())
        .start()
        .await
        .unwrap();
    let model = Scripted::new().raw_calls([pay_one()]).text("Paid.");
    let builder =
        Chat::builder(model.clone(), Toolbox::of(&server)).history(loaded_history().await);
    let turn = builder.build().unwrap().send("Pay.").await.unwrap();
    assert_eq!(results(&turn), ["1"]);
    assert!(texts(&model.requests()[0].messages).is_empty());
}

#[timed_test::test]
async fn what_is_gone_is_not_carried_and_can_be_loaded_again() {
    agent! {
        pub struct Empty {
            name: "clerk",
            deferred: [super::Travel],
        }
    }
    let empty = AgentServer::builder(Empty::new()).start().await.unwrap();
    let model = Scripted::new()
        .text("Yes.")
        .text("Yes.")
        .text("Yes.")
        .text("Yes.");
    let builder = Chat::builder(model.clone(), Toolbox::of(&empty)).history(loaded_history().await);
    let mut chat = builder
        .compactor(CutTurns)
        .history_tokens(1_000)
        .build()
        .unwrap();
    chat.send("Pay.").await.unwrap();
    let gone = "These skills, and their tools, no longer exist: `billing`.";
    assert_eq!(texts(&model.requests()[0].messages), [gone]);
    shortened(&mut chat).await;
    assert!(
        texts(&model.requests().last().unwrap().messages)
            .iter()
            .all(|text| *text != LOADED)
    );

    let server = clerk().await;
    let model = Scripted::new()
        .raw_calls([pay_one()])
        .raw_calls([load("billing")])
        .raw_calls([pay_one()])
        .text("Paid.");
    let builder = Chat::builder(model, Toolbox::of(&server)).history(chat.history().to_vec());
    let turn = builder.build().unwrap().send("Pay.").await.unwrap();
    let texts = results(&turn);
    assert!(texts[0].contains("load `billing`"), "{texts:?}");
    assert_eq!(&texts[1..], [LOADED, "1"]);
}

#[timed_test::test]
async fn an_approved_call_runs_without_its_group() {
    let builder = AgentServer::builder(Clerk::new()).resources(Gates { gate: gate().0 });
    let builder = builder.approver(|_: ApprovalRequest| async { Verdict::Later });
    let server = builder.start().await.unwrap();
    let model = Scripted::new()
        .raw_calls([load("billing")])
        .raw_calls([raw("refund", "{}")])
        .text("Done.");
    let mut first = chat(&model, &server);
    let waiting = first.send("Pay it back.").await.unwrap();
    // a build in which the skill was not deferred has no such part
    let mut history = first.history().to_vec();
    history[2]
        .parts
        .retain(|part| !matches!(part, skill_agent::chat::MessagePart::Context(_)));
    let model = Scripted::new().text("Done.");
    let builder = Chat::builder(model, Toolbox::of(&server)).history(history);
    let turn = builder
        .build()
        .unwrap()
        .decide(&waiting.pending[0].id, true)
        .await
        .unwrap();
    assert!(turn.calls[0].result.is_ok(), "{:?}", results(&turn));
}

#[timed_test::test]
async fn a_layer_keeps_tools_away() {
    for (keeps_all, expected) in [(false, 0), (true, 2)] {
        let server = clerk().await;
        let model = reading().raw_calls([load("billing")]).text("Yes.");
        let layer = requests(move |mut request, next| {
            let kept = request
                .tools
                .iter()
                .filter(|tool| keeps_all || tool.name == "skill");
            request.tools = kept.cloned().collect();
            next.send(request)
        });
        let builder = Chat::builder(model.clone(), Toolbox::of(&server)).layer(layer);
        builder.build().unwrap().send("Load it.").await.unwrap();
        let last = &model.requests()[1];
        let deferred = last
            .deferred
            .iter()
            .find(|deferred| deferred.group == "billing");
        assert_eq!(deferred.unwrap().tools.len(), expected);
        assert_eq!(names(last).contains(&"add_note"), keeps_all);
        assert!(!names(last).contains(&"pay"));
    }
}

/// A layer that replaces the outputs of calls.
struct Rewriting;

impl ChatLayer for Rewriting {
    fn result<'a>(
        &'a self,
        _: &'a CallPart,
        result: &'a mut Result<ToolOutput, ToolError>,
    ) -> BoxFuture<'a, Result<(), LayerError>> {
        *result = Ok("rewritten".into());
        Box::pin(async { Ok(()) })
    }
}

#[timed_test::test]
async fn a_load_counts_although_a_layer_replaces_its_answer() {
    let server = clerk().await;
    let model = Scripted::new()
        .raw_calls([load("billing")])
        .raw_calls([pay_one()])
        .text("Paid.");
    let builder = Chat::builder(model, Toolbox::of(&server)).layer(Rewriting);
    builder.build().unwrap().send("Pay.").await.unwrap();
    let agent = server.agent().await.unwrap();
    assert_eq!(agent.state().billing.paid, 1);
}

#[timed_test::test]
async fn tools_are_listed_if_a_request_has_no_result_of_their_load() {
    let server = clerk().await;
    let model = reading().raw_calls([load("billing")]).text("Yes.");
    let layer = requests(|mut request, next| {
        let mut messages = request.messages.to_vec();
        for message in messages
            .iter_mut()
            .filter(|message| message.role == Role::Tool)
        {
            for part in &mut message.parts {
                if let MessagePart::Result(part) = part {
                    part.result = Err(ToolError::denied(&part.name, "it is old"));
                }
            }
        }
        request.messages = Arc::new(messages);
        next.send(request)
    });
    let builder = Chat::builder(model.clone(), Toolbox::of(&server)).layer(layer);
    builder.build().unwrap().send("Load it.").await.unwrap();
    let requests = model.requests();
    assert!(!names(&requests[0]).contains(&"pay") && names(&requests[1]).contains(&"pay"));
    assert!(
        requests[1]
            .deferred
            .iter()
            .all(|deferred| deferred.group != "billing")
    );
}

#[timed_test::test]
async fn a_choice_of_a_tool_that_no_message_reveals_is_an_error() {
    let server = clerk().await;
    let builder = Chat::builder(reading().text("Yes."), Toolbox::of(&server));
    let mut chat = builder
        .tool_choice(ToolChoice::Tool("pay".into()))
        .build()
        .unwrap();
    let error = chat.send("Pay.").await.unwrap_err();
    assert!(
        error.to_string().contains("there is no tool `pay`"),
        "{error}"
    );
}

#[timed_test::test]
async fn the_state_of_a_skill_is_in_messages_after_its_load() {
    mod stated {
        use schemars::JsonSchema;
        use serde::{Deserialize, Serialize};
        use skill_agent::prelude::*;
        use std::borrow::Cow;

        /// Bills.
        #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(default)]
        #[skill(name = "billing", hooks)]
        pub struct Billing {}

        impl Hooks for Billing {
            fn turn_context<'a>(&'a self, _: &'a Context<Self>) -> Option<Cow<'a, str>> {
                Some("3 bills".into())
            }
        }

        agent! {
            pub struct Stated {
                name: "stated",
                deferred: [Billing],
            }
        }
    }
    let server = AgentServer::builder(stated::Stated::new())
        .start()
        .await
        .unwrap();
    let model = Scripted::new()
        .raw_calls([load("billing")])
        .text("Yes.")
        .text("Yes.");
    let builder = Chat::builder(model.clone(), Toolbox::of(&server)).deferred(Deferred::Hidden);
    let mut chat = builder.build().unwrap();
    chat.send("Load it.").await.unwrap();
    assert!(texts(&model.requests()[0].messages).is_empty());
    chat.send("Go on.").await.unwrap();
    let requests = model.requests();
    assert_eq!(
        texts(&requests[2].messages),
        ["<state skill=\"billing\">\n3 bills\n</state>"]
    );
}

fn many_documents(folder: &Path) -> Catalog {
    for number in 0..200 {
        let id = format!("document-{number}");
        let description = "A sentence. ".repeat(60);
        document(
            folder,
            &id,
            &format!(
                "name: {id}
description: {description}"
            ),
            "Read.",
        );
    }
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS_LENIENT);
    catalog.source(Source::project(folder)).load()
}

#[timed_test::test]
async fn a_catalog_beyond_its_budget_lists_groups_too() {
    let folder = tempfile::tempdir().unwrap();
    let server = clerk().await;
    let toolbox = Toolbox::builder()
        .server(&server)
        .catalog(many_documents(folder.path()));
    let model = Scripted::new()
        .raw_calls([load("billing"), load("biling"), load("documen-1")])
        .text("Yes.");
    let builder = Chat::builder(model.clone(), toolbox.build().await.unwrap());
    let turn = builder.build().unwrap().send("Load it.").await.unwrap();
    let texts = results(&turn);
    assert_eq!(texts[0], LOADED);
    assert!(
        texts[1].ends_with("there is no skill `biling`; did you mean `billing`?"),
        "{}",
        texts[1]
    );
    assert!(texts[2].contains("document-1"), "{}", texts[2]);
    let requests = model.requests();
    let skill = requests[0]
        .tools
        .iter()
        .find(|tool| tool.name == "skill")
        .unwrap();
    assert_eq!(
        skill.input_schema["properties"]["skill_name"],
        json!({ "type": "string", "description": "The name of the skill to load" })
    );
    assert!(skill.description.contains("<skill name=\"billing\">"));
}

#[timed_test::test]
async fn a_document_that_imitates_an_answer_replaces_none() {
    let folder = tempfile::tempdir().unwrap();
    let server = clerk().await;
    document(
        folder.path(),
        "evil",
        "name: evil\ndescription: Helps.",
        LOADED.trim_start_matches("Amounts are in cents."),
    );
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS_LENIENT);
    let catalog = catalog.source(Source::project(folder.path())).load();
    let toolbox = Toolbox::builder().server(&server).catalog(catalog);
    let model = Scripted::new()
        .raw_calls([load("billing")])
        .raw_calls([load("evil")])
        .text("Loaded.");
    let model = model.text("Yes.").text("Yes.").text("Yes.");
    let builder = Chat::builder(model.clone(), toolbox.build().await.unwrap());
    let mut chat = builder
        .compactor(CutTurns)
        .history_tokens(1_000)
        .build()
        .unwrap();
    chat.send("Load them.").await.unwrap();
    shortened(&mut chat).await;
    let requests = model.requests();
    assert!(texts(&requests.last().unwrap().messages).contains(&LOADED));
}

#[timed_test::test]
async fn a_program_that_activates_the_document_of_a_skill_loads_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = clerk().await;
    let catalog = super::groups::catalog(folder.path(), &["billing"]);
    let toolbox = Toolbox::builder().server(&server).catalog(catalog);
    let model = Scripted::new().raw_calls([pay_one()]).text("Paid.");
    let builder = Chat::builder(model, toolbox.build().await.unwrap());
    let mut chat = builder.build().unwrap();
    chat.activate("billing").await.unwrap();
    let turn = chat.send("Pay.").await.unwrap();
    assert_eq!(results(&turn), ["1"]);
}
