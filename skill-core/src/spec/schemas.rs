//! An action's JSON schemas, generated at first use.

use serde_json::Value;
use std::sync::OnceLock;

/// The schemas of one action's arguments and output (JSON Schema, draft 2020-12), generated at first use.
///
/// ```
/// # use skill_core::{Action, ActionSpec, NoConfig, Pure, Skill, spec::Schemas};
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Clone, Default, Serialize, Deserialize, JsonSchema)] struct Counter { count: u32 }
/// # impl Skill for Counter { type Config = NoConfig; const SPEC: skill_core::SkillSpec = skill_core::SkillSpec::new("counter"); }
/// #[derive(Serialize, Deserialize, JsonSchema)]
/// struct Reset {}
/// impl Action for Reset {
///     type Skill = Counter;
///     type Output = u32;
///     type Error = std::convert::Infallible;
///     type Kind = Pure;
///     const SPEC: ActionSpec = ActionSpec::of::<Self>("reset", "Set the counter to zero.");
///     fn schemas() -> &'static Schemas {
///         static SCHEMAS: Schemas = Schemas::of::<Reset>();
///         &SCHEMAS
///     }
/// }
/// # impl skill_core::PureAction for Reset {
/// #     fn run(self, counter: &mut Counter, _: &mut skill_core::Context<Counter>) -> Result<u32, Self::Error> { counter.count = 0; Ok(0) }
/// # }
/// assert_eq!(Reset::schemas().output()["type"], "integer");
/// ```
#[derive(Debug)]
pub struct Schemas {
    input: OnceLock<Value>,
    output: OnceLock<Value>,
    make_input: fn() -> Value,
    make_output: fn() -> Value,
}

impl Schemas {
    /// Creates an empty cell. The functions run when a schema is first needed.
    pub(crate) const fn new(make_input: fn() -> Value, make_output: fn() -> Value) -> Self {
        Self {
            input: OnceLock::new(),
            output: OnceLock::new(),
            make_input,
            make_output,
        }
    }

    /// Returns the schema of the arguments, which describes an object.
    pub fn input(&self) -> &Value {
        self.input.get_or_init(self.make_input)
    }

    /// Returns the schema of the output.
    pub fn output(&self) -> &Value {
        self.output.get_or_init(self.make_output)
    }
}
