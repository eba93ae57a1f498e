//! Generates the source of the same tools in four variants. The sources that `calls` measures are checked in;
//! `compile` writes its sources into the target folder.

use std::fmt::Write;

/// A way to write tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// `#[derive(Skill)]`, `#[action]` and `agent!`.
    Ours,
    /// A struct with the derives of serde and schemars for each tool, and a `match` on the name.
    Hand,
    /// `#[tool]` and `#[tool_router]`.
    Rmcp,
    /// `#[rig_tool]`.
    Rig,
}

impl Variant {
    pub const ALL: [Self; 4] = [Self::Ours, Self::Hand, Self::Rmcp, Self::Rig];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ours => "skill-agent",
            Self::Hand => "by hand",
            Self::Rmcp => "rmcp",
            Self::Rig => "rig",
        }
    }

    /// The name of files and crates.
    pub fn file(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Hand => "hand",
            Self::Rmcp => "rmcp",
            Self::Rig => "rig",
        }
    }

    /// Returns the source of `count` tools.
    pub fn source(self, count: usize) -> String {
        let tools: Vec<_> = (0..count).map(Tool::new).collect();
        match self {
            Self::Ours => ours(&tools),
            Self::Hand => hand(&tools),
            Self::Rmcp => rmcp(&tools),
            Self::Rig => rig(&tools),
        }
    }
}

/// The number of actions of each skill.
pub const PER_SKILL: usize = 16;

/// A tool with two arguments, an output, and a body that contains the number of the tool.
struct Tool {
    number: usize,
    verb: &'static str,
    summary: &'static str,
    arguments: [Argument; 2],
    output: &'static str,
    body: &'static str,
}

/// Name, type and description.
type Argument = (&'static str, &'static str, &'static str);

impl Tool {
    /// Creates a tool; the kind depends on the number.
    fn new(number: usize) -> Self {
        let (verb, summary, arguments, output, body) = match number % 4 {
            0 => (
                "add",
                "Add two numbers and a constant",
                [
                    ("a", "i64", "The first number."),
                    ("b", "i64", "The second number."),
                ],
                "i64",
                "a.wrapping_add(b).wrapping_add(K)",
            ),
            1 => (
                "scale",
                "Scale and shift a value",
                [
                    ("value", "f64", "The value."),
                    ("factor", "f64", "The factor."),
                ],
                "f64",
                "value * factor + K.0",
            ),
            2 => (
                "label",
                "Write a label for a text",
                [
                    ("text", "String", "The text."),
                    ("width", "u32", "The width."),
                ],
                "String",
                "format!(\"{text}-{}\", width as usize + K)",
            ),
            _ => (
                "count",
                "Count the numbers that are not below a bound, and add a constant",
                [
                    ("numbers", "Vec<i64>", "The numbers."),
                    ("least", "i64", "The bound."),
                ],
                "usize",
                "numbers.iter().filter(|number| **number >= least).count() + K",
            ),
        };
        Self {
            number,
            verb,
            summary,
            arguments,
            output,
            body,
        }
    }

    fn name(&self) -> String {
        format!("{}_{}", self.verb, self.number)
    }

    fn type_name(&self) -> String {
        let (first, rest) = self.verb.split_at(1);
        format!("{}{rest}{}", first.to_uppercase(), self.number)
    }

    fn description(&self) -> String {
        format!("{} ({}).", self.summary, self.number)
    }

    fn body(&self) -> String {
        self.body.replace('K', &self.number.to_string())
    }

    /// Returns the names of the arguments: `a, b`.
    fn bindings(&self) -> String {
        self.arguments.map(|(name, ..)| name).join(", ")
    }

    /// Returns the struct of the arguments.
    fn structure(&self, derives: &str) -> String {
        let mut text = format!(
            "/// {}\n#[derive({derives})]\n#[serde(deny_unknown_fields)]\npub struct {} {{\n",
            self.description(),
            self.type_name()
        );
        for (name, ty, summary) in self.arguments {
            let _ = writeln!(text, "    /// {summary}\n    pub {name}: {ty},");
        }
        text + "}\n"
    }
}

const NOTE: &str = "// Written by `skill-benches write`; change src/source.rs instead.\n\n";

fn ours(tools: &[Tool]) -> String {
    let mut text = format!(
        "{NOTE}use schemars::JsonSchema;\nuse serde::{{Deserialize, Serialize}};\nuse skill_agent::prelude::*;\n"
    );
    let mut skills = Vec::new();
    for (at, tools) in tools.chunks(PER_SKILL).enumerate() {
        let actions: Vec<_> = tools.iter().map(Tool::type_name).collect();
        let _ = writeln!(
            text,
            "\n/// A skill with up to 16 tools.\n#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]\n#[serde(default)]\n#[skill(name = \"kit_{at}\", actions({}))]\npub struct Kit{at} {{\n    /// The number of calls.\n    pub used: u64,\n}}",
            actions.join(", ")
        );
        for tool in tools {
            let _ = writeln!(
                text,
                "\n/// {}\n#[action]\npub fn {}(\n    kit: &mut Kit{at},",
                tool.description(),
                tool.name()
            );
            for (name, ty, summary) in tool.arguments {
                let _ = writeln!(text, "    /// {summary}\n    {name}: {ty},");
            }
            let _ = writeln!(
                text,
                ") -> {} {{\n    kit.used += 1;\n    {}\n}}",
                tool.output,
                tool.body()
            );
        }
        skills.push(format!("Kit{at}"));
    }
    let _ = writeln!(
        text,
        "\nagent! {{\n    /// Lists all skills.\n    pub struct Worker {{\n        name: \"worker\",\n        skills: [{}],\n    }}\n}}",
        skills.join(", ")
    );
    text
}

fn hand(tools: &[Tool]) -> String {
    let mut text = format!(
        "{NOTE}use schemars::{{JsonSchema, schema_for}};\nuse serde::{{Deserialize, Serialize}};\nuse serde_json::Value;\n\n/// The state.\n#[derive(Clone, Default)]\npub struct Worker {{\n    /// The number of calls.\n    pub used: u64,\n}}\n"
    );
    for tool in tools {
        let _ = writeln!(
            text,
            "\n{}",
            tool.structure("Serialize, Deserialize, JsonSchema").trim()
        );
        let _ = writeln!(
            text,
            "\nimpl {ty} {{\n    pub fn run(self, worker: &mut Worker) -> {} {{\n        let Self {{ {} }} = self;\n        worker.used += 1;\n        {}\n    }}\n}}",
            tool.output,
            tool.bindings(),
            tool.body(),
            ty = tool.type_name(),
        );
    }
    text += "\nimpl Worker {\n    /// Takes the arguments as JSON text and returns the output as JSON text.\n    pub fn call(&mut self, name: &str, arguments: &str) -> Result<String, String> {\n        match name {\n";
    for tool in tools {
        let _ = writeln!(
            text,
            "            \"{}\" => {{\n                let arguments: {} = serde_json::from_str(arguments).map_err(|e| e.to_string())?;\n                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())\n            }}",
            tool.name(),
            tool.type_name()
        );
    }
    text += "            other => Err(format!(\"there is no tool `{other}`\")),\n        }\n    }\n}\n\n/// The name, description and schema of each tool.\npub fn tools() -> Vec<(&'static str, &'static str, Value)> {\n    vec![\n";
    for tool in tools {
        let _ = writeln!(
            text,
            "        (\"{}\", \"{}\", schema_for!({}).to_value()),",
            tool.name(),
            tool.description(),
            tool.type_name()
        );
    }
    text + "    ]\n}\n"
}

fn rmcp(tools: &[Tool]) -> String {
    let mut text = format!(
        "{NOTE}use rmcp::handler::server::wrapper::Parameters;\nuse rmcp::{{ErrorData, tool, tool_router}};\nuse schemars::JsonSchema;\nuse serde::Deserialize;\nuse std::sync::atomic::{{AtomicU64, Ordering}};\n\n/// The state. A tool of rmcp can only access it through `&self`.\n#[derive(Default)]\npub struct Worker {{\n    /// The number of calls.\n    pub used: AtomicU64,\n}}\n"
    );
    for tool in tools {
        let _ = writeln!(
            text,
            "\n{}",
            tool.structure("Deserialize, JsonSchema").trim()
        );
    }
    text += "\n#[tool_router(server_handler, vis = \"pub\")]\nimpl Worker {\n";
    for tool in tools {
        let _ = writeln!(
            text,
            "    /// {}\n    #[tool]\n    fn {}(&self, Parameters({} {{ {} }}): Parameters<{}>) -> Result<String, ErrorData> {{\n        self.used.fetch_add(1, Ordering::Relaxed);\n        let answer: {} = {};\n        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))\n    }}\n",
            tool.description(),
            tool.name(),
            tool.type_name(),
            tool.bindings(),
            tool.type_name(),
            tool.output,
            tool.body(),
        );
    }
    text.truncate(text.trim_end().len());
    text + "\n}\n"
}

fn rig(tools: &[Tool]) -> String {
    let mut text = format!(
        "{NOTE}use rig::rig_tool;\nuse rig::tool::{{ToolExecutionError, ToolSet}};\nuse std::sync::atomic::{{AtomicU64, Ordering}};\n\n/// The number of calls. A tool of rig is a function without state.\npub static USED: AtomicU64 = AtomicU64::new(0);\n"
    );
    for tool in tools {
        let [(a, at, a_text), (b, bt, b_text)] = tool.arguments;
        let _ = writeln!(
            text,
            "\n#[rig_tool(\n    description = \"{}\",\n    params({a} = \"{a_text}\", {b} = \"{b_text}\")\n)]\npub fn {}({a}: {at}, {b}: {bt}) -> Result<{}, ToolExecutionError> {{\n    USED.fetch_add(1, Ordering::Relaxed);\n    Ok({})\n}}",
            tool.description(),
            tool.name(),
            tool.output,
            tool.body(),
        );
    }
    text += "\n/// Returns all tools.\npub fn tools() -> ToolSet {\n    let mut set = ToolSet::default();\n";
    for tool in tools {
        let _ = writeln!(text, "    set.add_tool({});", tool.type_name());
    }
    text + "    set\n}\n"
}

/// Returns the name of a tool and arguments for it.
pub fn example(number: usize) -> (String, &'static str) {
    let arguments = match number % 4 {
        0 => r#"{"a":40,"b":2}"#,
        1 => r#"{"value":1.5,"factor":2.5}"#,
        2 => r#"{"text":"shelf","width":12}"#,
        _ => r#"{"numbers":[1,5,9,13],"least":5}"#,
    };
    (Tool::new(number).name(), arguments)
}
