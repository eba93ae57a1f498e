//! Deferred skills and sources: what a model is shown, and what it may call.

mod again;
mod beside;
mod groups;
mod injection;
mod loads;
mod profiles;
mod requests;
mod wire;

use crate::support::{Notes, raw};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::chat::{Chat, ChatRequest, Scripted, Turn};
use skill_agent::models::ToolCall;
use skill_agent::prelude::*;
use skill_agent::toolbox::Toolbox;
use std::path::Path;

/// Bills and refunds of <customers>.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "billing",
    actions(Pay, Refund),
    instructions = "Amounts are in cents."
)]
pub struct Billing {
    pub paid: u32,
}

/// Pay a bill.
#[action]
pub fn pay(billing: &mut Billing, cents: u32) -> u32 {
    billing.paid += cents;
    billing.paid
}

/// Pay everything back.
#[action(destructive)]
pub fn refund(billing: &mut Billing) {
    billing.paid = 0;
}

/// Trips by train.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "travel", actions(Book))]
pub struct Travel {
    pub booked: Vec<String>,
}

/// Book a trip.
#[action]
pub fn book(travel: &mut Travel, to: String) -> usize {
    travel.booked.push(to);
    travel.booked.len()
}

agent! {
    pub struct Clerk {
        name: "clerk",
        skills: [Notes],
        deferred: [Billing, Travel as trips],
    }
}

pub async fn clerk() -> AgentServer<Clerk> {
    let gates = crate::support::Gates {
        gate: crate::support::gate().0,
    };
    let builder = AgentServer::builder(Clerk::new()).resources(gates);
    builder.start().await.unwrap()
}

fn load(name: &str) -> ToolCall {
    raw("skill", &json!({ "skill_name": name }).to_string())
}

fn pay_one() -> ToolCall {
    raw("pay", r#"{"cents":1}"#)
}

fn chat(model: &Scripted, server: &AgentServer<Clerk>) -> Chat {
    let builder = Chat::builder(model.clone(), Toolbox::of(server));
    builder.build().unwrap()
}

fn names(request: &ChatRequest) -> Vec<&str> {
    request.tools.iter().map(|tool| &*tool.name).collect()
}

fn results(turn: &Turn) -> Vec<String> {
    crate::support::results(turn)
}

const LOADED: &str =
    "Amounts are in cents.\n\nYou can call the tools of `billing` now: `pay`, `refund`.";

/// Three more turns, before the last of which the conversation is shortened.
async fn shortened(chat: &mut Chat) {
    for message in [&*"Long.".repeat(500), &*"Long.".repeat(500), "Short."] {
        chat.send(message).await.unwrap();
    }
}

/// Writes a document.
fn document(folder: &Path, id: &str, head: &str, body: &str) {
    std::fs::create_dir_all(folder.join(id)).unwrap();
    let text = format!("---\n{head}\n---\n{body}\n");
    std::fs::write(folder.join(id).join("SKILL.md"), text).unwrap();
}
