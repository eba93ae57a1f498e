//! One tool for each argument of the actions in `argument_kinds`.

use crate::combined_kinds;
use crate::common::argument_cases;
use crate::common::argument_kinds::ArgumentAgent;
use serde_json::{Value, json};
use skill_agent::{Agent, ToolBuf};

/// An argument by itself.
pub(crate) struct SingleArgument {
    /// The action and the argument, as in `maps.prices`.
    pub(crate) name: String,
    pub(crate) tool: ToolBuf,
    /// Arguments that the action accepts, as far as this one is concerned.
    pub(crate) values: Vec<Value>,
}

impl SingleArgument {
    /// The schema of the argument.
    pub(crate) fn schema(&self) -> &Value {
        let properties = self.tool.input_schema["properties"].as_object().unwrap();
        properties.values().next().unwrap()
    }
}

/// The arguments of all actions, and those with schemas that are combined of others.
pub(crate) fn all() -> Vec<SingleArgument> {
    let mut all = Vec::new();
    for case in argument_cases::all() {
        let tool = ArgumentAgent::tools()
            .iter()
            .find(|tool| tool.name == case.action);
        let schema = tool.unwrap().input_schema();
        for (name, property) in schema["properties"].as_object().unwrap() {
            let required = schema["required"].as_array().into_iter().flatten();
            let required: Vec<&Value> = required.filter(|key| *key == name).collect();
            let mut single = json!({
                "type": "object",
                "properties": { name: property },
                "required": required,
                "additionalProperties": false,
            });
            if let Some(definitions) = schema.get("$defs") {
                single["$defs"] = definitions.clone();
            }
            let values = case.valid.iter().filter_map(|valid| valid.get(name));
            all.push(SingleArgument {
                name: format!("{}.{name}", case.action),
                tool: ToolBuf::new(case.action, "Take one argument.", single),
                values: values.map(|value| json!({ name: value })).collect(),
            });
        }
    }
    let combined = combined_kinds::tools().into_iter();
    all.extend(combined.map(|(name, tool, values)| SingleArgument { name, tool, values }));
    all
}
