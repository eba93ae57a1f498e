//! Gives a model access to a document's files: a list after the body, and a tool that reads them.

mod listing;
mod part;

use super::{Catalog, CatalogEntry, DocumentReadError, escape};
use crate::tool::arguments::ToolArguments;
use crate::tool::model_text::{ToolProblem, reason};
use crate::tool::names::FILE_TOOL;
use listing::{shown, with_listing, without_listing};
use part::part;
use serde_json::{Value, json};
use skill_core::__private::nearest;
use skill_core::{ReadError, Tool, ToolBuf};

const SKILL: &str = "skill";
const PATH: &str = "path";
const OFFSET: &str = "offset";

/// The maximum number of characters to show of a path in a message.
const MAX_PATH_LENGTH: usize = 256;

/// The arguments of a call to `read_skill_file`.
struct FileRequest {
    skill: String,
    path: String,
    offset: u64,
}

impl Catalog {
    /// Returns the tool `read_skill_file`. It reads a document's bundled files, as listed in the result of the tool
    /// [`skill`](Self::skill_tool). Returns `None` if no document offered to models has files.
    ///
    /// ```
    /// use skill_agent::manifest::{Catalog, Dialect, Source};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path();
    /// # std::fs::create_dir_all(path.join("review"))?;
    /// # std::fs::write(
    /// #     path.join("review/SKILL.md"),
    /// #     "---\nname: review\ndescription: Review a change.\n---\nRead the checklist.\n",
    /// # )?;
    /// # std::fs::write(path.join("review/checklist.md"), "- Is it tested?\n")?;
    /// let catalog = Catalog::builder(Dialect::AGENT_SKILLS)
    ///     .source(Source::project(path)) // path/review/SKILL.md and path/review/checklist.md
    ///     .load();
    /// assert_eq!(
    ///     catalog.call_skill_tool(r#"{"skill_name":"review"}"#),
    ///     "Read the checklist.\n\n<skill_files>\n  <file>checklist.md</file>\n</skill_files>",
    /// );
    /// let tool = catalog.skill_file_tool().ok_or("there is a file")?;
    /// assert_eq!(tool.name, "read_skill_file");
    /// assert_eq!(
    ///     catalog.call_skill_file_tool(r#"{"skill":"review","path":"checklist.md"}"#),
    ///     "- Is it tested?\n",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn skill_file_tool(&self) -> Option<Tool<'_>> {
        let tool = self.snapshot.file_tool.get_or_init(|| {
            let has_files = |entry: &CatalogEntry| {
                let files = self.resources(&entry.id);
                files.is_ok_and(|files| files.iter().any(|path| shown(path).is_some()))
            };
            self.for_models().any(has_files).then(tool)
        });
        tool.as_ref().map(ToolBuf::as_tool)
    }

    /// Answers a call to the tool `read_skill_file` with the file's text, or with an error message for the model. `arguments` is
    /// the model's JSON: `skill`, `path` and, to continue a long file, `offset` in bytes.
    ///
    /// The answer has at most 64 KiB. A longer file is split into parts. The last line of each part states the next offset, or
    /// that the file has ended, and the version of the file. The file is read in the same way as by [`resource`](Self::resource),
    /// and no error reveals a path of the machine.
    #[must_use]
    pub fn call_skill_file_tool(&self, arguments: &str) -> String {
        let read = self.read_file_for_model(arguments);
        read.unwrap_or_else(|problem| problem.text(FILE_TOOL))
    }

    #[doc(hidden)]
    pub fn read_file_for_model(&self, arguments: &str) -> Result<String, ToolProblem> {
        let request = FileRequest::read(arguments)?;
        let unknown = || self.unknown_to_models(&request.skill);
        let not_read = |why: &str| ToolProblem::Failed(request.not_read(why));
        let entry = self.for_model(&request.skill).ok_or_else(unknown)?;
        let path = self.named_by_model(entry, &request.path);
        match self.resource(&entry.id, &path) {
            Ok(bytes) if bytes.is_empty() && request.offset == 0 => {
                Ok(format!("The file {} is empty.", request.subject()))
            }
            Ok(bytes) => part(&bytes, request.offset).map_err(|why| not_read(&why.to_string())),
            Err(DocumentReadError::NoResource { .. }) => {
                Err(not_read(&self.no_such_file(entry, &request.path)))
            }
            Err(error) => Err(reason(&error).map_or_else(unknown, |why| not_read(&why))),
        }
    }

    /// Returns the answer for the tool `skill`: a document's body and the list of its files.
    pub(super) fn with_files(&self, entry: &CatalogEntry, body: String) -> String {
        match self.resources(&entry.id) {
            Ok(files) if files.is_empty() || self.skill_file_tool().is_none() => body,
            Ok(files) => with_listing(body, &files),
            Err(error) => match reason(&error) {
                Some(why) => without_listing(body, &why),
                None => body,
            },
        }
    }

    /// Returns the path that a model means. The model may write the path as shown in the list, or without escapes.
    fn named_by_model(&self, entry: &CatalogEntry, path: &str) -> String {
        // the list shows a path differently only if the path contains an entity
        let mut listed = if path.contains('&') {
            self.resources(&entry.id).unwrap_or_default()
        } else {
            Vec::new()
        };
        let at = listed
            .iter()
            .position(|file| shown(file).as_deref() == Some(path));
        match at {
            Some(at) => listed.swap_remove(at),
            None => path.to_owned(),
        }
    }

    /// Explains that a document has no such file, and suggests a similar one.
    fn no_such_file(&self, entry: &CatalogEntry, path: &str) -> String {
        let files = self.resources(&entry.id).unwrap_or_default();
        let shown: Vec<String> = files.iter().filter_map(|path| shown(path)).collect();
        match nearest(path, shown.iter().map(String::as_str)) {
            Some(near) => format!("there is no such file; did you mean '{near}'?"),
            None => "there is no such file".to_owned(),
        }
    }
}

impl FileRequest {
    fn read(arguments: &str) -> Result<Self, ReadError> {
        let mut arguments = ToolArguments::read(arguments, &schema())?;
        Ok(Self {
            skill: arguments.text(SKILL),
            path: arguments.text(PATH),
            offset: arguments.whole_number(OFFSET),
        })
    }

    fn subject(&self) -> String {
        let path = escape::line(&self.path, MAX_PATH_LENGTH);
        format!("'{path}' of skill '{}'", escape::name(&self.skill))
    }

    fn not_read(&self, why: &str) -> String {
        format!("Error reading {}: {why}", self.subject())
    }
}

fn tool() -> ToolBuf {
    let description = "Read a file of a skill. The tool `skill` lists the files of a skill after its instructions. A long file is \
        returned in parts; each part ends with a note on how to read on. If the version in the note differs from that of \
        the part before, the file has changed: begin again.";
    let mut tool = ToolBuf::new(FILE_TOOL, description, schema());
    tool.hints.read_only = true;
    tool
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            (SKILL): {
                "type": "string",
                "description": "The name of the skill",
            },
            (PATH): {
                "type": "string",
                "description": "The path of the file, as listed",
            },
            (OFFSET): {
                "type": "integer",
                "minimum": 0,
                "description": "The byte to begin at, from the note of the part before",
            },
        },
        "required": [SKILL, PATH],
        "additionalProperties": false,
    })
}
