//! [`Instruction`]: a call as data.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// The name of an action and its arguments.
///
/// ```
/// use serde_json::json;
/// use skill_core::Instruction;
/// let instruction = Instruction::new("add", json!({ "a": 1, "b": 2 }));
/// assert_eq!((&*instruction.action, &instruction.params["b"]), ("add", &json!(2)));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Instruction {
    /// The name of the action.
    pub action: Cow<'static, str>,
    /// Its arguments, an object.
    #[serde(default = "no_params")]
    pub params: Value,
}

impl Instruction {
    /// An instruction to call `action` with `params`.
    pub fn new(action: impl Into<Cow<'static, str>>, params: Value) -> Self {
        Self {
            action: action.into(),
            params,
        }
    }
}

/// The arguments of an action without any: an empty object.
fn no_params() -> Value {
    Value::Object(serde_json::Map::new())
}
