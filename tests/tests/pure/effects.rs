//! Hints about data, and the rules of an agent about them, where programs and models read them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::core::policy::{ActionOwner, DataFlow};
use skill_agent::core::spec::Hint;
use skill_agent::models::Provider;
use skill_agent::prelude::*;

/// A mailbox of a person.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "mailbox", actions(Inbox, Mail))]
pub struct Mailbox {}

/// Read the mail.
#[action(reads_sensitive, reads_untrusted)]
pub fn inbox(_: &Mailbox) {}

/// Send mail.
#[action(sends_out)]
pub fn mail(_: &mut Mailbox) {}

agent! {
    pub struct Secretary {
        name: "secretary",
        forbid: [destructive],
        allow_data_flow: "a person reads each mail before it is sent",
        skills: [Mailbox as post],
        actions: [Visitors],
    }
}

/// Read the guest book.
#[action(reads_untrusted)]
pub fn visitors(_: &SecretaryBase) {}

#[test]
fn the_rules_of_an_agent_are_in_its_spec_and_its_description() {
    let reason = "a person reads each mail before it is sent";
    assert_eq!(Secretary::SPEC.forbid, [Hint::Destructive]);
    assert_eq!(Secretary::SPEC.allow_data_flow, Some(reason));
    let described = Secretary::describe();
    assert_eq!(described["forbid"], json!(["destructive"]));
    assert_eq!(described["allow_data_flow"], reason);
    let hints: Vec<&Value> = described["actions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|action| &action["hints"])
        .collect();
    assert_eq!(
        hints[1],
        &json!({
            "read_only": true, "destructive": false, "idempotent": false, "open_world": false,
            "reads_sensitive": true, "reads_untrusted": true,
        })
    );
    assert_eq!(
        (&hints[2]["open_world"], &hints[2]["sends_out"]),
        (&json!(true), &json!(true))
    );
}

#[test]
fn the_data_flow_of_an_agent_has_the_first_action_of_each_kind() {
    let flow = DataFlow::of_agent::<Secretary>();
    let action = |kind| flow.get(kind).map(|found| (found.action, found.owner));
    let mailbox = ActionOwner::Skill("pure::effects::Mailbox");
    assert_eq!(action(Hint::ReadsSensitive), Some(("post_inbox", mailbox)));
    assert_eq!(
        action(Hint::ReadsUntrusted),
        Some(("visitors", ActionOwner::Agent))
    );
    assert_eq!(action(Hint::SendsOut), Some(("post_mail", mailbox)));
    assert!(flow.is_complete() && flow.check(&Secretary::SPEC).is_ok());
}

#[test]
fn a_client_of_mcp_reads_what_the_answers_of_a_tool_may_have() {
    let tools = Secretary::tools();
    let tool = |name| tools.iter().find(|tool| tool.name == name).unwrap();
    let for_client = |name| Provider::MCP.tool(tool(name)).unwrap();
    assert_eq!(
        for_client("post_inbox")["_meta"],
        json!({ "io.modelcontextprotocol/trust-annotations": { "sensitive": true, "untrusted": true } })
    );
    let sending = for_client("post_mail");
    assert_eq!(sending["annotations"]["openWorldHint"], true);
    assert_eq!(sending.get("_meta"), None);
    // models read the description alone
    assert_eq!(
        Provider::OPENAI_CHAT
            .tool(tool("post_inbox"))
            .unwrap()
            .get("_meta"),
        None
    );
}
