//! NaN and the infinities: typed code may work with them, and where JSON is asked for they are an error with their path.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::core::WriteError;
use skill_agent::prelude::*;
use std::collections::BTreeMap;

/// Measures, and is at times out of order.
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

/// Remember a reading.
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

/// Say everything.
#[action]
pub fn report(sensor: &mut Sensor) -> Result<Vec<Reading>, String> {
    sensor.count += 1;
    sensor.readings.push(Reading {
        value: 1.0,
        error: Some(f64::INFINITY),
    });
    Ok(sensor.readings.clone())
}

/// Say it by name.
#[action]
pub fn table(sensor: &mut Sensor) -> BTreeMap<String, (f64, f64)> {
    sensor.count += 1;
    BTreeMap::from([("a b".to_owned(), (1.0, f64::NEG_INFINITY))])
}

/// Say it where there is something to say.
#[action]
pub fn perhaps(sensor: &mut Sensor, sure: bool) -> Option<f64> {
    sensor.count += 1;
    sure.then_some(f64::NAN)
}

/// Say it in a few bits.
#[action]
pub fn single(sensor: &mut Sensor) -> f32 {
    sensor.count += 1;
    f32::NEG_INFINITY
}

/// Say it under keys that JSON does not have.
#[action]
pub fn keyed(sensor: &mut Sensor) -> BTreeMap<Option<u8>, u8> {
    sensor.count += 1;
    BTreeMap::from([(None, 1)])
}

/// Set how much is too much.
#[action]
pub fn limit(sensor: &mut Sensor, #[arg(default = f64::INFINITY)] highest: f64) -> bool {
    sensor.highest = highest;
    highest.is_finite()
}

agent! {
    #[derive(Debug, PartialEq)]
    pub struct Station {
        name: "station",
        state: { offset: f64 },
        skills: [Sensor],
    }
}

/// A station that has measured nothing, twice.
fn broken() -> Station {
    let mut station = Station::new();
    station.cmd(Measure { value: f64::NAN }).unwrap();
    station
        .cmd(Limit {
            highest: f64::INFINITY,
        })
        .unwrap();
    station
}

#[test]
fn a_typed_action_takes_and_gives_them() {
    let mut station = Station::new();
    let done = station
        .cmd(Measure {
            value: f64::INFINITY,
        })
        .unwrap();
    assert_eq!(done.output, f64::INFINITY);
    assert!(
        station
            .cmd(Measure { value: f64::NAN })
            .unwrap()
            .output
            .is_nan()
    );
    assert_eq!(station.cmd(Perhaps { sure: false }).unwrap().output, None);
    assert_eq!(station.state().sensor.readings[0].value, f64::INFINITY);
}

#[test]
fn in_an_answer_they_are_an_error_with_their_path_and_nothing_has_changed() {
    for (action, arguments, path, value) in [
        ("measure", json!({ "value": 1 }), "the value", "inf"),
        ("measure", json!({ "value": 0 }), "the value", "NaN"),
        ("report", json!({}), "`[0].error`", "inf"),
        ("table", json!({}), "`[\"a b\"][1]`", "-inf"),
        ("perhaps", json!({ "sure": true }), "the value", "NaN"),
        ("single", json!({}), "the value", "-inf"),
    ] {
        let mut station = Station::new();
        let error = station
            .call_json(action, &arguments.to_string())
            .unwrap_err();
        assert!(
            matches!(&error, CallError::Output { action: of, source: WriteError::NotFinite { .. }, .. } if *of == action)
        );
        let text = format!(
            "the answer of `{action}` cannot be written as JSON: {path} is {value}, which JSON cannot hold"
        );
        assert_eq!(error.to_string(), text);
        assert_eq!(station, Station::new(), "{action}");

        let batch = [
            Instruction::new("limit", json!({ "highest": 3 })),
            Instruction::new(action, arguments),
        ];
        let error = station.run(&batch).unwrap_err();
        assert_eq!((error.index, error.source.to_string()), (1, text));
        assert_eq!(station, Station::new(), "{action}");
    }
}

#[test]
fn an_answer_that_is_truly_null_is_no_error() {
    let mut station = Station::new();
    assert_eq!(
        station
            .call_json("perhaps", r#"{"sure":false}"#)
            .unwrap()
            .output,
        "null"
    );
    assert_eq!(station.state().sensor.count, 1);
}

#[test]
fn an_answer_without_keys_that_are_text_is_an_error_and_nothing_has_changed() {
    let mut station = Station::new();
    let error = station.call_json("keyed", "{}").unwrap_err();
    assert!(
        matches!(
            &error,
            CallError::Output {
                source: WriteError::Other(_),
                ..
            }
        ),
        "{error}"
    );
    assert!(
        station
            .run(&[Instruction::new("keyed", json!({}))])
            .is_err()
    );
    assert_eq!(station, Station::new());
}

#[test]
fn in_the_state_they_are_an_error_with_their_path() {
    let station = broken();
    let error = station.state_value().unwrap_err();
    assert!(error.to_string().contains("JSON cannot hold"), "{error}");
    let paths: Vec<&str> = error
        .problems()
        .iter()
        .map(|problem| &*problem.path)
        .collect();
    assert_eq!(paths, ["sensor.readings[0].value"]); // the first of each skill
}

#[test]
fn setting_something_else_leaves_them_in_the_state() {
    let mut station = broken();
    station
        .set(&json!({ "offset": 0.5, "sensor": { "count": 7 } }))
        .unwrap();
    let sensor = &station.state().sensor;
    assert_eq!((sensor.count, sensor.highest), (7, f64::INFINITY));
    assert!(sensor.readings[0].value.is_nan());

    station
        .set(&json!({ "sensor": { "readings": [], "highest": 1 } }))
        .unwrap();
    assert!(station.state_value().is_ok());
}

#[test]
fn null_is_no_number() {
    for patch in [
        json!({ "offset": null }),
        json!({ "sensor": { "highest": null } }),
        json!({ "sensor": { "readings": [{ "value": null }] } }),
    ] {
        assert!(broken().set(&patch).is_err(), "{patch}");
    }
    assert!(
        Station::new()
            .call_json("measure", r#"{"value":null}"#)
            .is_err()
    );
}

#[test]
fn in_an_instruction_they_are_an_error_with_their_path() {
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
fn a_default_that_json_cannot_hold_is_not_shown_as_null() {
    let limit = Station::tools().iter().find(|tool| tool.name == "limit");
    let highest = &limit.unwrap().input_schema()["properties"]["highest"];
    assert_eq!(highest.get("default"), None, "{highest}");
    assert_eq!(
        Station::new().call_json("limit", "{}").unwrap().output,
        "false"
    );
}

fn station_at(place: &str) -> Station {
    let config = SensorConfig {
        highest: f64::INFINITY,
        place: place.to_owned(),
    };
    Station::builder().config::<Sensor>(config).build()
}

#[test]
fn a_config_that_json_cannot_hold_still_works() {
    let station = station_at("roof");
    assert_eq!(station.state().sensor.highest, f64::INFINITY);
    assert_eq!(station.config::<Sensor>().place, "roof");
    assert_eq!(station, station.clone());
    assert_ne!(station, Station::new());
}

#[test]
fn agents_with_different_configs_that_json_cannot_hold_are_different() {
    assert_ne!(station_at("roof"), station_at("cellar"));
}

/// Begins without bounds.
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
    pub struct Space {
        name: "space",
        skills: [Endless { highest: f64::INFINITY, place: "sky".to_owned() }],
    }
}

#[test]
fn the_schema_of_a_state_that_begins_with_them_shows_no_null() {
    let schema: &Value = Space::schema().as_value();
    let least = &schema["properties"]["endless"]["properties"]["least"];
    assert_eq!(least.get("default"), None, "{least}");
    assert_eq!(Space::new().state().endless.least, f64::INFINITY);
}

#[test]
fn the_defaults_beside_them_are_those_of_the_agent() {
    let schema: &Value = Space::schema().as_value();
    let place = &schema["properties"]["endless"]["properties"]["place"];
    assert_eq!(place["default"], "sky");
    assert_eq!(Space::new().state().endless.place, "sky");
}

#[test]
fn a_description_leaves_out_of_a_config_only_what_json_cannot_hold() {
    let config = &Space::describe()["skills"][0]["config"];
    assert_eq!(config["place"], "sky", "{config}");
}
