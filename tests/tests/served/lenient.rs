//! Lenient routes: signals whose data has further fields.

use crate::support::scripted_hooks::request_error;
use crate::support::{signal, state};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::core::Route;
use skill_agent::prelude::*;
use skill_agent::server::{Attempt, Decision, ForeignCaller};
use std::sync::{Arc, Mutex};
use std::time::UNIX_EPOCH;

/// Counts what arrives.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "stock",
    config = StockConfig,
    actions(Arrive, Leave, Ring, Weigh, Later, Keep),
    signals("stock.none"),
    hooks
)]
pub struct Stock {
    items: u32,
}

/// Where the additional routes come from.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StockConfig {
    lenient: Vec<String>,
    strict: Vec<String>,
    arguments: Value,
}

/// Count arrived items.
#[action(
    on("stock.arrived", lenient),
    on("stock.exact"),
    on("stock.both", lenient, priority = 9),
    on("stock.both", priority = 8)
)]
pub fn arrive(
    stock: &mut Stock,
    #[arg(rename = "pieces")] count: u32,
    note: Option<Value>,
) -> String {
    stock.items += count;
    format!("{} {note:?}", stock.items)
}

/// Count left items; a name that serde reads makes the derives of serde necessary.
#[action(on("stock.left", lenient))]
pub fn leave(stock: &mut Stock, #[serde(alias = "amount")] count: u32) -> u32 {
    stock.items -= count;
    stock.items
}

/// Return the number of items.
#[action(on("stock.rung", lenient))]
pub fn ring(stock: &Stock) -> u32 {
    stock.items
}

/// Return a weight, whose parts are read strictly.
#[action(on("stock.weighed", lenient))]
pub fn weigh(_: &Stock, weight: Weight) -> f64 {
    weight.kilograms
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    kilograms: f64,
}

/// Count items later.
#[action(on("stock.later", lenient))]
pub async fn later(_: &Stock, cx: &mut Context<Stock>, count: u32) {
    tokio::task::yield_now().await;
    cx.then(Keep { count });
}

/// Count items.
#[action(internal)]
pub fn keep(stock: &mut Stock, count: u32) {
    stock.items += count;
}

impl Hooks for Stock {
    fn routes(config: &StockConfig) -> Vec<(Route, Instruction)> {
        let run = || Instruction::new("arrive", config.arguments.clone());
        let parse = |pattern: &String| Route::parse(pattern, 0).unwrap();
        let lenient = config
            .lenient
            .iter()
            .map(|pattern| parse(pattern).lenient());
        let routes = lenient.chain(config.strict.iter().map(parse));
        routes.map(|route| (route, run())).collect()
    }
}

agent! {
    pub struct Shop {
        name: "shop",
        skills: [Stock],
    }
}

agent! {
    /// Has the skill under an alias.
    pub struct Depot {
        name: "depot",
        skills: [Stock as yard],
    }
}

agent! {
    /// Mounts the skill.
    pub struct Tent {
        name: "tent",
        mounted: [Bell],
    }
}

/// A bell that can be mounted.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "bell", actions(Strike))]
pub struct Bell {
    strikes: u32,
}

/// Strike the bell.
#[action(on("bell.strike", lenient))]
pub fn strike(bell: &mut Bell, times: u32) -> u32 {
    bell.strikes += times;
    bell.strikes
}

async fn shop() -> AgentServer<Shop> {
    AgentServer::builder(Shop::new()).start().await.unwrap()
}

/// A signal whose data has a field that no action takes.
fn with_more(ty: &'static str, mut data: Value) -> Signal {
    data["trace"] = json!({ "id": 7 });
    Signal::new(ty, data)
}

#[timed_test::test]
async fn a_lenient_route_leaves_further_fields_out_and_no_other_route_does() {
    let server = shop().await;
    let arrived = with_more("stock.arrived", json!({ "pieces": 2, "note": null }));
    assert_eq!(server.request(arrived).await.unwrap(), json!("2 None"));
    let rung = with_more("stock.rung", json!({}));
    assert_eq!(server.request(rung).await.unwrap(), json!(2));

    // Beside a lenient route of the same signal, an exact one is still exact, and nothing has run.
    for ty in ["stock.exact", "stock.both"] {
        let error = request_error(&server, with_more(ty, json!({ "pieces": 1 }))).await;
        assert!(error.contains("unknown field `trace`"), "{error}");
    }
    assert_eq!(state(&server).await["stock"]["items"], 2);
    let both = Signal::new("stock.both", json!({ "pieces": 1 }));
    assert_eq!(
        server.request(both).await.unwrap(),
        json!(["3 None", "4 None"])
    );
}

#[timed_test::test]
async fn a_lenient_route_checks_the_arguments_as_any_other() {
    let server = shop().await;
    for (data, expected) in [
        (json!({ "pieces": "2" }), "`pieces`"),
        (json!({}), "missing field `pieces`"),
        (json!({ "count": 2 }), "missing field `pieces`"), // the name before the renaming
    ] {
        let error = request_error(&server, with_more("stock.arrived", data)).await;
        assert!(error.contains(expected), "{error}");
    }
    let weight = json!({ "weight": { "kilograms": 2.0, "pounds": 4.4 } });
    let error = request_error(&server, with_more("stock.weighed", weight)).await;
    assert!(error.contains("`weight.pounds`: unknown field"), "{error}");
}

#[timed_test::test]
async fn a_lenient_route_keeps_the_names_that_only_serde_knows() {
    let server = shop().await;
    let arrived = Signal::new("stock.arrived", json!({ "pieces": 5 }));
    server.request(arrived).await.unwrap();
    for (data, left) in [(json!({ "count": 1 }), 4), (json!({ "amount": 2 }), 2)] {
        let signal = with_more("stock.left", data);
        assert_eq!(server.request(signal).await.unwrap(), json!(left));
    }
    let both = with_more("stock.left", json!({ "count": 1, "amount": 1 }));
    let error = request_error(&server, both).await;
    assert!(error.contains("duplicate field `count`"), "{error}");
}

#[timed_test::test]
async fn aliases_async_actions_and_mounted_skills_have_lenient_routes() {
    let depot = AgentServer::builder(Depot::new()).start().await.unwrap();
    let arrived = with_more("yard.arrived", json!({ "pieces": 2 }));
    assert_eq!(depot.request(arrived).await.unwrap(), json!("2 None"));
    let later = with_more("yard.later", json!({ "count": 3 }));
    depot.request(later).await.unwrap();
    assert_eq!(state(&depot).await["yard"]["items"], 5);

    let tent = AgentServer::builder(Tent::new()).start().await.unwrap();
    tent.mount("bell", json!({})).await.unwrap();
    let strike = || with_more("bell.strike", json!({ "times": 2 }));
    assert_eq!(tent.request(strike()).await.unwrap(), json!(2));
}

#[timed_test::test]
async fn calls_by_name_and_instructions_are_never_lenient() {
    let mut agent = Shop::new();
    let arguments = json!({ "pieces": 2, "trace": 7 });
    let unknown = "unknown field `trace`";
    let error = agent
        .call_json("arrive", &arguments.to_string())
        .unwrap_err();
    assert!(error.to_string().contains(unknown), "{error}");
    let instruction = Instruction::new("arrive", arguments.clone());
    let error = agent.run(&[instruction]).unwrap_err();
    assert!(error.to_string().contains(unknown), "{error}");
    let server = shop().await;
    let error = server
        .call_json("arrive", arguments.to_string())
        .await
        .unwrap_err();
    assert!(error.to_string().contains(unknown), "{error}");
}

#[timed_test::test]
async fn the_guard_sees_the_arguments_without_the_further_fields() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let guard = {
        let seen = Arc::clone(&seen);
        move |attempt: &Attempt<'_>| {
            seen.lock().unwrap().push(attempt.arguments());
            Decision::Allow
        }
    };
    let server = AgentServer::builder(Shop::new())
        .guard(guard)
        .start()
        .await
        .unwrap();
    let arrived = with_more("stock.arrived", json!({ "pieces": 2 }));
    server.request(arrived).await.unwrap();
    assert_eq!(
        *seen.lock().unwrap(),
        [json!({ "pieces": 2, "note": null })]
    );
}

#[test]
fn a_route_says_whether_it_is_lenient() {
    let lenient: Vec<_> = Shop::routes()
        .into_iter()
        .filter(|(route, _)| route.lenient)
        .map(|(route, _)| (route.pattern.into_owned(), route.priority))
        .collect();
    let expected = [
        ("stock.arrived", 0),
        ("stock.both", 9),
        ("stock.left", 0),
        ("stock.rung", 0),
        ("stock.weighed", 0),
        ("stock.later", 0),
    ];
    assert_eq!(
        lenient,
        expected.map(|(pattern, priority)| (pattern.to_owned(), priority))
    );
    let description = Shop::describe();
    assert_eq!(description["actions"][0]["routes"][0]["lenient"], true);
}

/// A server whose configured routes run `arrive` with these arguments.
async fn configured(arguments: Value) -> AgentServer<Shop> {
    let config = StockConfig {
        lenient: vec!["post.lenient".to_owned()],
        strict: vec!["post.strict".to_owned()],
        arguments,
    };
    let agent = Shop::builder().config::<Stock>(config).build().unwrap();
    AgentServer::builder(agent).start().await.unwrap()
}

#[timed_test::test]
async fn a_route_of_a_hook_adds_its_arguments_to_the_data_of_the_signal() {
    let server = configured(json!({ "note": "by post" })).await;
    let answer = |text: &str| json!(text);
    let post = |ty: &'static str| Signal::new(ty, json!({ "pieces": 2 }));
    assert_eq!(
        server.request(post("post.strict")).await.unwrap(),
        answer(r#"2 Some(String("by post"))"#)
    );
    assert_eq!(
        server
            .request(with_more("post.lenient", json!({ "pieces": 1 })))
            .await
            .unwrap(),
        answer(r#"3 Some(String("by post"))"#)
    );
    let more = with_more("post.strict", json!({ "pieces": 1 }));
    let error = request_error(&server, more).await;
    assert!(error.contains("unknown field `trace`"), "{error}");
}

#[timed_test::test]
async fn data_without_fields_is_left_out_by_a_lenient_route_only() {
    let server = configured(json!({ "pieces": 1 })).await;
    let number = |ty: &'static str| Signal::new(ty, json!(7));
    server.request(number("post.lenient")).await.unwrap();
    let error = request_error(&server, number("post.strict")).await;
    assert!(error.contains("expected an object"), "{error}");
    assert_eq!(
        server.request(signal("post.strict")).await.unwrap(),
        json!("2 None")
    );
}

#[timed_test::test]
async fn an_argument_that_the_route_and_the_data_set_is_an_error_and_nothing_runs() {
    let server = configured(json!({ "pieces": 1 })).await;
    for ty in ["post.lenient", "post.strict"] {
        let error = request_error(&server, Signal::new(ty, json!({ "pieces": 2 }))).await;
        let expected = format!(
            "the arguments of `arrive` are wrong: `pieces`: the route `{ty}` of `Hooks::routes` sets `pieces`, and the data \
             of the signal has a field `pieces` too; leave `pieces` out of the data, or out of the instruction of the route"
        );
        assert!(error.contains(&expected), "{error}");
    }
    assert_eq!(state(&server).await["stock"]["items"], 0);
}

#[timed_test::test]
async fn an_instruction_of_a_route_whose_arguments_are_no_object_is_an_error() {
    let server = configured(json!([1])).await;
    let error = request_error(&server, Signal::new("post.strict", json!({ "pieces": 2 }))).await;
    assert!(error.contains("expected an object"), "{error}");
}

/// Answers errors.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "calm", actions(Breathe), hooks)]
pub struct Calm {
    errors: u32,
    breaths: u32,
}

/// Breathe.
#[action]
pub fn breathe(calm: &mut Calm, times: u32) -> u32 {
    calm.breaths += times;
    calm.breaths
}

impl Hooks for Calm {
    fn routes(_: &NoConfig) -> Vec<(Route, Instruction)> {
        let run = Instruction::new("breathe", json!({ "times": 1 }));
        vec![(Route::new("calm.down"), run)]
    }

    fn transform_result(
        &mut self,
        _: &Signal,
        result: Result<Value, HookError>,
        _: &mut Context<Self>,
    ) -> Result<Value, HookError> {
        Ok(result.unwrap_or_else(|error| {
            self.errors += 1;
            json!(error.to_string())
        }))
    }
}

agent! {
    pub struct Monk {
        name: "monk",
        skills: [Calm],
    }
}

#[timed_test::test]
async fn a_hook_may_answer_an_argument_that_was_set_twice_and_a_repeated_signal_gets_that_answer() {
    let server = AgentServer::builder(Monk::new()).start().await.unwrap();
    let mut down = Signal::new("calm.down", json!({ "times": 2 }));
    down.stamp("1", "/test", UNIX_EPOCH);
    let first = server.request(down.clone()).await.unwrap();
    assert!(first.as_str().unwrap().contains("sets `times`"), "{first}");
    assert_eq!(server.request(down).await.unwrap(), first);
    assert_eq!(
        state(&server).await["calm"],
        json!({ "errors": 1, "breaths": 0 })
    );
}

#[timed_test::test]
async fn a_foreign_caller_gets_no_recorded_answer_for_a_signal_that_the_guard_did_not_see() {
    let allow = |_: &Attempt<'_>| Decision::Allow;
    let builder = AgentServer::builder(Monk::new()).guard(allow);
    let server = builder.start().await.unwrap();
    let model = server.on_behalf_of(ForeignCaller::Model);
    let mut down = Signal::new("calm.down", json!({}));
    down.stamp("1", "/test", UNIX_EPOCH);
    assert_eq!(model.request(down.clone()).await.unwrap(), 1);
    assert_eq!(model.request(down.clone()).await.unwrap(), 1);
    for wrong in [json!({ "times": 1 }), json!({ "bogus": 1 })] {
        let error = model
            .request(down.clone().with_data(wrong))
            .await
            .unwrap_err();
        assert!(matches!(error, ServeError::Action(_)), "{error:?}");
    }
}

#[timed_test::test]
async fn a_lenient_route_leaves_out_a_hundred_thousand_fields() {
    let server = configured(json!({ "pieces": 1 })).await;
    let junk = (0..100_000).map(|number| (format!("junk{number}"), json!(number)));
    let data = Value::Object(junk.collect());
    let answer = server.request(Signal::new("post.lenient", data)).await;
    answer.unwrap();
    assert_eq!(state(&server).await["stock"]["items"], 1);
}
