//! A skill whose state and configuration contain every data shape of serde.

use super::argument_kinds::{Address, Answer, Colour, Metres, Payment, Person, Shape, Tree};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::prelude::*;
use std::collections::BTreeMap;

/// Holds one value of each shape.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "serde_shapes", config = ShapeValues)]
pub struct SerdeShapes {
    pub values: ShapeValues,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ShapeValues {
    pub small: i8,
    pub large: u64,
    pub single: f32,
    pub letter: char,
    pub nothing: (),
    pub height: Metres,
    pub pair: (u8, Option<String>),
    pub colour: Colour,
    pub shape: Shape,
    pub shapes: Vec<Shape>,
    pub payment: Payment,
    pub payments: BTreeMap<String, Payment>,
    pub answer: Answer,
    pub either: Either,
    pub person: Option<Person>,
    pub people: Vec<Person>,
    pub homes: BTreeMap<u32, Address>,
    pub tree: Option<Tree>,
    pub free: Value,
}

/// An untagged enum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Either {
    Number(i32),
    Home(Address),
    Names { first: String, last: Option<String> },
}

impl Default for ShapeValues {
    fn default() -> Self {
        Self {
            small: 0,
            large: 0,
            single: 0.5,
            letter: 'a',
            nothing: (),
            height: Metres(1.5),
            pair: (1, None),
            colour: Colour::Red,
            shape: Shape::Point,
            shapes: Vec::new(),
            payment: Payment::Cash { given: None },
            payments: BTreeMap::new(),
            answer: Answer::Yes,
            either: Either::Number(1),
            person: None,
            people: Vec::new(),
            homes: BTreeMap::new(),
            tree: None,
            free: Value::Null,
        }
    }
}

agent! {
    #[derive(Debug, PartialEq)]
    pub struct SerdeShapesAgent {
        name: "serde_shapes_agent",
        state: { top: ShapeValues },
        skills: [SerdeShapes],
    }
}

/// Returns a valid `ShapeValues` that sets nearly every field.
pub fn valid_values() -> Value {
    json!({
        "small": -3, "large": u64::MAX, "single": 0.5, "letter": "é", "nothing": null, "height": 2.5,
        "pair": [3, "a"], "colour": "dark_green", "shape": { "Circle": { "radius": 0.5 } },
        "shapes": ["Point", { "Square": 2.5 }, { "Text": [3, "a"] }],
        "payment": { "by": "Card", "number": "1" },
        "payments": { "a": { "by": "Cash", "given": 5 } },
        "either": { "first": "a", "last": null },
        "person": { "fullName": "a", "home": { "street": "b", "floor": 1 } },
        "people": [{ "fullName": "b", "home": null }],
        "homes": { "7": { "street": "c", "floor": 0 } },
        "tree": { "size": 1, "left": { "size": 2, "left": null, "right": [] }, "right": [{ "size": 3, "left": null, "right": [] }] },
        "free": { "a": [1, null] },
    })
}
