//! [`Instruction`]: a call as data.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// An action's name and its arguments.
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
    /// The action's name.
    pub action: Cow<'static, str>,
    /// The arguments, as a JSON object.
    #[serde(default = "no_params")]
    pub params: Value,
}

impl Instruction {
    /// Creates an instruction to call `action` with `params`.
    pub fn new(action: impl Into<Cow<'static, str>>, params: Value) -> Self {
        Self {
            action: action.into(),
            params,
        }
    }
}

/// A value that [`Context::run`](crate::Context::run) can queue: anything that converts into an [`Instruction`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an instruction",
    label = "not an `Instruction`",
    note = "`cx.then(...)` queues an action by its type, and `cx.run(...)` one by its name: `cx.run(Instruction::new(\"add\", json!({{ ... }})))`"
)]
pub trait IntoInstruction {
    #[doc(hidden)]
    fn into_instruction(self) -> Instruction;
}

#[diagnostic::do_not_recommend]
impl<T: Into<Instruction>> IntoInstruction for T {
    fn into_instruction(self) -> Instruction {
        self.into()
    }
}

/// Returns the arguments of a call without arguments: an empty object.
fn no_params() -> Value {
    Value::Object(serde_json::Map::new())
}
