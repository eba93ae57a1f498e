//! Async actions, started and polled without a server.

use crate::common::weather_agent::*;
use serde_json::json;
use skill_agent::core::process::{
    ActionId, AsyncFailure, AsyncInput, AsyncOutput, CallFailure, action_id_of,
};
use skill_agent::core::{Action, Directive, NoConfig};
use skill_agent::prelude::*;
use std::sync::Arc;

const OSLO: &str = r#"{"city":"Oslo"}"#;

fn forecast_at(agent: &WeatherAgent) -> ActionId {
    let _ = agent;
    action_id_of::<WeatherAgent, Forecast, 0>().unwrap()
}

#[test]
fn an_action_id_is_the_index_of_the_instance_and_of_the_action_in_it() {
    assert_eq!(
        action_id_of::<WeatherAgent, Ask, 0>(),
        Some(ActionId {
            skill: 0,
            action: 0
        })
    );
    assert_eq!(
        action_id_of::<WeatherAgent, Remember, 0>(),
        Some(ActionId {
            skill: 1,
            action: 1
        })
    );
    assert_eq!(
        action_id_of::<WeatherAgent, Forecast, 1>(),
        Some(ActionId {
            skill: 2,
            action: 0
        })
    );
}

#[test]
fn text_input_gives_text_output_and_the_queued_effects() {
    let agent = WeatherAgent::new();
    let done = run(&agent, forecast_at(&agent), text_input(OSLO)).unwrap();
    assert!(matches!(&done.output, Ok(AsyncOutput::Text(text)) if text == "-3.5"));
    let [next] = done.queued.then() else {
        panic!("{done:?}")
    };
    assert_eq!(
        (&*next.action, &next.params),
        ("remember", &json!({ "city": "Oslo" }))
    );
    assert!(
        matches!(&done.queued.directives[..], [Directive::Emit(signal)] if signal.ty() == "weather.forecast")
    );
    assert_eq!(agent, WeatherAgent::new());
}

#[test]
fn queued_instructions_can_be_run_on_the_agent() {
    let mut agent = WeatherAgent::new();
    let done = run(&agent, forecast_at(&agent), text_input(OSLO)).unwrap();
    agent.run(done.queued.then()).unwrap();
    assert_eq!(agent.state().weather.last_city.as_deref(), Some("Oslo"));
    // the next call reads the changed state
    let done = run(&agent, forecast_at(&agent), text_input(OSLO)).unwrap();
    assert!(done.queued.then().is_empty());
}

#[test]
fn value_input_gives_text_output() {
    let agent = WeatherAgent::new();
    let input = AsyncInput::Value(json!({ "city": "Oslo" }));
    let done = run(&agent, forecast_at(&agent), input).unwrap();
    assert!(matches!(&done.output, Ok(AsyncOutput::Text(text)) if text == "-3.5"));
}

#[test]
fn typed_input_gives_the_typed_output_or_the_typed_error() {
    let agent = WeatherAgent::new();
    let oslo = || {
        let city = "Oslo".to_owned();
        AsyncInput::Typed(Box::new(Forecast { city }))
    };
    let done = run(&agent, forecast_at(&agent), oslo()).unwrap();
    let Ok(AsyncOutput::Typed(output)) = done.output else {
        panic!("{done:?}")
    };
    assert_eq!(*output.downcast::<f64>().unwrap(), -3.5);

    let offline = resources(f64::INFINITY);
    let started = start(&agent, forecast_at(&agent), oslo(), None, &offline);
    let done = block_on(started.unwrap().unwrap());
    let Err(AsyncFailure::Typed(error)) = done.output else {
        panic!("{done:?}")
    };
    assert_eq!(*error.downcast::<Offline>().unwrap(), Offline { code: 503 });
    assert!(done.queued.then().is_empty() && done.queued.directives.is_empty());
}

#[test]
fn a_failed_call_from_json_gives_the_error_of_the_action_and_drops_queued_effects() {
    let agent = WeatherAgent::new();
    let offline = resources(f64::INFINITY);
    let started = start(
        &agent,
        forecast_at(&agent),
        text_input(OSLO),
        None,
        &offline,
    );
    let done = block_on(started.unwrap().unwrap());
    assert!(done.queued.then().is_empty() && done.queued.directives.is_empty());
    let Err(AsyncFailure::Call(failure)) = done.output else {
        panic!("{done:?}")
    };
    let error = failure.with_action("forecast");
    assert_eq!(
        error.to_string(),
        "the weather service is offline, code 503"
    );
    let own = error.action_error().and_then(|error| error.downcast_ref());
    assert_eq!(own, Some(&Offline { code: 503 }));
}

#[test]
fn arguments_are_read_before_the_future_is_created() {
    let agent = WeatherAgent::new();
    for (input, expected) in [
        (r#"{"city":""}"#, "`city`"),
        (r#"{"city":1}"#, "`city`"),
        (r#"{"city":"Oslo","api":1}"#, "`api`"),
        ("{", "EOF"),
    ] {
        let failure = run(&agent, forecast_at(&agent), text_input(input)).unwrap_err();
        assert!(matches!(failure, CallFailure::Arguments(_)), "{failure:?}");
        let error = failure.with_action("forecast").to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn an_output_that_json_cannot_hold_fails_only_a_call_from_json() {
    let agent = WeatherAgent::new();
    let nowhere = resources(f64::NAN);
    let ask = action_id_of::<WeatherAgent, Ask, 0>().unwrap();
    let started = start(&agent, ask, text_input("{}"), None, &nowhere);
    let done = block_on(started.unwrap().unwrap());
    let output = done.output;
    assert!(
        matches!(output, Err(AsyncFailure::Call(CallFailure::Output(_)))),
        "{output:?}"
    );

    let typed = AsyncInput::Typed(Box::new(Ask {}));
    let started = start(&agent, ask, typed, None, &nowhere);
    let done = block_on(started.unwrap().unwrap());
    let Ok(AsyncOutput::Typed(output)) = done.output else {
        panic!("{done:?}")
    };
    assert!(output.downcast::<f64>().unwrap().is_nan());
}

#[test]
fn resources_are_found_by_type_at_any_parameter_position() {
    let agent = WeatherAgent::new();
    let survey = action_id_of::<WeatherAgent, Survey, 0>().unwrap();
    let done = run(&agent, survey, text_input(r#"{"cities":["Oslo","Rome"]}"#)).unwrap();
    let Ok(AsyncOutput::Text(answer)) = done.output else {
        panic!("{done:?}")
    };
    assert_eq!(answer, r#"["Christiania: -3.5","Rome: -3.5"]"#);
    assert_eq!(
        Survey::SPEC.input_schema()["required"],
        json!(["cities"]),
        "resources are not arguments"
    );
    let properties = Survey::SPEC.input_schema()["properties"].as_object();
    let names: Vec<_> = properties.unwrap().keys().collect();
    assert_eq!(names, ["cities", "times"]);
}

#[test]
fn an_instance_has_its_own_state_names_and_configuration() {
    let mut agent = WeatherAgent::with_id("w-1");
    agent.second().cmd(RaiseOffset { by: 10.0 }).unwrap();
    let second = action_id_of::<WeatherAgent, Forecast, 1>().unwrap();
    let done = run(&agent, second, text_input(OSLO)).unwrap();
    assert!(matches!(&done.output, Ok(AsyncOutput::Text(text)) if text == "6.5"));
    assert_eq!(done.queued.then()[0].action, "second_remember");
    agent.run(done.queued.then()).unwrap();
    assert_eq!(agent.state().second.last_city.as_deref(), Some("Oslo"));
    assert_eq!(agent.state().weather.last_city, None);

    for (skill, expected) in [
        (1, r#"["weather","C","w-1"]"#),
        (2, r#"["second","","w-1"]"#),
    ] {
        let id = ActionId { skill, action: 6 };
        let done = run(&agent, id, text_input("{}")).unwrap();
        let Ok(AsyncOutput::Text(answer)) = done.output else {
            panic!("{done:?}")
        };
        assert_eq!(answer, expected);
    }
}

#[test]
fn queueing_an_instruction_that_json_cannot_hold_fails_the_action_and_names_it() {
    let agent = WeatherAgent::new();
    let queue_not_finite = action_id_of::<WeatherAgent, QueueNotFinite, 0>().unwrap();
    for input in [
        text_input("{}"),
        AsyncInput::Typed(Box::new(QueueNotFinite {})),
    ] {
        let done = run(&agent, queue_not_finite, input).unwrap();
        assert!(done.queued.then().is_empty());
        let Err(AsyncFailure::Call(failure)) = done.output else {
            panic!("{done:?}")
        };
        let error = failure.with_action("queue_not_finite").to_string();
        assert!(
            error.starts_with("the arguments of `raise_offset`, which `queue_not_finite` queued,"),
            "{error}"
        );
        assert!(error.contains("`by`"), "{error}");
    }
}

#[test]
fn progress_and_cancellation_go_through_the_host() {
    let agent = WeatherAgent::new();
    let caller = Arc::new(CancelAfterProgress::default());
    let wait = action_id_of::<WeatherAgent, Wait, 0>().unwrap();
    let started = start(
        &agent,
        wait,
        text_input("{}"),
        Some(caller.clone()),
        &resources(0.0),
    );
    let done = block_on(started.unwrap().unwrap());
    assert!(matches!(&done.output, Ok(AsyncOutput::Text(text)) if text == "true"));
    let heard = caller.0.lock().unwrap();
    assert_eq!(*heard, [("weather".to_owned(), json!("waiting"))]);
}

#[test]
fn a_pure_action_or_an_unknown_id_cannot_be_started() {
    let agent = WeatherAgent::new();
    for (skill, action) in [(1, 1), (1, 3), (1, 99), (99, 0)] {
        let id = ActionId { skill, action };
        let started = start(&agent, id, text_input("{}"), None, &resources(0.0));
        assert!(started.is_none(), "{id:?}");
    }
}

#[test]
fn an_async_action_called_by_name_without_a_server_fails_and_changes_nothing() {
    let mut agent = WeatherAgent::new();
    let error = agent.call_json("forecast", OSLO).unwrap_err();
    assert!(matches!(
        error,
        CallError::NeedsServer {
            action: "forecast",
            ..
        }
    ));
    assert_eq!(
        error.to_string(),
        "the action `forecast` is async and needs a server: `server.call_json(...)`"
    );
    let city = || json!({ "city": "Oslo" });
    let error = agent
        .run(&[
            Instruction::new("remember", city()),
            Instruction::new("second_forecast", city()),
        ])
        .unwrap_err();
    assert!(matches!(
        error.source,
        CallError::NeedsServer {
            action: "second_forecast",
            ..
        }
    ));
    assert_eq!(agent, WeatherAgent::new());
}

#[test]
fn specs_and_descriptions_mark_async_actions() {
    let of = |name: &str| {
        WeatherAgent::actions()
            .iter()
            .find(|spec| spec.name == name)
    };
    let forecast = of("forecast").unwrap();
    assert!(forecast.is_async && forecast.hints.open_world && !forecast.hints.read_only);
    assert!(of("survey").unwrap().hints.read_only);
    assert!(of("queue_not_finite").unwrap().hints.idempotent);
    assert!(!of("raise_offset").unwrap().is_async);
    let described = WeatherAgent::describe();
    let actions = described["actions"].as_array().unwrap();
    let is_async = |name: &str| {
        let action = actions.iter().find(|action| action["name"] == name);
        action.unwrap()["effectful"].clone()
    };
    assert_eq!(
        (is_async("forecast"), is_async("raise_offset")),
        (json!(true), json!(false))
    );
    assert!(
        WeatherAgent::tools()
            .iter()
            .any(|tool| tool.name == "forecast")
    );
    let routes = WeatherAgent::routes();
    assert!(
        routes
            .iter()
            .any(|(_, action)| *action == "second_forecast")
    );
}

#[test]
fn an_async_action_can_be_tested_with_a_context_and_without_an_agent() {
    let weather = Weather::default();
    let mut cx = Context::for_test(WeatherConfig::default());
    let api = WeatherApi { reading: 2.0 };
    let degrees = block_on(forecast(&weather, &mut cx, &api, "Oslo".to_owned()));
    assert_eq!(degrees, Ok(2.0));
    cx.progress(1);
    assert!(!cx.is_cancelled());
    let [Directive::Run(next), Directive::Emit(_)] = cx.directives() else {
        panic!("{cx:?}")
    };
    assert_eq!(
        next.effect,
        Instruction::new("remember", json!({ "city": "Oslo" }))
    );
}

#[test]
fn then_in_a_pure_action_queues_a_run_or_an_error_if_json_cannot_hold_it() {
    let mut cx = Context::<Weather>::for_test(WeatherConfig::default());
    cx.then(RaiseOffset { by: 1.0 });
    cx.then(RaiseOffset { by: f64::INFINITY });
    let directives = cx.into_directives();
    let [Directive::Run(next), Directive::Error { message, .. }] = &directives[..] else {
        panic!("{directives:?}")
    };
    assert_eq!(
        next.effect,
        Instruction::new("raise_offset", json!({ "by": 1.0 }))
    );
    assert!(
        message.contains("`raise_offset`") && message.contains("`by`"),
        "{message}"
    );
}

#[test]
fn a_context_is_send_and_sync() {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Context<Weather>>();
}

#[test]
fn an_agent_without_async_actions_runs_with_any_resources() {
    use crate::common::account_agent::*;
    assert!(!agent_name(&AccountAgent::new(), &()).is_empty());
    assert_eq!(
        agent_name(&WeatherAgent::new(), &*resources(0.0)),
        "weather_agent"
    );
    let _ = NoConfig {};
}
