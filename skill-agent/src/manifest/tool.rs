//! The tool that offers documents to a model: it lists their ids and descriptions, and returns the instructions of the
//! requested one. A hundred documents thus cost a hundred lines of the prompt, not a hundred files.

use super::audience;
use super::command::body_without_arguments;
use super::{Catalog, CatalogEntry, DocumentReadError, SkillDoc, escape};
use serde_json::{Value, json};
use skill_core::__private::read_document;
use skill_core::{MAX_ARGUMENT_BYTES, Problem, Tool, ToolBuf};
use std::error::Error;

/// The name of the tool. No action of an agent that offers documents may have it.
const SKILL_TOOL: &str = "skill";

const KEY: &str = "skill_name";

impl Catalog {
    /// Returns the tool `skill`, with which a model loads the instructions of a document: its description and the schema of its
    /// argument list the ids. Returns `None` if there is nothing to offer, or
    /// [`allow_skills`](super::CatalogBuilder::allow_skills) is false.
    ///
    /// Documents of mode `tool_dispatch` are left out, since that mode bypasses the model, and so are those with
    /// `disable-model-invocation: true`. The tool is created once per load; a
    /// [`reload`](Self::reload) creates another.
    ///
    /// ```
    /// use skill_agent::manifest::{Catalog, Dialect, Source};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path();
    /// # std::fs::create_dir_all(path.join("review"))?;
    /// # std::fs::write(
    /// #     path.join("review/SKILL.md"),
    /// #     "---\nname: review\ndescription: Review a change.\n---\nRead it twice.\n",
    /// # )?;
    /// let catalog = Catalog::builder(Dialect::AGENT_SKILLS)
    ///     .source(Source::project(path)) // path/review/SKILL.md
    ///     .load();
    /// let tool = catalog.skill_tool().ok_or("there is one")?;
    /// assert_eq!(
    ///     tool.description,
    ///     "Load and invoke a specialized skill. <skills>\n  <skill name=\"review\">Review a change.</skill>\n</skills>",
    /// );
    /// assert_eq!(catalog.call_skill_tool(r#"{"skill_name":"review"}"#), "Read it twice.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn skill_tool(&self) -> Option<Tool<'_>> {
        let tool = self.snapshot.tool.get_or_init(|| {
            let skills = self.for_models();
            tool(skills.map(|entry| (&*entry.id, entry.doc())))
        });
        tool.as_ref().map(ToolBuf::as_tool)
    }

    /// Answers a call of the tool `skill` with the body of the document, as written in its file, or with an error message for
    /// the model. `arguments` is the JSON that the model wrote. If the dialect has placeholders for the words of a command,
    /// `$ARGUMENTS` is empty.
    #[must_use]
    pub fn call_skill_tool(&self, arguments: &str) -> String {
        let id = match requested(arguments) {
            Ok(id) => id,
            Err(error) => return wrong_arguments(&error),
        };
        let offered = self.settings.offers_skills() && self.get(&id).is_some_and(is_for_models);
        if !offered {
            return not_found(&id);
        }
        match self.read(&id) {
            Ok(doc) => body_without_arguments(doc),
            Err(DocumentReadError::Unknown { .. }) => not_found(&id),
            Err(error) => not_loaded(&id, &error),
        }
    }

    /// Returns the documents that a model may choose from, sorted by id.
    pub(crate) fn for_models(&self) -> impl Iterator<Item = &CatalogEntry> {
        let allowed = self.settings.offers_skills();
        self.skills()
            .filter(move |entry| allowed && is_for_models(entry))
    }
}

fn is_for_models(entry: &CatalogEntry) -> bool {
    audience::is_for_models(entry.doc())
}

/// Returns the description that a model sees, or the summary if there is no description.
pub(crate) fn description(doc: &SkillDoc) -> String {
    let text = match doc.description.trim() {
        "" => &doc.summary,
        _ => &doc.description,
    };
    escape::description(text)
}

/// Returns the tool for the given documents; `None` if there are none.
fn tool<'a>(skills: impl IntoIterator<Item = (&'a str, &'a SkillDoc)>) -> Option<ToolBuf> {
    let mut list = String::new();
    let mut ids = Vec::new();
    for (id, doc) in skills {
        let name = escape::attribute(id);
        let description = description(doc);
        list.push_str(&format!("  <skill name=\"{name}\">{description}</skill>\n"));
        ids.push(id);
    }
    if ids.is_empty() {
        return None;
    }
    let description = format!("Load and invoke a specialized skill. <skills>\n{list}</skills>");
    let schema = json!({
        "type": "object",
        "properties": {
            (KEY): {
                "type": "string",
                "enum": ids,
                "description": "The name of the skill to load",
            },
        },
        "required": [KEY],
        "additionalProperties": false,
    });
    let mut tool = ToolBuf::new(SKILL_TOOL, description, schema);
    tool.hints.read_only = true;
    Some(tool)
}

/// Parses the id from the arguments of a call.
///
/// # Errors
/// Fails if the arguments are too large, not JSON or not an object, or if a key is repeated, unknown, missing or not a string.
fn requested(arguments: &str) -> Result<String, skill_core::ReadError> {
    let wrong =
        |path: &str, message: String| Err(skill_core::ReadError::Data(Problem::new(path, message)));
    let mut object = match read_document(arguments, MAX_ARGUMENT_BYTES)? {
        Value::Object(object) => object,
        other => {
            let message = format!("invalid type: {}, expected an object", kind(&other));
            return wrong("", message);
        }
    };
    if let Some(unknown) = object.keys().find(|key| *key != KEY) {
        return Err(skill_core::ReadError::Data(Problem::unknown_field(
            "",
            unknown,
            [KEY],
        )));
    }
    match object.remove(KEY) {
        Some(Value::String(id)) => Ok(id),
        Some(other) => {
            let message = format!("invalid type: {}, expected a string", kind(&other));
            wrong(KEY, message)
        }
        None => wrong("", format!("missing field `{KEY}`")),
    }
}

/// The answer to invalid arguments.
fn wrong_arguments(error: &skill_core::ReadError) -> String {
    format!("Error: the arguments of `{SKILL_TOOL}` are wrong: {error}")
}

/// The answer for an id that is not offered.
fn not_found(skill_name: &str) -> String {
    let skill_name = escape::name(skill_name);
    format!("Error: Skill '{skill_name}' not found. It may have been removed or is unavailable.")
}

/// The answer if the document cannot be read.
fn not_loaded(skill_name: &str, error: &dyn Error) -> String {
    let skill_name = escape::name(skill_name);
    let e = escape::error(error);
    format!("Error loading skill '{skill_name}': {e}")
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{Dialect, check};

    fn doc(text: &str) -> SkillDoc {
        check(text, &Dialect::AGENT_SKILLS_LENIENT)
            .doc()
            .unwrap()
            .clone()
    }

    #[test]
    fn the_description_lists_ids_in_the_specified_format() {
        let review =
            doc("---\nname: code-review\ndescription: Review a <b>change</b> & more.\n---\n");
        let plan = doc("---\nname: x\nsummary: Plans.\ndescription: d\n---\n");
        let made = tool([("code-review", &review), ("pl&n", &plan)]).unwrap();
        assert_eq!(
            made.description,
            "Load and invoke a specialized skill. <skills>\n  \
             <skill name=\"code-review\">Review a &lt;b&gt;change&lt;/b&gt; &amp; more.</skill>\n  \
             <skill name=\"pl&amp;n\">d</skill>\n</skills>"
        );
        assert_eq!(
            made.input_schema,
            json!({
                "type": "object",
                "properties": { "skill_name": {
                    "type": "string",
                    "enum": ["code-review", "pl&n"],
                    "description": "The name of the skill to load",
                } },
                "required": ["skill_name"],
                "additionalProperties": false,
            })
        );
        assert!(tool([]).is_none());
    }

    #[test]
    fn wrong_arguments_are_reported_with_their_path() {
        let long = format!("\"{}\"", "x".repeat(MAX_ARGUMENT_BYTES));
        let deep = "[".repeat(100_000);
        let cases = [
            (r#"{"skill_name":"a"}"#, Ok("a")),
            ("", Err("not JSON: ")),
            ("{", Err("not JSON: ")),
            (
                "[\"a\"]",
                Err("at the top level: invalid type: array, expected an object"),
            ),
            (
                "null",
                Err("at the top level: invalid type: null, expected an object"),
            ),
            ("{}", Err("at the top level: missing field `skill_name`")),
            (
                r#"{"skill_name":3}"#,
                Err("`skill_name`: invalid type: number, expected a string"),
            ),
            (
                r#"{"skil_name":"a"}"#,
                Err(
                    "at the top level: unknown field `skil_name`, expected `skill_name`; did you mean `skill_name`?",
                ),
            ),
            (
                r#"{"skill_name":"a","skill_name":"b"}"#,
                Err("`skill_name`: "),
            ),
            (&long, Err("the JSON has 1048578 bytes")),
            (&deep, Err("the JSON is nested")),
        ];
        for (arguments, expected) in cases {
            match (requested(arguments), expected) {
                (Ok(id), Ok(expected)) => assert_eq!(id, expected),
                (Err(error), Err(expected)) => {
                    assert!(error.to_string().starts_with(expected), "{error}");
                }
                (got, expected) => panic!("{got:?}, {expected:?}"),
            }
        }
    }

    #[test]
    fn a_name_in_an_error_is_one_line_and_short() {
        assert_eq!(
            not_found("a\n\u{202E}b"),
            "Error: Skill 'a b' not found. It may have been removed or is unavailable."
        );
        assert!(not_found(&"x".repeat(100_000)).len() < 200);
        let error = std::io::Error::other("gone\nfor good");
        assert_eq!(
            not_loaded("a", &error),
            "Error loading skill 'a': gone for good"
        );
    }
}
