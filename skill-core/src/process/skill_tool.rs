//! The tool `skill`, with which a model loads instructions on demand.

use crate::ToolBuf;
use serde_json::{Value, json};

/// The name of the tool.
pub const SKILL_TOOL: &str = "skill";

/// The name of its argument.
pub const SKILL_NAME: &str = "skill_name";

/// Returns the tool for a list of lines. `ids` are the ids that a model may choose, or `None` if they are too many.
pub fn skill_tool(lines: &str, notice: &str, ids: Option<&[String]>) -> ToolBuf {
    let description =
        format!("Load and invoke a specialized skill. <skills>\n{lines}</skills>{notice}");
    let mut name = json!({ "type": "string" });
    if let Some(ids) = ids {
        name["enum"] = ids.into();
    }
    name["description"] = "The name of the skill to load".into();
    let schema = json!({
        "type": "object",
        "properties": { (SKILL_NAME): name },
        "required": [SKILL_NAME],
        "additionalProperties": false,
    });
    let mut tool = ToolBuf::new(SKILL_TOOL, description, schema);
    tool.hints.read_only = true;
    tool
}

/// Returns the beginning of a skill's line in a list.
fn line_start(name: &str) -> String {
    format!("  <skill name=\"{name}\"")
}

/// Returns a skill's line, for an escaped name and description.
pub fn skill_line(name: &str, description: &str) -> String {
    format!("{}>{description}</skill>\n", line_start(name))
}

/// Returns a skill's line without a description.
pub fn skill_name_line(name: &str) -> String {
    format!("{}/>\n", line_start(name))
}

/// Adds lines to the end of the tool's list, for skills that it does not list yet.
pub fn add_skills<'a>(tool: &mut ToolBuf, skills: impl Iterator<Item = (&'a str, String)>) {
    for (name, line) in skills {
        if tool.description.contains(&line_start(name)) {
            continue;
        }
        if let Some(end) = tool.description.rfind("</skills>") {
            tool.description.insert_str(end, &line);
        }
        let properties = tool.input_schema.get_mut("properties");
        let ids = properties.and_then(|properties| properties.get_mut(SKILL_NAME)?.get_mut("enum"));
        if let Some(ids) = ids.and_then(Value::as_array_mut) {
            ids.push(name.into());
        }
    }
}
