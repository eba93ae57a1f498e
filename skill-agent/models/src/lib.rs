//! Converts between agents and the JSON of model providers and protocols.
//!
//! An agent has one list of [tools](skill_core::Agent::tools) with neutral schemas. A [`Provider`] describes how its models
//! expect tools. [`ToolsJson::tools_json`] returns an agent's list as text. Anything that the provider's dialect of JSON Schema
//! cannot express is moved into the descriptions, and is still checked when the action is called.
//!
//! [`openai`], [`anthropic`] and [`gemini`] parse completions and format the results of their calls. [`mcp`] formats a call's
//! result for an MCP client.

pub mod anthropic;
mod completion;
pub mod dialects;
mod error;
pub mod gemini;
mod lenient;
pub mod mcp;
pub mod openai;
mod patterns;
mod projection;
mod provider;
pub mod shapes;

pub use completion::{Completion, CompletionError, Content, Finish, Part, ToolCall, ToolResult};
pub use error::{Inexpressible, SchemaError, SchemaProblem, ToolsError, ToolsProblem};
pub use lenient::{Change, MOST_REPAIRS, Repair, Repaired, repair_arguments};
pub use provider::Provider;
pub use provider::dialect::{
    EnumValues, Limit, MAX_SCHEMA_NODES, Measure, Patterns, PropertyNames, References,
    SchemaDialect, Supported, ToolNames,
};
pub use provider::shape::Shape;
pub use provider::tools_json::ToolsJson;

/// For the other crates of `skill-agent`. Not part of the public API; may change without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::completion::place::{Place, are_whole};
    pub use crate::completion::raw::{Kind, Raw};
    pub use crate::lenient::{repair, without_nulls};
    pub use crate::projection::keywords::bounds;
    pub use crate::projection::{argument_at_root, impossible_argument, is_object};
}

/// Generates a setter for each field of a table, so that new tables can be derived from a preset.
macro_rules! builders {
    ($table:ident: $($with:ident $field:ident: $type:ty;)*) => {
        impl $table {
            $(
                #[doc = concat!("The table with another [`", stringify!($field), "`](Self::", stringify!($field), ").")]
                #[must_use]
                pub const fn $with(mut self, $field: $type) -> Self {
                    self.$field = $field;
                    self
                }
            )*
        }
    };
}

use builders;
