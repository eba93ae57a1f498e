//! Typed calls to an agent behind an MCP server.

use crate::far::{Lists, client_of, client_of_toolbox, listing};
use crate::support::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::mcp::{RemoteCallError, TypedError};
use skill_agent::prelude::*;
use skill_agent::server::Applied;
use skill_agent::toolbox::Toolbox;
use skill_core::spec::Schemas;
use skill_core::{ActionEntry, ActionSpec, NoConfig, Pure, PureAction, SkillSpec};
use std::convert::Infallible;
use std::future::pending;

/// Weighs.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "scale", actions(Weigh, Check))]
pub struct Scale {
    pub grams: f64,
}

/// The load of a scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Load {
    grams: f64,
    label: String,
}

/// Put something on the scale.
#[action]
pub fn weigh(scale: &mut Scale, grams: f64, label: Option<String>) -> Load {
    scale.grams += grams;
    let grams = scale.grams;
    let label = label.unwrap_or_default();
    Load { grams, label }
}

/// Check the scale.
#[action]
pub fn check(scale: &Scale) -> Result<(), String> {
    if scale.grams > 10.0 {
        Err("it has too much to carry".to_owned())
    } else {
        Ok(())
    }
}

agent! {
    pub struct Shop {
        name: "shop",
        skills: [Scale, Scale as spare],
    }
}

#[timed_test::test]
async fn an_action_runs_at_the_server_and_returns_its_type() {
    let server = AgentServer::builder(Shop::new()).start().await.unwrap();
    let client = client_of_toolbox(Toolbox::of(&server)).await;
    let shop = client.typed::<Shop>().await.unwrap();
    let label = Some("flour \"00\"".to_owned());
    let load = shop.call(Weigh { grams: 2.5, label }).await.unwrap();
    assert_eq!((load.grams, &*load.label), (2.5, "flour \"00\""));
    let spare = shop.instance(Shop::spare);
    let weigh = |grams| Weigh { grams, label: None };
    spare.call(weigh(20.0)).await.unwrap();
    let agent = server.agent().await.unwrap();
    assert_eq!(agent.state().scale.grams, 2.5);
    assert_eq!(agent.state().spare.grams, 20.0);

    shop.call(Check {}).await.unwrap();
    let error = spare.call(Check {}).await.unwrap_err();
    assert!(matches!(error, RemoteCallError::Failed(_)), "{error:?}");
    assert_eq!(error.to_string(), "it has too much to carry");
    assert_eq!(error.applied(), Applied::Unknown);
    let error = shop.call(weigh(f64::NAN)).await.unwrap_err();
    assert!(matches!(error, RemoteCallError::Arguments(_)), "{error:?}");
    assert!(error.to_string().contains("grams"), "{error}");
    assert_eq!(error.applied(), Applied::No);
    for _ in 0..2 {
        let load = shop.call_with_key("order-1", weigh(1.0)).await.unwrap();
        assert_eq!(load.grams, 3.5);
        let load = spare.call_with_key("order-2", weigh(1.0)).await.unwrap();
        assert_eq!(load.grams, 21.0);
    }
}

#[timed_test::test]
async fn the_guard_of_the_server_decides() {
    let builder = AgentServer::builder(Office::new()).resources(Tools::default());
    let server = builder.start().await.unwrap();
    let office = client_of_toolbox(Toolbox::of(&server)).await;
    let office = office.typed::<Office>().await.unwrap();
    let count = office
        .call(AddNote {
            text: "milk".to_owned(),
        })
        .await
        .unwrap();
    assert_eq!(count, 1);
    let notes = office.call(Notes {}).await.unwrap();
    assert_eq!(notes, ["milk"]);
    let error = office.call(Shred {}).await.unwrap_err();
    assert!(error.to_string().contains("approv"), "{error}");
    assert_eq!(office.call(Notes {}).await.unwrap().len(), 1);
}

#[timed_test::test]
async fn every_difference_is_named() {
    let builder = AgentServer::builder(Office::new()).resources(Tools::default());
    let server = builder.start().await.unwrap();
    let client = client_of_toolbox(Toolbox::of(&server)).await;
    let error = client.typed::<Shop>().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the MCP server does not serve the agent `shop` of this program:\n  \
         tools.check: gone\n  tools.spare_check: gone\n  tools.spare_weigh: gone\n  tools.weigh: gone"
    );
}

#[timed_test::test]
async fn a_newer_server_may_accept_more_but_not_less() {
    let server = AgentServer::builder(Shop::new()).start().await.unwrap();
    let client = connected(Toolbox::of(&server), (), Era::Stateless).await;
    let tools = client.list_all_tools().await.unwrap();
    let changed = |change: fn(&mut serde_json::Map<String, serde_json::Value>)| {
        let mut tools = tools.clone();
        for tool in &mut tools {
            if tool.name == "weigh" {
                change(std::sync::Arc::make_mut(&mut tool.input_schema));
            }
        }
        listing(tools)
    };
    let typed = async |far| client_of(far).await.typed::<Shop>().await;
    let wider = changed(|schema| {
        let more = serde_json::json!({ "type": "string" });
        schema["properties"]["hall"] = more;
    });
    typed(wider).await.unwrap();
    let narrower = changed(|schema| {
        schema["required"] = serde_json::json!(["grams", "label"]);
    });
    let error = typed(narrower).await.unwrap_err();
    let TypedError::Different { changes, .. } = error else {
        panic!("{error:?}");
    };
    let changes: Vec<_> = changes.iter().map(ToString::to_string).collect();
    assert_eq!(changes, ["tools.weigh.arguments.label: now required"]);
}

#[timed_test::test]
async fn a_server_that_never_lists_its_tools_is_given_up() {
    let client = client_of(Lists(pending)).await;
    tokio::time::pause();
    let error = client.typed::<Shop>().await.unwrap_err();
    assert!(matches!(error, TypedError::List(_)), "{error:?}");
    assert!(error.to_string().contains("60"), "{error}");
}

/// Stacks.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Stack {}

impl Skill for Stack {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new("stack").actions(&[Push::SPEC]);
    const ACTIONS: &'static [ActionEntry<Self>] = &[ActionEntry::of::<Push>()];
}

/// A choice, which MCP has no schema for.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
pub enum Push {
    Box { grams: u32 },
    Bag { liters: u32 },
}

impl Action for Push {
    type Skill = Stack;
    type Output = u32;
    type Error = Infallible;
    type Kind = Pure;
    const SPEC: ActionSpec = ActionSpec::of::<Self>("push", "Put something on the stack.");
    fn schemas() -> &'static Schemas {
        static SCHEMAS: Schemas = Schemas::of::<Push>();
        &SCHEMAS
    }
}

impl PureAction for Push {
    fn run(self, _: &mut Stack, _: &mut Context<Stack>) -> Result<u32, Infallible> {
        Ok(1)
    }
}

agent! {
    pub struct Depot {
        name: "depot",
        skills: [Stack],
    }
}

#[timed_test::test]
async fn a_tool_that_mcp_cannot_express_is_missing() {
    let client = client_of(listing(Vec::new())).await;
    let error = client.typed::<Depot>().await.unwrap_err();
    assert!(error.to_string().ends_with("tools.push: gone"), "{error}");
}
