//! NaN and the infinities: typed code can use them, and writing them as JSON is an error with their path.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::core::WriteError;
use skill_agent::prelude::*;
use std::collections::BTreeMap;

/// Keeps readings that may not be finite.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "sensor", config = SensorConfig, actions(Measure, Report, Table, Perhaps, Single, Keyed, Limit))]
pub struct Sensor {
    #[skill(default)]
    pub readings: Vec<Reading>,
    #[skill(from_config)]
    pub highest: f64,
    #[skill(default)]
    pub count: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Reading {
    pub value: f64,
    pub error: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SensorConfig {
    pub highest: f64,
    pub place: String,
}

impl Default for SensorConfig {
    fn default() -> Self {
        Self {
            highest: 100.0,
            place: "roof".to_owned(),
        }
    }
}

/// Record a reading.
#[action]
pub fn measure(sensor: &mut Sensor, cx: &mut Context<Sensor>, value: f64) -> f64 {
    sensor.count += 1;
    let error = None;
    sensor.readings.push(Reading { value, error });
    cx.emit(Signal::new(
        "sensor.measured",
        json!({ "count": sensor.count }),
    ));
    value / f64::from(sensor.count - 1)
}

/// Return all readings.
#[action]
pub fn report(sensor: &mut Sensor) -> Result<Vec<Reading>, String> {
    sensor.count += 1;
    sensor.readings.push(Reading {
        value: 1.0,
        error: Some(f64::INFINITY),
    });
    Ok(sensor.readings.clone())
}

/// Return an infinity in a map.
#[action]
pub fn table(sensor: &mut Sensor) -> BTreeMap<String, (f64, f64)> {
    sensor.count += 1;
    BTreeMap::from([("a b".to_owned(), (1.0, f64::NEG_INFINITY))])
}

/// Return NaN in an option.
#[action]
pub fn perhaps(sensor: &mut Sensor, sure: bool) -> Option<f64> {
    sensor.count += 1;
    sure.then_some(f64::NAN)
}

/// Return an infinite `f32`.
#[action]
pub fn single(sensor: &mut Sensor) -> f32 {
    sensor.count += 1;
    f32::NEG_INFINITY
}

/// Return a map with keys that JSON cannot hold.
#[action]
pub fn keyed(sensor: &mut Sensor) -> BTreeMap<Option<u8>, u8> {
    sensor.count += 1;
    BTreeMap::from([(None, 1)])
}

/// Set the highest value.
#[action]
pub fn limit(sensor: &mut Sensor, #[arg(default = f64::INFINITY)] highest: f64) -> bool {
    sensor.highest = highest;
    highest.is_finite()
}

agent! {
    #[derive(Debug, PartialEq)]
    pub struct SensorAgent {
        name: "sensor_agent",
        state: { offset: f64 },
        skills: [Sensor],
    }
}

/// Returns an agent with NaN and an infinity in its state.
fn agent_with_nan() -> SensorAgent {
    let mut agent = SensorAgent::new();
    agent.cmd(Measure { value: f64::NAN }).unwrap();
    agent
        .cmd(Limit {
            highest: f64::INFINITY,
        })
        .unwrap();
    agent
}

#[test]
fn a_typed_action_accepts_and_returns_non_finite_numbers() {
    let mut agent = SensorAgent::new();
    let done = agent
        .cmd(Measure {
            value: f64::INFINITY,
        })
        .unwrap();
    assert_eq!(done.output, f64::INFINITY);
    assert!(
        agent
            .cmd(Measure { value: f64::NAN })
            .unwrap()
            .output
            .is_nan()
    );
    assert_eq!(agent.cmd(Perhaps { sure: false }).unwrap().output, None);
    assert_eq!(agent.state().sensor.readings[0].value, f64::INFINITY);
}

#[test]
fn a_non_finite_output_is_an_error_with_its_path_and_changes_nothing() {
    for (action, arguments, path, value) in [
        ("measure", json!({ "value": 1 }), "the value", "inf"),
        ("measure", json!({ "value": 0 }), "the value", "NaN"),
        ("report", json!({}), "`[0].error`", "inf"),
        ("table", json!({}), "`[\"a b\"][1]`", "-inf"),
        ("perhaps", json!({ "sure": true }), "the value", "NaN"),
        ("single", json!({}), "the value", "-inf"),
    ] {
        let mut agent = SensorAgent::new();
        let error = agent.call_json(action, &arguments.to_string()).unwrap_err();
        assert!(
            matches!(&error, CallError::Output { action: of, source: WriteError::NotFinite { .. }, .. } if *of == action)
        );
        let text = format!(
            "the answer of `{action}` cannot be written as JSON: {path} is {value}, which JSON cannot hold"
        );
        assert_eq!(error.to_string(), text);
        assert_eq!(agent, SensorAgent::new(), "{action}");

        let batch = [
            Instruction::new("limit", json!({ "highest": 3 })),
            Instruction::new(action, arguments),
        ];
        let error = agent.run(&batch).unwrap_err();
        assert_eq!((error.index, error.source.to_string()), (1, text));
        assert_eq!(agent, SensorAgent::new(), "{action}");
    }
}

#[test]
fn an_output_of_none_is_null_and_not_an_error() {
    let mut agent = SensorAgent::new();
    assert_eq!(
        agent
            .call_json("perhaps", r#"{"sure":false}"#)
            .unwrap()
            .output,
        "null"
    );
    assert_eq!(agent.state().sensor.count, 1);
}

#[test]
fn an_output_with_keys_that_json_cannot_hold_is_an_error_and_changes_nothing() {
    let mut agent = SensorAgent::new();
    let error = agent.call_json("keyed", "{}").unwrap_err();
    assert!(
        matches!(
            &error,
            CallError::Output {
                source: WriteError::NotAKey { path },
                ..
            } if path.is_empty()
        ),
        "{error}"
    );
    assert!(agent.run(&[Instruction::new("keyed", json!({}))]).is_err());
    assert_eq!(agent, SensorAgent::new());
}

#[test]
fn a_non_finite_state_is_an_error_with_its_path() {
    let agent = agent_with_nan();
    let error = agent.state_value().unwrap_err();
    assert!(error.to_string().contains("JSON cannot hold"), "{error}");
    let paths: Vec<&str> = error
        .problems()
        .iter()
        .map(|problem| &*problem.path)
        .collect();
    assert_eq!(paths, ["sensor.readings[0].value"]); // the first problem of each skill
}

#[test]
fn setting_other_keys_keeps_non_finite_numbers_in_the_state() {
    let mut agent = agent_with_nan();
    agent
        .set(&json!({ "offset": 0.5, "sensor": { "count": 7 } }))
        .unwrap();
    let sensor = &agent.state().sensor;
    assert_eq!((sensor.count, sensor.highest), (7, f64::INFINITY));
    assert!(sensor.readings[0].value.is_nan());

    agent
        .set(&json!({ "sensor": { "readings": [], "highest": 1 } }))
        .unwrap();
    assert!(agent.state_value().is_ok());
}

#[test]
fn null_is_refused_as_a_number() {
    for patch in [
        json!({ "offset": null }),
        json!({ "sensor": { "highest": null } }),
        json!({ "sensor": { "readings": [{ "value": null }] } }),
    ] {
        assert!(agent_with_nan().set(&patch).is_err(), "{patch}");
    }
    assert!(
        SensorAgent::new()
            .call_json("measure", r#"{"value":null}"#)
            .is_err()
    );
}

#[test]
fn a_non_finite_argument_of_an_instruction_is_an_error_with_its_path() {
    let instruction = Instruction::of(&Measure { value: 2.0 }).unwrap();
    assert_eq!(
        instruction,
        Instruction::new("measure", json!({ "value": 2.0 }))
    );
    let error = Instruction::of(&Measure { value: f64::NAN }).unwrap_err();
    let expected = WriteError::NotFinite {
        path: "value".to_owned(),
        value: "NaN",
    };
    assert_eq!(error, expected);
}

#[test]
fn the_schema_omits_a_default_that_json_cannot_hold() {
    let limit = SensorAgent::tools()
        .iter()
        .find(|tool| tool.name == "limit");
    let highest = &limit.unwrap().input_schema()["properties"]["highest"];
    assert_eq!(highest.get("default"), None, "{highest}");
    assert_eq!(
        SensorAgent::new().call_json("limit", "{}").unwrap().output,
        "false"
    );
}

fn agent_at(place: &str) -> SensorAgent {
    let config = SensorConfig {
        highest: f64::INFINITY,
        place: place.to_owned(),
    };
    SensorAgent::builder()
        .config::<Sensor>(config)
        .build()
        .unwrap()
}

#[test]
fn a_config_that_json_cannot_hold_works_in_typed_code() {
    let agent = agent_at("roof");
    assert_eq!(agent.state().sensor.highest, f64::INFINITY);
    assert_eq!(agent.config::<Sensor>().place, "roof");
    assert_eq!(agent, agent.clone());
    assert_ne!(agent, SensorAgent::new());
}

#[test]
fn agents_with_different_non_finite_configs_are_not_equal() {
    assert_ne!(agent_at("roof"), agent_at("cellar"));
}

/// Starts with an infinity.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "endless", config = SensorConfig)]
pub struct Endless {
    #[skill(default = f64::INFINITY)]
    pub least: f64,
    #[skill(from_config)]
    pub place: String,
}

agent! {
    #[derive(Debug)]
    pub struct EndlessAgent {
        name: "endless_agent",
        skills: [Endless { highest: f64::INFINITY, place: "sky".to_owned() }],
    }
}

#[test]
fn the_schema_of_the_state_omits_a_default_that_json_cannot_hold() {
    let schema: &Value = EndlessAgent::schema().as_value();
    let least = &schema["properties"]["endless"]["properties"]["least"];
    assert_eq!(least.get("default"), None, "{least}");
    assert_eq!(EndlessAgent::new().state().endless.least, f64::INFINITY);
}

#[test]
fn the_schema_of_the_state_keeps_the_other_defaults() {
    let schema: &Value = EndlessAgent::schema().as_value();
    let place = &schema["properties"]["endless"]["properties"]["place"];
    assert_eq!(place["default"], "sky");
    assert_eq!(EndlessAgent::new().state().endless.place, "sky");
}

#[test]
fn describe_omits_only_the_config_values_that_json_cannot_hold() {
    let config = &EndlessAgent::describe()["skills"][0]["config"];
    assert_eq!(config["place"], "sky", "{config}");
}
