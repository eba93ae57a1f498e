//! The tool that offers documents to a model. It lists ids and descriptions, and returns the instructions of a requested
//! document, so a hundred documents take up a hundred lines of the prompt instead of a hundred files.

pub(crate) mod access;
pub(crate) mod arguments;
pub(crate) mod model_text;
pub(crate) mod names;
pub(crate) mod skill_list;

use super::audience::is_for_models;
use super::catalog::document_and_file;
use super::command::body_without_arguments;
use super::selection::{CandidateKind, Detail, Exposure};
use super::{Catalog, CatalogEntry, DocumentReadError, SkillDoc, escape};
use crate::tool::arguments::ToolArguments;
use crate::tool::model_text::{ToolProblem, not_found, not_loaded};
use crate::tool::names::{SEARCH_TOOL, SKILL_TOOL};
use crate::tool::skill_list::{ListEntry, QUERY, SkillTools, line};
use serde_json::json;
use skill_core::Tool;
use skill_core::process::SKILL_NAME;

/// The maximum number of documents that a search returns.
const MAX_FOUND: usize = 10;

impl Catalog {
    /// Returns the tool `skill`, which loads a document's instructions. Its description and the schema of its argument list the
    /// ids. If the list exceeds the [budget](super::CatalogBuilder::skill_budget), it contains shortened descriptions, brief
    /// descriptions or only ids, and [`search_tool`](Self::search_tool) finds the other documents. Returns `None` if there are no
    /// documents to offer, or if [`allow_skills`](super::CatalogBuilder::allow_skills) is false.
    ///
    /// The tool leaves out documents in `tool_dispatch` mode, because that mode bypasses the model, and documents with
    /// `disable-model-invocation: true`. The tool is created once per load; [`reload`](Self::reload) creates a new one.
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

    /// Returns the tool `search_skills`, which searches the documents. Returns `None` if the tool `skill` already describes all
    /// documents in full. Answer calls to `search_skills` with [`call_search_tool`](Self::call_search_tool).
    #[must_use]
    pub fn search_tool(&self) -> Option<Tool<'_>> {
        Some(self.skill_tools()?.search.as_ref()?.as_tool())
    }

    fn skill_tools(&self) -> Option<&SkillTools> {
        let tools = self.snapshot.tools.get_or_init(|| {
            let roots = self.settings.roots.len();
            let entries = self.listed_for_models().map(|entry| ListEntry {
                id: &entry.id,
                doc: entry.doc(),
                exposure: self.exposure_of(&entry.id),
                rank: roots - entry.root(),
            });
            SkillTools::new(entries.collect(), self.settings.skill_budget)
        });
        tools.as_ref()
    }

    /// Answers a call to the tool `search_skills` with a list of the best matches, or with an error message for the model.
    /// `arguments` is the model's JSON.
    #[must_use]
    pub fn call_search_tool(&self, arguments: &str) -> String {
        let found = self.search_for_model(arguments);
        found.unwrap_or_else(|problem| problem.text(SEARCH_TOOL))
    }

    #[doc(hidden)]
    pub fn search_for_model(&self, arguments: &str) -> Result<String, ToolProblem> {
        let query = requested(arguments, QUERY)?;
        let found = self.selector().search(&query);
        let found = found.filter(|candidate| candidate.kind == CandidateKind::Document);
        let entries = found
            .filter_map(|candidate| self.get(&candidate.id))
            .take(MAX_FOUND);
        let lines = entries.map(|entry| {
            let entry = ListEntry {
                id: &entry.id,
                doc: entry.doc(),
                exposure: self.exposure_of(&entry.id),
                rank: 0,
            };
            line(&entry, Detail::Full)
        });
        let list: String = lines.collect();
        if list.is_empty() {
            let query = escape::name(&query);
            return Ok(format!(
                "No skill matches '{query}'. Search with other words."
            ));
        }
        Ok(format!("<skills>\n{list}</skills>"))
    }

    /// Answers a call to the tool `skill` with the document's body as written in its file, or with an error message for the
    /// model. `arguments` is the model's JSON. If the dialect has placeholders for the words of a command, `$ARGUMENTS` is
    /// replaced with nothing. If the document has files, a list of them follows the body.
    #[must_use]
    pub fn call_skill_tool(&self, arguments: &str) -> String {
        match self.load_for_model(arguments) {
            Ok((_, text)) => text,
            Err(problem) => problem.text(SKILL_TOOL),
        }
    }

    /// Returns the requested document and the answer for the model.
    #[doc(hidden)]
    pub fn load_for_model(&self, arguments: &str) -> Result<(&CatalogEntry, String), ToolProblem> {
        let id = requested(arguments, SKILL_NAME)?;
        let Some(entry) = self.for_model(&id) else {
            return Err(self.unknown_to_models(&id));
        };
        match self.body_for_model(entry) {
            Ok(body) => Ok((entry, self.with_files(entry, body))),
            Err(DocumentReadError::Unknown { .. }) => Err(self.unknown_to_models(&id)),
            Err(error) => Err(ToolProblem::Failed(not_loaded(&id, &error))),
        }
    }

    /// Creates the answer for an id that does not belong to a document for models.
    pub(crate) fn unknown_to_models(&self, id: &str) -> ToolProblem {
        let offers = self.settings.offers_skills();
        let nearest = self.nearest_offered(id, |entry| offers && is_for_models(entry.doc()));
        ToolProblem::Failed(not_found(
            id,
            nearest.filter(|nearest| nearest != id).as_deref(),
        ))
    }

    /// Reads an offered document's body, with empty placeholders. If an edit has hidden the document from models, it counts as
    /// unknown.
    pub(crate) fn body_for_model(&self, entry: &CatalogEntry) -> Result<String, DocumentReadError> {
        let doc = self.read(&entry.id)?;
        if is_for_models(&doc) {
            return Ok(body_without_arguments(doc));
        }
        let id = entry.id.to_string();
        Err(DocumentReadError::Unknown { id, nearest: None })
    }

    /// Reads the file of a document for a model, like [`body_for_model`](Self::body_for_model).
    #[doc(hidden)]
    pub fn file_for_model(
        &self,
        entry: &CatalogEntry,
    ) -> Result<(SkillDoc, Option<Vec<u8>>), DocumentReadError> {
        let (doc, file) = document_and_file(&self.settings, entry)?;
        if is_for_models(&doc) {
            return Ok((doc, file));
        }
        let id = entry.id.to_string();
        Err(DocumentReadError::Unknown { id, nearest: None })
    }

    /// Returns the document with the given id. A model may write the id as the tool `skill` shows it, or without escapes.
    pub(crate) fn for_model(&self, name: &str) -> Option<&CatalogEntry> {
        // the tool shows an id differently only if the id contains an entity
        let shown = name.contains('&').then(|| {
            self.for_models()
                .find(|entry| escape::attribute(&entry.id) == name)
        });
        shown.flatten().or_else(|| {
            let entry = self.get(name)?;
            (self.settings.offers_skills() && is_for_models(entry.doc())).then_some(entry)
        })
    }

    /// Returns whether a model may choose a document with this id.
    #[doc(hidden)]
    #[must_use]
    pub fn offers(&self, id: &str) -> bool {
        self.for_model(id).is_some()
    }

    /// Returns the documents that are listed for a model, sorted by id.
    #[doc(hidden)]
    pub fn listed_for_models(&self) -> impl Iterator<Item = &CatalogEntry> {
        let entries = self.for_models();
        entries.filter(|entry| self.exposure_of(&entry.id) != Exposure::Manual)
    }

    /// Returns whether any of the documents that a model may choose is from a discovered source.
    #[doc(hidden)]
    pub fn offers_discovered(&self) -> bool {
        let roots = &self.settings.roots;
        self.for_models()
            .any(|entry| roots[entry.root()].discovered)
    }

    pub(crate) fn exposure_of(&self, id: &str) -> Exposure {
        let exposure = self.settings.exposures.get(id).copied();
        exposure.unwrap_or_default()
    }

    /// Returns the documents that a model may choose, sorted by id.
    #[doc(hidden)]
    pub fn for_models(&self) -> impl Iterator<Item = &CatalogEntry> {
        let allowed = self.settings.offers_skills();
        self.skills()
            .filter(move |entry| allowed && is_for_models(entry.doc()))
    }
}

/// Parses the only argument of a call. Does not check whether an id belongs to a document.
///
/// # Errors
/// Returns an error if the arguments are too large, not JSON or not an object, or if a key is repeated, unknown, missing or not a
/// string.
fn requested(arguments: &str, key: &'static str) -> Result<String, skill_core::ReadError> {
    let schema = json!({
        "type": "object",
        "properties": { (key): { "type": "string" } },
        "required": [key],
        "additionalProperties": false,
    });
    Ok(ToolArguments::read(arguments, &schema)?.text(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skill_core::MAX_ARGUMENT_BYTES;

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
                Err("at the top level: invalid type: a list, expected an object"),
            ),
            (
                "null",
                Err("at the top level: invalid type: null, expected an object"),
            ),
            ("{}", Err("at the top level: missing field `skill_name`")),
            (
                r#"{"skill_name":3}"#,
                Err("`skill_name`: invalid type: integer `3`, expected a string"),
            ),
            (
                r#"{"skil_name":"a"}"#,
                Err(
                    "`skil_name`: unknown field `skil_name`, expected `skill_name`; did you mean `skill_name`?",
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
}
