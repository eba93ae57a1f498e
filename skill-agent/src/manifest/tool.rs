//! The tool that offers documents to a model: it lists their ids and descriptions, and returns the instructions of the
//! requested one. A hundred documents thus cost a hundred lines of the prompt, not a hundred files.

use super::composition::dispatches;
use super::selection::Detail;
use super::skill_list::{ListEntry, QUERY, SEARCH_TOOL, SKILL_NAME, SKILL_TOOL, SkillTools, line};
use super::{Catalog, CatalogEntry, DocumentReadError, SkillDoc, escape};
use serde_json::Value;
use skill_core::__private::read_document;
use skill_core::{MAX_ARGUMENT_BYTES, Problem, Tool};
use std::error::Error;

/// The most documents that a search returns.
const MAX_FOUND: usize = 10;

impl Catalog {
    /// Returns the tool `skill`, with which a model loads the instructions of a document: its description and the schema of its
    /// argument list the ids. If that takes more tokens than [the builder allows](super::CatalogBuilder::skill_budget), it lists
    /// brief descriptions or ids alone, and [`search_tool`](Self::search_tool) finds the others. Returns `None` if there is nothing to offer, or
    /// [`allow_skills`](super::CatalogBuilder::allow_skills) is false.
    ///
    /// Documents of mode `tool_dispatch` are left out, since that mode bypasses the model. The tool is created once per load; a
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
        self.skill_tools().map(|tools| tools.skill.as_tool())
    }

    /// Returns the tool `search_skills`, with which a model searches the documents, if the description of the tool `skill` does
    /// not have all of them in full. Answer its calls with [`call_search_tool`](Self::call_search_tool).
    #[must_use]
    pub fn search_tool(&self) -> Option<Tool<'_>> {
        Some(self.skill_tools()?.search.as_ref()?.as_tool())
    }

    fn skill_tools(&self) -> Option<&SkillTools> {
        let tools = self.snapshot.tools.get_or_init(|| {
            let roots = self.settings.roots.len();
            let entries = self.for_models().map(|entry| ListEntry {
                id: &entry.id,
                doc: entry.doc(),
                rank: roots - entry.root(),
            });
            SkillTools::new(entries.collect(), self.settings.skill_budget)
        });
        tools.as_ref()
    }

    /// Answers a call of the tool `search_skills` with a list of the best matches, or with an error message for the model.
    /// `arguments` is the JSON that the model wrote.
    #[must_use]
    pub fn call_search_tool(&self, arguments: &str) -> String {
        let query = match requested(arguments, QUERY) {
            Ok(query) => query,
            Err(error) => return wrong_arguments(SEARCH_TOOL, &error),
        };
        let selector = self.selector();
        let found = selector.search(&query, MAX_FOUND).into_iter();
        let found = found.filter_map(|candidate| {
            self.get(&candidate.id)
                .filter(|entry| self.is_for_models(entry))
        });
        let entries = found.map(|entry| ListEntry {
            id: &entry.id,
            doc: entry.doc(),
            rank: 0,
        });
        let list: String = entries.map(|entry| line(&entry, Detail::Full)).collect();
        if list.is_empty() {
            let query = escape::name(&query);
            return format!("No skill matches '{query}'. Search with other words.");
        }
        format!("<skills>\n{list}</skills>")
    }

    /// Answers a call of the tool `skill` with the body of the document, as written in its file, or with an error message for
    /// the model. `arguments` is the JSON that the model wrote.
    #[must_use]
    pub fn call_skill_tool(&self, arguments: &str) -> String {
        let id = match requested(arguments, SKILL_NAME) {
            Ok(id) => id,
            Err(error) => return wrong_arguments(SKILL_TOOL, &error),
        };
        let offered = self.get(&id).is_some_and(|entry| self.is_for_models(entry));
        if !offered {
            return not_found(&id);
        }
        match self.read(&id) {
            Ok(doc) => doc.body.into_owned(),
            Err(DocumentReadError::Unknown { .. }) => not_found(&id),
            Err(error) => not_loaded(&id, &error),
        }
    }

    /// Returns the documents that a model may choose from, sorted by id.
    pub(crate) fn for_models(&self) -> impl Iterator<Item = &CatalogEntry> {
        self.skills().filter(|entry| self.is_for_models(entry))
    }

    /// Whether a model may choose a document. The mode `tool_dispatch` bypasses the model.
    fn is_for_models(&self, entry: &CatalogEntry) -> bool {
        self.settings.offers_skills() && !dispatches(entry.doc())
    }
}

/// Parses the only argument of a call.
///
/// # Errors
/// Fails if the arguments are too large, not JSON or not an object, or if a key is repeated, unknown, missing or not a string.
fn requested(arguments: &str, name: &'static str) -> Result<String, skill_core::ReadError> {
    let wrong =
        |path: &str, message: String| Err(skill_core::ReadError::Data(Problem::new(path, message)));
    let mut object = match read_document(arguments, MAX_ARGUMENT_BYTES)? {
        Value::Object(object) => object,
        other => {
            let message = format!("invalid type: {}, expected an object", kind(&other));
            return wrong("", message);
        }
    };
    if let Some(unknown) = object.keys().find(|key| *key != name) {
        return Err(skill_core::ReadError::Data(Problem::unknown_field(
            "",
            unknown,
            [name],
        )));
    }
    match object.remove(name) {
        Some(Value::String(value)) => Ok(value),
        Some(other) => {
            let message = format!("invalid type: {}, expected a string", kind(&other));
            wrong(name, message)
        }
        None => wrong("", format!("missing field `{name}`")),
    }
}

/// The answer to invalid arguments.
fn wrong_arguments(tool: &str, error: &skill_core::ReadError) -> String {
    format!("Error: the arguments of `{tool}` are wrong: {error}")
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
            match (requested(arguments, SKILL_NAME), expected) {
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
