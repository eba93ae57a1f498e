//! Types with schemas in which several parts hold for one value.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::ToolBuf;

/// A calculation.
#[derive(Serialize, Deserialize, JsonSchema)]
enum Expr {
    Num(f64),
    Neg {
        /// The operand.
        of: Box<Expr>,
    },
}

/// A folder.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Folder {
    name: String,
    /// The folder around it.
    #[serde(default)]
    within: Option<Box<Folder>>,
    /// A copy of it.
    #[serde(default)]
    copies: Vec<Folder>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Card {
    number: String,
    #[serde(default)]
    code: u16,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
enum Payment {
    Card(Card),
    Cash,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Tagged {
    Num(Number),
    Neg(Operand),
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Number {
    value: i32,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Operand {
    /// The operand.
    of: Box<Tagged>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct OnlyFlattened {
    #[serde(flatten)]
    payment: Payment,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Purchase {
    id: u32,
    #[serde(flatten)]
    payment: Payment,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Kinds {
    /// An expression.
    expr: Expr,
    tagged: Tagged,
    /// A folder.
    folder: Folder,
    payment: Payment,
    only: OnlyFlattened,
    /// It may be left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    optional: Option<Purchase>,
    #[serde(default = "cash")]
    defaulted: Purchase,
}

fn cash() -> Purchase {
    Purchase {
        id: 1,
        payment: Payment::Cash,
    }
}

/// A tool for each field of `Kinds`, with arguments that it accepts.
pub(crate) fn tools() -> Vec<(String, ToolBuf, Vec<Value>)> {
    let neutral = schemars::schema_for!(Kinds).to_value();
    let card = json!({ "by": "card", "number": "2", "code": 3 });
    let with_id = |payment: &Value| {
        let mut purchase = payment.clone();
        purchase["id"] = json!(7);
        purchase
    };
    let payments = vec![
        card.clone(),
        json!({ "by": "card", "number": "2" }),
        json!({ "by": "cash" }),
    ];
    let purchases: Vec<Value> = payments.iter().map(with_id).collect();
    let values = |name: &str| match name {
        "expr" => vec![
            json!({ "Num": 1.5 }),
            json!({ "Neg": { "of": { "Neg": { "of": { "Num": 1.5 } } } } }),
        ],
        "tagged" => vec![
            json!({ "op": "num", "value": 1 }),
            json!({ "op": "neg", "of": { "op": "neg", "of": { "op": "num", "value": 1 } } }),
        ],
        "folder" => {
            vec![json!({ "name": "a", "within": { "name": "b" }, "copies": [{ "name": "c" }] })]
        }
        "payment" | "only" => payments.clone(),
        _ => purchases.clone(),
    };
    let properties = neutral["properties"].as_object().unwrap();
    let tool = |(name, property): (&String, &Value)| {
        let required: Vec<&Value> = neutral["required"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|key| *key == name)
            .collect();
        let schema = json!({
            "type": "object",
            "properties": { name: property },
            "required": required,
            "additionalProperties": false,
            "$defs": neutral["$defs"],
        });
        let mut arguments: Vec<Value> = values(name)
            .into_iter()
            .map(|value| json!({ name: value }))
            .collect();
        if required.is_empty() {
            arguments.push(json!({}));
        }
        (
            format!("combined.{name}"),
            ToolBuf::new("act", "Take one argument.", schema),
            arguments,
        )
    };
    properties.iter().map(tool).collect()
}
