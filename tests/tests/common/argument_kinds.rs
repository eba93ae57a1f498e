//! A skill with one action for each kind of argument. `argument_cases` has arguments for them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use skill_agent::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fmt::Debug;

/// Counts its calls.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "argument_kinds",
    actions(
        Numbers,
        Texts,
        Options,
        Defaults,
        Renames,
        Ranges,
        Lengths,
        Patterns,
        Examples,
        Enums,
        Nested,
        Recursive,
        Maps,
        Tuples,
        BySerde,
        Free,
        NoArguments,
        Twenty
    )
)]
pub struct ArgumentKinds {
    pub calls: u32,
}

agent! {
    #[derive(Debug, PartialEq)]
    pub struct ArgumentAgent {
        name: "argument_agent",
        skills: [ArgumentKinds],
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    Red,
    DarkGreen,
}

/// A shape in the plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum Shape {
    /// A shape without extent.
    Point,
    Circle {
        radius: f64,
    },
    Square(f64),
    Text(u8, String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by")]
pub enum Payment {
    Card { number: String },
    Cash { given: Option<u32> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "value")]
pub enum Answer {
    Yes,
    Count(u32),
}

/// A postal address.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Address {
    /// The name of the street, without the number.
    pub street: String,
    #[serde(default)]
    pub floor: i8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    pub full_name: String,
    pub home: Option<Address>,
}

/// A tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tree {
    pub size: u8,
    pub left: Option<Box<Tree>>,
    #[serde(default)]
    pub right: Vec<Tree>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Metres(pub f64);

fn record(kinds: &mut ArgumentKinds, call: &dyn Debug) -> String {
    kinds.calls += 1;
    format!("{call:?}")
}

/// Take a number of every type, and a boolean.
#[action]
#[allow(clippy::too_many_arguments)] // one of each
pub fn numbers(
    kinds: &mut ArgumentKinds,
    a: i8,
    b: i16,
    c: i32,
    d: i64,
    e: isize,
    f: u8,
    g: u16,
    h: u32,
    i: u64,
    j: usize,
    k: f32,
    l: f64,
    m: bool,
) -> String {
    record(kinds, &(a, b, c, d, e, f, g, h, i, j, (k, l, m)))
}

/// Take text and a letter.
#[action]
pub fn texts(
    kinds: &mut ArgumentKinds,
    /// Any text.
    ///
    /// Also an empty one.
    text: String,
    /// One letter.
    letter: char,
) -> String {
    record(kinds, &(text, letter))
}

/// Take optional arguments.
#[action]
pub fn options(
    kinds: &mut ArgumentKinds,
    number: Option<u8>,
    text: Option<String>,
    person: Option<Person>,
    shape: Option<Shape>,
    list: Option<Vec<Colour>>,
) -> String {
    record(kinds, &(number, text, person, shape, list))
}

/// Take arguments with defaults.
#[action]
pub fn defaults(
    kinds: &mut ArgumentKinds,
    #[arg(default)] zero: u32,
    #[arg(default = 2.5)] ratio: f64,
    #[arg(default = "draft".to_owned())] state: String,
    #[arg(default = Colour::DarkGreen)] colour: Colour,
    #[arg(default = Some(3))] level: Option<u8>,
    #[arg(default = vec![1, 2])] list: Vec<u8>,
) -> String {
    record(kinds, &(zero, ratio, state, colour, level, list))
}

/// Take renamed arguments.
#[action(name = "rename-it", title = "Rename")]
pub fn renames(
    kinds: &mut ArgumentKinds,
    r#type: String,
    #[arg(rename = "from-date")] from: u8,
    #[arg(rename = "in")] within: Option<u8>,
) -> String {
    record(kinds, &(r#type, from, within))
}

/// Take numbers with a range.
#[action]
pub fn ranges(
    kinds: &mut ArgumentKinds,
    #[arg(range(1..=5))] stars: u8,
    #[arg(range(1..))] count: u32,
    #[arg(range(..10))] digit: i64,
    #[arg(range(-0.5..0.5))] offset: f64,
    #[arg(range(0..=100))] percent: Option<i32>,
    #[arg(range(10..=20), default = 15)] size: usize,
) -> String {
    record(kinds, &(stars, count, digit, offset, percent, size))
}

/// Take strings and collections with a length.
#[action]
pub fn lengths(
    kinds: &mut ArgumentKinds,
    #[arg(length(2..=4))] word: String,
    #[arg(length(1..))] note: Option<String>,
    #[arg(length(..3))] list: Vec<u8>,
    #[arg(length(1..=2))] map: BTreeMap<String, u8>,
    #[arg(length(1..=2))] set: Option<BTreeSet<u8>>,
    #[arg(length(1..=2))] queue: Option<VecDeque<bool>>,
) -> String {
    record(kinds, &(word, note, list, map, set, queue))
}

/// Take strings that match a pattern.
#[action]
pub fn patterns(
    kinds: &mut ArgumentKinds,
    #[arg(pattern("^[a-z]+$"))] word: String,
    #[arg(pattern(r"^\d{4}-\d\d$"))] month: Option<String>,
    #[arg(pattern("a|b"), length(..=3))] part: Option<String>,
) -> String {
    record(kinds, &(word, month, part))
}

/// Take arguments with examples.
#[action]
pub fn examples(
    kinds: &mut ArgumentKinds,
    #[arg(example = "Rome".to_owned(), example = "Oslo".to_owned())] city: String,
    #[arg(example = Some(Colour::Red))] colour: Option<Colour>,
) -> String {
    record(kinds, &(city, colour))
}

/// Take enums.
#[action]
pub fn enums(
    kinds: &mut ArgumentKinds,
    /// The colour of the line.
    colour: Colour,
    shape: Shape,
    payment: Payment,
    answer: Option<Answer>,
    shapes: Vec<Shape>,
) -> String {
    record(kinds, &(colour, shape, payment, answer, shapes))
}

/// Take a person.
#[action]
pub fn nested(
    kinds: &mut ArgumentKinds,
    person: Person,
    /** More people. */
    others: Vec<Person>,
) -> String {
    record(kinds, &(person, others))
}

/// Take trees.
#[action]
pub fn recursive(
    kinds: &mut ArgumentKinds,
    /// The first tree.
    tree: Tree,
    trees: Vec<Tree>,
    perhaps: Option<Tree>,
) -> String {
    record(kinds, &(tree, trees, perhaps))
}

/// Take maps.
#[action]
pub fn maps(
    kinds: &mut ArgumentKinds,
    prices: BTreeMap<String, f64>,
    by_number: BTreeMap<u32, String>,
    people: HashMap<String, Person>,
) -> String {
    record(kinds, &(prices, by_number, people))
}

/// Take tuples.
#[action]
pub fn tuples(
    kinds: &mut ArgumentKinds,
    pair: (f64, String),
    triple: [u8; 3],
    height: Metres,
    nothing: (),
) -> String {
    record(kinds, &(pair, triple, height, nothing))
}

/// Take arguments with serde attributes.
#[action]
pub fn by_serde(
    kinds: &mut ArgumentKinds,
    #[serde(skip_serializing_if = "Option::is_none")] note: Option<String>,
    /// A range checked after serde's attributes.
    #[serde(alias = "n")]
    #[arg(range(1..=5), rename = "number")]
    count: u8,
    #[arg(default = 7)] other: u8,
) -> String {
    record(kinds, &(note, count, other))
}

/// Take any JSON.
#[action]
pub fn free(
    kinds: &mut ArgumentKinds,
    /** Any value. */
    value: Value,
    values: Vec<Value>,
) -> String {
    record(kinds, &(value, values))
}

/// Take no arguments.
#[action]
pub fn no_arguments(kinds: &mut ArgumentKinds) -> String {
    record(kinds, &())
}

/// Take twenty arguments.
#[action]
#[allow(clippy::too_many_arguments)] // that is the point
#[rustfmt::skip]
pub fn twenty(
    kinds: &mut ArgumentKinds,
    a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8, j: u8,
    k: Option<u8>, l: Option<u8>, m: Option<u8>, n: Option<u8>, o: Option<u8>,
    p: String, q: String, r: String, s: String, t: String,
) -> String {
    record(kinds, &([a, b, c, d, e, f, g, h, i, j], [k, l, m, n, o], [p, q, r, s, t]))
}
