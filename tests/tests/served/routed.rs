//! Routes: the instructions that a signal runs, and the response built from their outputs.

use crate::support::scripted_hooks::*;
use crate::support::{signal, state, texts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::SignalError;
use skill_agent::core::Route;
use skill_agent::prelude::*;

#[timed_test::test]
async fn routes_of_one_signal_run_by_priority_and_respond_in_that_order() {
    let (server, mut steps) = trail().await;
    let answer = server.request(signal("trail.two")).await.unwrap();
    assert_eq!(answer, json!(["noted", 1]));
    let ran = texts(&mut steps);
    assert_eq!(ran[4..6], ["beta.note", "alpha.mark"]);
}

#[timed_test::test]
async fn the_routes_of_one_signal_run_in_one_transaction() {
    let (server, mut steps) = trail().await;
    let error = server.request(signal("trail.broken")).await.unwrap_err();
    let ServeError::Action(SignalError::Run(run)) = error else {
        panic!("{error:?}")
    };
    assert_eq!((run.index, &*run.action), (1, "trip"));
    let state = state(&server).await;
    assert_eq!(
        (&state["alpha"]["marks"], &state["gamma"]["trips"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(texts(&mut steps), [""; 0]);
}

#[timed_test::test]
async fn the_response_is_the_first_reply_or_else_the_only_output() {
    let (server, _) = trail().await;
    assert_eq!(server.request(signal("trail.one")).await.unwrap(), 1);
    assert_eq!(
        server.request(signal("trail.answer")).await.unwrap(),
        "first reply"
    );
    // The reply also takes precedence over several outputs.
    assert_eq!(
        server.request(signal("trail.reply")).await.unwrap(),
        "first reply"
    );
    // A hook can reply before any action runs.
    let script = "beta.prepare=reply gamma.prepare=reply";
    let answer = server.request(scripted("trail.reply", script)).await;
    assert_eq!(answer.unwrap(), "beta.prepare replies");
}

#[timed_test::test]
async fn a_reply_of_transform_result_is_the_response_if_there_was_no_reply() {
    let (server, _) = trail().await;
    let answer = server
        .request(scripted("trail.one", "gamma.transform_ok=reply"))
        .await;
    assert_eq!(answer.unwrap(), "gamma.transform_ok replies");
}

#[timed_test::test]
async fn invalid_arguments_are_an_error_with_their_path_and_change_nothing() {
    let (server, _) = trail().await;
    let before = state(&server).await;
    for (data, path) in [
        (json!({ "by": -1 }), "`by`"),
        (json!({ "other": 1 }), "`other`"),
    ] {
        let error = request_error(&server, Signal::new("trail.one", data)).await;
        assert!(error.contains(path), "{error}");
        assert_eq!(state(&server).await, before);
    }
}

/// Counts items.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "stock", actions(Restock))]
pub struct Stock {
    items: u32,
}

/// Put items on the shelf.
#[action(on("stock.restock"), rename_all = "camelCase")]
pub fn restock(stock: &mut Stock, item_count: u32) -> u32 {
    stock.items += item_count;
    stock.items
}

agent! {
    pub struct Shop {
        name: "shop",
        skills: [Stock],
    }
}

#[timed_test::test]
async fn a_route_reads_the_data_under_the_renamed_arguments() {
    let server = AgentServer::builder(Shop::new()).start().await.unwrap();
    let restock = |data| server.request(Signal::new("stock.restock", data));
    assert_eq!(restock(json!({ "itemCount": 2 })).await.unwrap(), 2);
    let error = restock(json!({ "item_count": 2 })).await.unwrap_err();
    assert!(error.to_string().contains("`itemCount`"), "{error}");
}

/// Gets routes from its configuration.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "desk", config = DeskConfig, signals("desk.seen.*"), actions(File), hooks)]
pub struct Desk {
    filed: Vec<String>,
    seen: u32,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DeskConfig {
    inboxes: Vec<String>,
    /// The argument that the routes set; `None` takes it from the data of the signal.
    text: Option<String>,
}

/// File a text.
#[action(on("desk.file.*"))]
pub fn file(desk: &mut Desk, text: String) -> usize {
    desk.filed.push(text);
    desk.filed.len()
}

impl Hooks for Desk {
    fn routes(config: &DeskConfig) -> Vec<(Route, Instruction)> {
        let params = match &config.text {
            Some(text) => json!({ "text": text }),
            None => json!({}),
        };
        let route = |inbox: &String| Route::parse(inbox, 50).unwrap();
        let inboxes = config.inboxes.iter().map(route);
        inboxes
            .map(|route| (route, Instruction::new("file", params.clone())))
            .collect()
    }

    fn prepare_signal(
        &mut self,
        signal: Signal,
        _: &mut Context<Self>,
    ) -> Result<Signal, HookError> {
        self.seen += 1;
        Ok(signal)
    }

    fn handle_signal(&mut self, _: &Signal, _: &mut Context<Self>) -> Result<Handled, HookError> {
        Ok(Handled::Done)
    }
}

agent! {
    /// Has two instances of `desk`.
    pub struct Office {
        name: "office",
        skills: [
            Desk { inboxes: vec!["post.*".to_owned(), "desk.own".to_owned()] },
            Desk as side { inboxes: vec!["post.late".to_owned(), "desk.own".to_owned()], text: Some("fixed".to_owned()) },
        ],
    }
}

async fn office() -> AgentServer<Office> {
    AgentServer::builder(Office::new()).start().await.unwrap()
}

fn text(ty: &'static str) -> Signal {
    Signal::new(ty, json!({ "text": "given" }))
}

#[timed_test::test]
async fn a_configured_route_without_arguments_uses_the_data_of_the_signal() {
    let server = office().await;
    assert_eq!(server.request(text("post.early")).await.unwrap(), 1);
    assert_eq!(
        server.request(text("side.file.now")).await.unwrap(),
        json!(1)
    );
    let state = state(&server).await;
    assert_eq!(state["desk"]["filed"], json!(["given"]));
    assert_eq!(state["side"]["filed"], json!(["given"]));
}

#[timed_test::test]
async fn an_argument_that_one_of_several_routes_sets_is_an_error_if_the_data_has_it() {
    let server = office().await;
    // `post.*` takes `text` from the data, and the more specific `post.late` sets it.
    let error = request_error(&server, text("post.late")).await;
    assert!(
        error.contains("the route `post.late` of `Hooks::routes` sets `text`"),
        "{error}"
    );
    let state = state(&server).await;
    assert_eq!(
        (&state["desk"]["filed"], &state["side"]["filed"]),
        (&json!([]), &json!([]))
    );
}

#[timed_test::test]
async fn the_skill_name_at_the_start_of_a_pattern_becomes_the_name_of_the_instance() {
    let server = office().await;
    assert_eq!(server.request(text("desk.own")).await.unwrap(), 1);
    assert_eq!(server.request(signal("side.own")).await.unwrap(), 1);
    assert_eq!(server.request(text("side.file.now")).await.unwrap(), 2);
    assert_eq!(
        server.request(text("desk.seen.a")).await.unwrap(),
        Value::Null
    );
    let seen = state(&server).await;
    assert_eq!(
        (&seen["desk"]["seen"], &seen["side"]["seen"]),
        (&json!(1), &json!(0))
    );
    server.request(text("side.seen.a")).await.unwrap();
    let seen = state(&server).await;
    assert_eq!(
        (&seen["desk"]["seen"], &seen["side"]["seen"]),
        (&json!(1), &json!(1))
    );
}

#[timed_test::test]
async fn hooks_are_called_only_for_signals_that_match_the_patterns_of_the_skill() {
    let server = office().await;
    // The route runs, but the hooks of a skill whose patterns do not match are not called.
    server.request(text("post.early")).await.unwrap();
    assert_eq!(state(&server).await["desk"]["seen"], 0);
    for ty in ["desk.seen", "desk.seen.a.b", "other"] {
        assert!(server.request(signal(ty)).await.is_err(), "{ty}");
    }
}
