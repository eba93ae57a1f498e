//! Deferred tools beside typed answers, and beside mounted skills.

use super::{load, names, results};
use crate::support::contexts;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::chat::{AnswerForm, Chat, Deferred, ModelProfile, Scripted};
use skill_agent::models::Provider;
use skill_agent::prelude::*;
use skill_agent::toolbox::Toolbox;

/// Answers of others.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "oracle", actions(Answer), instructions = "The oracle is slow.")]
pub struct Oracle {}

/// Ask the oracle.
#[action]
pub fn answer(_: &Oracle) -> u32 {
    42
}

agent! {
    pub struct Asking {
        name: "asking",
        deferred: [Oracle],
    }
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Total {
    cents: u32,
}

#[timed_test::test]
async fn a_typed_answer_takes_no_name_of_a_deferred_tool() {
    for reads in [false, true] {
        let server = AgentServer::builder(Asking::new()).start().await.unwrap();
        let profile = ModelProfile::new(Provider::ANTHROPIC).with_answer_form(AnswerForm::Tool);
        let model = Scripted::new().with_profile(profile.with_tools_in_messages(reads));
        let model = model.calls([("answer_", json!({ "cents": 3 }))]);
        let builder = Chat::builder(model.clone(), Toolbox::of(&server)).deferred(Deferred::Hidden);
        let mut chat = builder.build().unwrap();
        assert_eq!(
            chat.ask::<Total>("How much?").await.unwrap(),
            Total { cents: 3 }
        );
        assert_eq!(names(&model.requests()[0]), ["skill", "answer_"]);
    }
}

agent! {
    pub struct Mounting {
        name: "mounting",
        mounted: [Oracle],
    }
}

#[timed_test::test]
async fn the_instructions_of_a_mounted_skill_belong_to_its_deferred_server() {
    let server = AgentServer::builder(Mounting::new()).start().await.unwrap();
    server.mount("oracle", json!({})).await.unwrap();
    let toolbox = Toolbox::builder()
        .server(&server)
        .deferred("Asks an oracle.");
    let toolbox = toolbox.build().await.unwrap();
    let model = Scripted::new()
        .raw_calls([load("mounting")])
        .calls([("answer", json!({}))])
        .text("42.");
    let mut chat = Chat::builder(model, toolbox).build().unwrap();
    assert_eq!(chat.system_text(), "");
    let turn = chat.send("Ask it.").await.unwrap();
    let text = "The oracle is slow.\n\nYou can call the tools of `mounting` now: `answer`.";
    assert_eq!(results(&turn), [text, "42"]);
    assert_eq!(contexts(&chat.history()[2])[0].groups, ["mounting"]);
}
