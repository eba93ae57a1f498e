//! The JSON of deferred tools for each provider, and how much of a request is the beginning of the next one.

use super::{chat, clerk, results, shortened};
use crate::support::in_order_of_caches;
use model_server::{Response, Server};
use serde_json::{Value, json};
use skill_agent::Agent;
use skill_agent::chat::{
    Anthropic, Chat, ChatBuilder, CutTurns, Deferred, ModelProfile, OpenAi, OpenAiResponses,
    Scripted,
};
use skill_agent::models::Provider;
use skill_agent::toolbox::Toolbox;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Api {
    Chat,
    Responses,
    Anthropic,
}

const TEXT: Option<(&str, &str)> = None;

/// A completion with a text, or with a call.
fn completion(api: Api, number: usize, call: Option<(&str, &str)>) -> String {
    let id = format!("call_{number}");
    let value = match (api, call) {
        (Api::Chat, None) => json!({ "choices": [{
            "message": { "role": "assistant", "content": "Yes." }, "finish_reason": "stop"
        }] }),
        (Api::Chat, Some((name, arguments))) => json!({ "choices": [{
            "message": { "role": "assistant", "tool_calls": [
                { "id": id, "type": "function", "function": { "name": name, "arguments": arguments } }
            ] },
            "finish_reason": "tool_calls"
        }] }),
        (Api::Responses, None) => json!({ "object": "response", "status": "completed", "output": [
            { "type": "message", "role": "assistant",
              "content": [{ "type": "output_text", "text": "Yes.", "annotations": [] }] }
        ] }),
        (Api::Responses, Some((name, arguments))) => {
            json!({ "object": "response", "status": "completed", "output": [
                { "type": "function_call", "call_id": id, "name": name, "arguments": arguments }
            ] })
        }
        (Api::Anthropic, None) => json!({ "type": "message", "role": "assistant",
            "content": [{ "type": "text", "text": "Yes." }], "stop_reason": "end_turn" }),
        (Api::Anthropic, Some((name, arguments))) => {
            json!({ "type": "message", "role": "assistant",
            "content": [{ "type": "tool_use", "id": id, "name": name,
                "input": serde_json::from_str::<Value>(arguments).unwrap() }],
            "stop_reason": "tool_use" })
        }
    };
    value.to_string()
}

/// A server that answers with these completions.
async fn serving(api: Api, calls: &[Option<(&str, &str)>]) -> Server {
    let completions = calls.iter().enumerate();
    let completions = completions.map(|(number, call)| completion(api, number, *call));
    Server::start(
        completions
            .map(|text| Response::json(&text))
            .collect::<Vec<_>>(),
    )
    .await
}

fn builder(api: Api, url: &str, toolbox: Toolbox) -> ChatBuilder {
    let url = format!("{url}/v1");
    let reading = |provider| ModelProfile::new(provider).with_tools_in_messages(true);
    match api {
        Api::Chat => Chat::builder(OpenAi::new("k", "m").base_url(url), toolbox),
        Api::Responses => {
            let model = OpenAiResponses::new("k", "m").base_url(url);
            Chat::builder(
                model.with_profile(reading(Provider::OPENAI_RESPONSES)),
                toolbox,
            )
        }
        Api::Anthropic => {
            let model = Anthropic::new("k", "m").base_url(url);
            Chat::builder(model.with_profile(reading(Provider::ANTHROPIC)), toolbox)
        }
    }
}

fn tool_names(body: &Value) -> Vec<&str> {
    let tools = body["tools"].as_array().unwrap().iter();
    let names = tools.map(|tool| tool.get("name").unwrap_or(&tool["function"]["name"]));
    names.map(|name| name.as_str().unwrap()).collect()
}

const LOAD_BILLING: Option<(&str, &str)> = Some(("skill", r#"{"skill_name":"billing"}"#));
const LOAD_TRIPS: Option<(&str, &str)> = Some(("skill", r#"{"skill_name":"trips"}"#));
const PAY: Option<(&str, &str)> = Some(("pay", r#"{"cents":1}"#));

/// The requests of a turn in which the model loads a skill, and pays.
async fn paying(api: Api) -> Vec<Value> {
    let clerk = clerk().await;
    let to = serving(api, &[LOAD_BILLING, PAY, TEXT]).await;
    let builder = builder(api, &to.url, Toolbox::of(&clerk));
    let turn = builder.build().unwrap().send("Pay.").await.unwrap();
    assert_eq!((&*results(&turn)[1], turn.text()), ("1", "Yes."));
    let requests = to.received().into_iter();
    requests.map(|request| request.body).collect()
}

#[timed_test::test]
async fn anthropic_gets_deferred_tools_and_references() {
    let bodies = paying(Api::Anthropic).await;
    let tools = bodies[1]["tools"].as_array().unwrap();
    for tool in tools {
        let is_deferred = ["pay", "refund", "trips_book"].contains(&tool["name"].as_str().unwrap());
        assert_eq!(
            tool.get("defer_loading"),
            is_deferred.then_some(&json!(true)),
            "{tool}"
        );
        // Anthropic rejects a mark at a deferred tool
        assert_eq!(
            tool.get("cache_control").is_some(),
            tool["name"] == "read_slowly",
            "{tool}"
        );
    }
    assert_eq!(
        bodies[1]["messages"][2]["content"],
        json!([
            { "type": "tool_result", "tool_use_id": "call_0", "content": [
                { "type": "tool_reference", "tool_name": "pay" },
                { "type": "tool_reference", "tool_name": "refund" },
            ] },
            { "type": "text", "cache_control": { "type": "ephemeral" },
              "text": "Amounts are in cents.\n\nYou can call the tools of `billing` now: `pay`, `refund`." },
        ])
    );
    assert_eq!(bodies[0]["tools"], bodies[2]["tools"]);
}

#[timed_test::test]
async fn responses_gets_the_tools_in_an_item() {
    let bodies = paying(Api::Responses).await;
    assert!(
        bodies
            .iter()
            .all(|body| body["tools"] == bodies[0]["tools"])
    );
    assert!(!tool_names(&bodies[0]).contains(&"pay"));
    let input = bodies[2]["input"].as_array().unwrap();
    let kinds: Vec<_> = input
        .iter()
        .map(|item| item["type"].as_str().unwrap_or("message"))
        .collect();
    let load = ["function_call", "function_call_output", "additional_tools"];
    let expected = [&["message"][..], &load, &load[..2]].concat();
    assert_eq!(kinds, expected);
    let item = &input[3];
    assert_eq!(item["role"], "developer");
    assert_eq!(tool_names(item), ["pay", "refund"]);
    assert_eq!(item["tools"][0]["type"], "function");
    assert!(item["tools"][0]["parameters"]["properties"]["cents"].is_object());
}

/// Ten turns. The model loads a skill in the third and in the seventh.
async fn ten_turns(api: Api, how: Deferred) -> Vec<String> {
    let clerk = clerk().await;
    let mut calls = Vec::new();
    for turn in 0..10 {
        match turn {
            2 => calls.extend([LOAD_BILLING, PAY]),
            6 => calls.extend([LOAD_TRIPS, PAY]),
            _ => {}
        }
        calls.push(TEXT);
    }
    let to = serving(api, &calls).await;
    let builder = builder(api, &to.url, Toolbox::of(&clerk)).deferred(how);
    let mut chat = builder.build().unwrap();
    for turn in 0..10 {
        chat.send(format!("Turn {turn}.")).await.unwrap();
    }
    let server = clerk.agent().await.unwrap();
    assert_eq!(server.state().billing.paid, 2);
    let requests = to.received();
    assert_eq!(requests.len(), 14);
    requests
        .iter()
        .map(|request| in_order_of_caches(&request.body))
        .collect()
}

#[timed_test::test]
async fn ten_turns_with_two_loads_keep_their_beginning() {
    for (api, how) in [
        (Api::Anthropic, Deferred::Listed),
        (Api::Responses, Deferred::Hidden),
        (Api::Chat, Deferred::Listed),
    ] {
        let requests = ten_turns(api, how).await;
        for pair in requests.windows(2) {
            assert!(
                pair[1].starts_with(&pair[0]),
                "{api:?}\n{}\n{}",
                pair[0],
                pair[1]
            );
        }
        println!(
            "{api:?}: each of {} requests begins with the one before it",
            requests.len()
        );
    }
    // hidden tools cost one miss of the cache for each load
    let requests = ten_turns(Api::Chat, Deferred::Hidden).await;
    let misses = requests
        .windows(2)
        .filter(|pair| !pair[1].starts_with(&pair[0]));
    assert_eq!(misses.count(), 2);
}

#[timed_test::test]
async fn a_group_that_is_loaded_twice_is_revealed_once() {
    for api in [Api::Anthropic, Api::Responses] {
        let clerk = clerk().await;
        let to = serving(api, &[LOAD_BILLING, TEXT, TEXT]).await;
        let mut chat = builder(api, &to.url, Toolbox::of(&clerk)).build().unwrap();
        chat.send("Load it.").await.unwrap();
        let mut history = chat.history().to_vec();
        let part = history[2].contexts().next().unwrap().clone();
        history[2].parts.push(part.into());
        let builder = builder(api, &to.url, Toolbox::of(&clerk)).history(history);
        builder.build().unwrap().send("Go on.").await.unwrap();
        let text = to.received()[2].body["messages"].to_string()
            + &to.received()[2].body["input"].to_string();
        let pay = match api {
            Api::Anthropic => r#""tool_name":"pay""#,
            _ => r#""name":"pay""#,
        };
        assert_eq!(text.matches(pay).count(), 1, "{text}");
    }
}

#[timed_test::test]
async fn another_provider_goes_on_in_its_own_form() {
    let clerk = clerk().await;
    let toolbox = Toolbox::of(&clerk);
    let first = serving(Api::Chat, &[LOAD_BILLING, TEXT]).await;
    let mut chat = builder(Api::Chat, &first.url, toolbox.clone())
        .build()
        .unwrap();
    chat.send("Load it.").await.unwrap();
    let mut history = chat.history().to_vec();
    for api in [Api::Anthropic, Api::Responses, Api::Chat] {
        let to = serving(api, &[PAY, TEXT]).await;
        let builder = builder(api, &to.url, toolbox.clone()).deferred(Deferred::Hidden);
        let mut chat = builder.history(history).build().unwrap();
        let turn = chat.send("Pay.").await.unwrap();
        assert!(
            turn.calls[0].result.is_ok(),
            "{api:?}: {:?}",
            results(&turn)
        );
        history = chat.history().to_vec();
        let body = &to.received()[0].body;
        let text = body.to_string();
        match api {
            Api::Anthropic => assert!(text.contains(r#""tool_name":"pay""#), "{text}"),
            Api::Responses => assert!(text.contains(r#""type":"additional_tools""#), "{text}"),
            Api::Chat => {
                let names = tool_names(body);
                assert_eq!(names[names.len() - 2..], ["pay", "refund"]);
            }
        }
    }
}

#[timed_test::test]
async fn tools_whose_load_is_no_longer_in_the_request_are_listed() {
    for api in [Api::Anthropic, Api::Responses] {
        let clerk = clerk().await;
        let to = serving(api, &[LOAD_BILLING, TEXT, TEXT, TEXT, TEXT, PAY, TEXT]).await;
        let builder = builder(api, &to.url, Toolbox::of(&clerk)).compactor(CutTurns);
        let mut chat = builder.history_tokens(1_000).build().unwrap();
        chat.send("Load it.").await.unwrap();
        shortened(&mut chat).await;
        let turn = chat.send("Pay.").await.unwrap();
        assert_eq!(results(&turn), ["1"]);
        let received = to.received();
        let body = &received.last().unwrap().body;
        let text = body.to_string();
        assert!(
            !text.contains("tool_reference") && !text.contains("additional_tools"),
            "{text}"
        );
        assert!(text.contains("Amounts are in cents."), "{text}");
        let tools = body["tools"].as_array().unwrap().iter();
        let pay = tools.clone().find(|tool| tool["name"] == "pay").unwrap();
        assert_eq!(pay.get("defer_loading"), None);
        let deferred = tools
            .filter(|tool| tool.get("defer_loading").is_some())
            .count();
        assert_eq!(deferred, usize::from(api == Api::Anthropic));
    }
}

#[timed_test::test]
async fn an_unknown_tool_of_a_model_with_tools_in_messages_is_an_error() {
    let clerk = clerk().await;
    let profile = ModelProfile::new(Provider::ANTHROPIC).with_tools_in_messages(true);
    let call = skill_agent::models::ToolCall::new("pay", r#"{"cents":1}"#);
    let model = Scripted::new()
        .with_profile(profile)
        .raw_calls([call])
        .text("No.");
    let turn = chat(&model, &clerk).send("Pay.").await.unwrap();
    assert!(
        results(&turn)[0].contains("load `billing`"),
        "{:?}",
        results(&turn)
    );
}
