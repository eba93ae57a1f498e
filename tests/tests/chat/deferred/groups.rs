//! Deferred sources, documents beside deferred skills, and toolboxes that cannot be built.

use super::{Billing, chat, clerk, document, load, names, pay_one, results};
use crate::support::{contexts, raw};
use serde_json::json;
use skill_agent::ToolBuf;
use skill_agent::chat::{Chat, Deferred, Scripted};
use skill_agent::manifest::selection::SelectionPolicy;
use skill_agent::manifest::{Catalog, Dialect, Source};
use skill_agent::prelude::*;
use skill_agent::server::{Attempt, Decision};
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolOutput, ToolSource, Toolbox,
};
use std::path::Path;

/// A remote with a hundred tools.
pub(super) struct Remote;

impl ToolSource for Remote {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let tool = |number| {
            let name = format!("remote_{number}");
            ToolBuf::new(name, "Does it.", json!({ "type": "object" })).into()
        };
        Box::pin(async move { Ok((0..100).map(tool).collect()) })
    }

    fn call<'a>(&'a self, call: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(async move { Ok(call.name.into()) })
    }
}

fn allowing(toolbox: skill_agent::toolbox::ToolboxBuilder) -> skill_agent::toolbox::ToolboxBuilder {
    toolbox.guard(|_: &Attempt<'_>| Decision::Allow)
}

pub(super) fn catalog(folder: &Path, ids: &[&str]) -> Catalog {
    for id in ids {
        let head = format!(
            "name: {id}
description: About {id}.
triggers:
  keywords: [money]"
        );
        document(folder, id, &head, &format!("Read {id}."));
    }
    let catalog = Catalog::builder(Dialect::TRIGGERED);
    catalog.source(Source::project(folder)).load()
}

#[timed_test::test]
async fn a_remote_with_a_hundred_tools_is_one_line_until_it_is_loaded() {
    let toolbox = Toolbox::builder()
        .source("remote", Remote)
        .deferred("Tickets of the\n team.");
    let toolbox = allowing(toolbox).build().await.unwrap();
    let model = Scripted::new()
        .raw_calls([raw("remote_7", "{}")])
        .raw_calls([load("remote")])
        .raw_calls([raw("remote_7", "{}")])
        .text("Done.");
    let builder = Chat::builder(model.clone(), toolbox.clone()).deferred(Deferred::Hidden);
    let turn = builder.build().unwrap().send("Do it.").await.unwrap();
    let texts = results(&turn);
    assert_eq!(
        texts[0],
        "error: load `remote` with the tool `skill` first, and then call `remote_7`"
    );
    assert!(texts[1].starts_with("You can call the tools of `remote` now: `remote_0`, `remote_1`"));
    assert_eq!(texts[2], "remote_7");
    let requests = model.requests();
    assert_eq!(names(&requests[0]), ["skill"]);
    let line = "<skill name=\"remote\">Tickets of the team.</skill>";
    assert!(requests[0].tools[0].description.contains(line));
    assert_eq!(requests[2].tools.len(), 101);
    let list = toolbox.session(ForeignCaller::Model).list().await;
    assert_eq!((list.tools.len(), list.groups.len()), (100, 1));
}

#[timed_test::test]
async fn a_deferred_server_is_one_group() {
    let server = clerk().await;
    let toolbox = Toolbox::builder()
        .server(&server)
        .deferred("Notes, bills and trips.");
    let toolbox = toolbox.build().await.unwrap();
    let model = Scripted::new()
        .raw_calls([load("clerk")])
        .raw_calls([pay_one()])
        .text("Paid.");
    let builder = Chat::builder(model.clone(), toolbox).deferred(Deferred::Hidden);
    let mut chat = builder.build().unwrap();
    assert_eq!(chat.system_text(), "");
    let turn = chat.send("Pay.").await.unwrap();
    let texts = results(&turn);
    assert!(
        texts[0]
            .starts_with("A note is one short sentence.\n\nAmounts are in cents.\n\nYou can call"),
        "{}",
        texts[0]
    );
    assert_eq!(texts[1], "1");
    assert_eq!(names(&model.requests()[0]), ["skill"]);
}

#[timed_test::test]
async fn documents_and_groups_share_the_tool() {
    let folder = tempfile::tempdir().unwrap();
    let server = clerk().await;
    let catalog = catalog(folder.path(), &["plan", "billing"]);
    let toolbox = Toolbox::builder()
        .server(&server)
        .catalog(catalog)
        .build()
        .await
        .unwrap();
    let model = Scripted::new()
        .raw_calls([load("plan"), load("trips"), load("billing"), load("bill")])
        .raw_calls([pay_one(), raw("trips_book", r#"{"to":"Bonn"}"#)])
        .text("Done.");
    let mut chat = Chat::builder(model.clone(), toolbox.clone())
        .build()
        .unwrap();
    let turn = chat.send("Load them.").await.unwrap();
    let texts = results(&turn);
    assert_eq!(
        &texts[..3],
        [
            "Read plan.",
            "You can call the tools of `trips` now: `trips_book`.",
            "Read billing.\n\nYou can call the tools of `billing` now: `pay`, `refund`.",
        ]
    );
    assert!(texts[3].starts_with("error:"), "{}", texts[3]);
    assert_eq!(&texts[4..], ["1", "1"]);
    assert!(chat.activations().is_active("plan") && chat.activations().is_active("billing"));
    assert!(!chat.activations().is_active("trips"));
    let requests = model.requests();
    let mut skills = requests[0].tools.iter().filter(|tool| tool.name == "skill");
    let skill = skills.next().unwrap();
    assert!(skills.next().is_none());
    let ids = &skill.input_schema["properties"]["skill_name"]["enum"];
    assert_eq!(*ids, json!(["billing", "plan", "trips"]));
    assert_eq!(
        skill.description.matches("<skill name=\"billing\"").count(),
        1
    );
    // a client without groups has the catalog's tool
    let list = toolbox.session(ForeignCaller::Model).list().await;
    let listed = list
        .tools
        .iter()
        .find(|listed| listed.tool.name == "skill")
        .unwrap();
    assert!(!listed.tool.description.contains("trips"));
}

#[timed_test::test]
async fn a_skill_that_a_message_selects_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let server = clerk().await;
    let catalog = catalog(folder.path(), &["billing"]);
    let toolbox = Toolbox::builder().server(&server).catalog(catalog);
    let toolbox = toolbox.selection_policy(SelectionPolicy::TIERS);
    let model = Scripted::new()
        .raw_calls([pay_one()])
        .text("Paid.")
        .raw_calls([pay_one()])
        .text("Paid.");
    let builder = Chat::builder(model.clone(), toolbox.build().await.unwrap());
    let mut chat = builder.build().unwrap();
    let turn = chat.send("Here is money.").await.unwrap();
    assert_eq!(results(&turn), ["1"]);
    assert_eq!(contexts(&chat.history()[0])[0].groups, ["billing"]);
    let turn = chat.send("And once more.").await.unwrap();
    assert!(!chat.activations().is_active("billing"));
    assert_eq!(results(&turn), ["2"], "the tools stay loaded");
}

#[timed_test::test]
async fn every_mistake_with_groups_is_named() {
    agent! {
        pub struct Other {
            name: "other",
            deferred: [Billing],
        }
    }
    let (server, other) = (
        clerk().await,
        AgentServer::builder(Other::new()).start().await.unwrap(),
    );
    let folder = tempfile::tempdir().unwrap();
    let toolbox = Toolbox::builder()
        .deferred("Nothing yet.")
        .server(&server)
        .server(&other)
        .source("remote", Remote)
        .deferred(" ")
        .catalog(catalog(folder.path(), &["plan"]))
        .deferred("Documents.");
    let error = toolbox.build().await.unwrap_err();
    let problems: Vec<_> = error.problems().iter().map(ToString::to_string).collect();
    assert_eq!(
        &problems[..3],
        [
            "`.deferred(...)` defers the source before it; write it after `.server(...)` or `.source(...)`; documents of a catalog \
             are loaded on demand anyway",
            "`billing` of `other` has the name of a deferred skill or source of `clerk`; a model could not tell them apart; rename \
             one, for example `Skill as name` in `agent!`",
            "`remote` is deferred and has no description, so that no model knows what it is for; write a doc comment for the \
             skill, or `.deferred(\"what the tools are for\")` for a source",
        ],
        "{error}"
    );
}

/// A skill whose action has the name of the tool that loads skills.
mod taken {
    use super::*;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    /// Takes the name.
    #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "taking", actions(TakeName))]
    pub struct Taking {}

    /// Takes the name.
    #[action(name = "skill")]
    pub fn take_name(_: &Taking) {}

    agent! {
        pub struct Taker {
            name: "taker",
            skills: [Taking],
            deferred: [Billing],
        }
    }
}

#[timed_test::test]
async fn an_action_cannot_take_the_name_of_the_tool() {
    let server = AgentServer::builder(taken::Taker::new())
        .start()
        .await
        .unwrap();
    let error = Toolbox::builder()
        .server(&server)
        .build()
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the tool `skill` of `taker` is also one of `toolbox`; leave one of them out, or give one another name"
    );
}

#[timed_test::test]
async fn wrong_names_and_arguments_are_errors_with_a_remedy() {
    let server = clerk().await;
    let model = Scripted::new()
        .raw_calls([
            load("biling"),
            raw("skill", "{}"),
            raw("skil", "{}"),
            raw("skill", "[1]"),
        ])
        .text("No.");
    let turn = chat(&model, &server).send("Load.").await.unwrap();
    for text in results(&turn) {
        println!("{text}");
    }
    let texts = results(&turn);
    assert!(
        texts[0].contains("`biling`") && texts[0].contains("`billing`"),
        "{}",
        texts[0]
    );
    assert!(
        texts[1].contains("missing field `skill_name`"),
        "{}",
        texts[1]
    );
    assert!(texts[2].contains("did you mean `skill`"), "{}", texts[2]);
}
