//! Types of answers. Their texts and lists are short, so that a model which does not end by itself reaches an end.

use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Declares types of answers.
macro_rules! types {
    ($($item:item)*) => {
        $(
            #[derive(Debug, Deserialize, JsonSchema)]
            #[allow(dead_code)] // only printed
            $item
        )*
    };
}

types! {
    /// A person.
    pub struct Person {
        #[schemars(length(max = 20))]
        name: String,
        age: u8,
    }
    /// An order.
    pub struct Order {
        id: u32,
        customer: Person,
        #[schemars(length(min = 1, max = 2))]
        items: Vec<Item>,
    }
    /// An item of an order.
    pub struct Item {
        #[schemars(length(max = 20))]
        name: String,
        price: f64,
    }
    #[serde(rename_all = "snake_case")]
    pub enum Colour { Red, DarkGreen, Blue }
    /// A shape in the plane.
    pub enum Shape { Point, Circle { radius: f64 }, Square(f64), Text(u8, Title) }
    #[serde(tag = "by", rename_all = "snake_case")]
    pub enum Payment { Card { number: Title, code: u16 }, Cash }
    #[serde(tag = "kind", content = "value")]
    pub enum Reply { Yes, Count(u32), Both(bool, i8) }
    #[serde(untagged)]
    pub enum Untagged { Number(i32), Text(Title), Fields { level: i64 } }
    pub struct Filter { query: Option<Title>, most: Option<u8>, exact: Option<bool>, colour: Option<Colour> }
    pub struct Tags {
        #[schemars(length(min = 1, max = 3), inner(length(max = 12)))]
        tags: Vec<String>,
    }
    pub struct Ranges {
        #[schemars(range(min = 1, max = 5))]
        stars: u8,
        #[schemars(range(min = -100, max = 100))]
        percent: i32,
        #[schemars(range(min = 1900, max = 2100))]
        year: u32,
    }
    pub struct Widths { a: i8, b: i16, c: i32, d: i64, e: u8, f: u16, g: u32, h: u64, i: usize, j: i128 }
    pub struct Title(#[schemars(length(max = 30))] String);
    pub struct Patterns {
        #[schemars(regex(pattern = "^[a-z]{1,8}$"))]
        word: String,
        #[schemars(regex(pattern = r"^[0-9]{4}-[0-9]{2}$"))]
        month: String,
    }
    pub struct Tree {
        #[schemars(length(max = 8))]
        name: String,
        #[schemars(length(max = 2))]
        #[serde(default)]
        children: Vec<Tree>,
    }
    pub struct Purchase { id: u32, #[serde(flatten)] payment: Payment }
    #[serde(default, deny_unknown_fields, rename_all = "camelCase")]
    pub struct Settings { text_size: u8, dark_mode: bool }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            text_size: 12,
            dark_mode: false,
        }
    }
}

pub type Prices = BTreeMap<String, u16>;
pub type Triple = (u8, bool, Title);
pub type Array = [u8; 3];
