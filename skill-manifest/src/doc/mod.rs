//! The content of a SKILL.md.

mod eligibility;
mod summary;

pub(crate) use eligibility::system;
pub use eligibility::{Eligibility, Host, UnmetCondition};
pub use summary::first_sentence;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// A string that is embedded by a macro or owned by a loader.
pub type DocText = Cow<'static, str>;

/// A list of strings that is embedded by a macro or owned by a loader.
pub type DocTextList = Cow<'static, [DocText]>;

/// A parsed SKILL.md: instructions for a model, and metadata for the program. It has the fields of the open standard
/// agentskills.io and of the other dialects. Fields outside the document's dialect are empty.
///
/// The type is plain data and can be a `static`.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkillDoc {
    /// The identifier: the name or the folder's name, depending on the dialect. It is empty if the dialect uses the folder, but
    /// neither a folder nor a name is known.
    pub id: DocText,
    /// The document's own name. Defaults to the id (agentskills.io).
    pub name: DocText,
    /// The purpose of the skill, and when to use it.
    pub description: DocText,
    /// A description of one line and at most 80 characters: the document's own, or the first sentence of its description or
    /// summary.
    pub brief_description: DocText,
    /// A semantic version, unless a diagnostic reports otherwise.
    pub version: Option<DocText>,
    /// A license, or the name of the file with the license (agentskills.io).
    pub license: Option<DocText>,
    /// Environment requirements, as text for people (agentskills.io).
    pub compatibility: Option<DocText>,
    /// Other keys, in document order. A value that is not a string is converted to JSON (agentskills.io).
    #[serde(serialize_with = "as_map")]
    pub metadata: Cow<'static, [(DocText, DocText)]>,
    /// The tools that a model may call while the document is active. If it is `None`, the agent's tools stay allowed. An empty
    /// list allows no tools (agentskills.io).
    #[serde(rename = "allowed-tools")]
    pub allowed_tools: Option<DocTextList>,
    /// The code that provides tools, in the form `path:Type` with a path within the folder.
    pub toolsets: DocTextList,
    /// The bundled programs within the folder, or `None` for all files in `scripts/`.
    pub scripts: Option<DocTextList>,
    /// The words and patterns that suggest the document.
    pub triggers: Triggers,
    /// Whether a bundled document is enabled by default. Defaults to true.
    pub default_enabled: bool,
    /// One line for the output of `/skills`.
    pub summary: DocText,
    /// Whether the document is for the model or dispatches to a tool.
    pub invocation_mode: InvocationMode,
    /// The slash command, of the form `[a-z0-9_-]+`.
    pub command: Option<DocText>,
    /// The tool that [`InvocationMode::ToolDispatch`] calls. In that mode, there is always a tool.
    pub command_tool: Option<DocText>,
    /// The tools that must exist for the document to be offered.
    pub requires_tools: DocTextList,
    /// The operating systems, environment variables and programs that the document needs to be offered.
    pub eligibility: Eligibility,
    /// Other skills that the document needs, in the form `name` or `name@version`.
    pub requires: DocTextList,
    /// Whether only a person may invoke the document, with a slash command.
    #[serde(rename = "disable-model-invocation")]
    pub disable_model_invocation: bool,
    /// Whether a person may invoke the document. Defaults to true.
    #[serde(rename = "user-invocable")]
    pub user_invocable: bool,
    /// The arguments of the document's slash command, in one line for people, such as `[issue] [branch]`.
    #[serde(rename = "argument-hint")]
    pub argument_hint: Option<DocText>,
    /// Whether the words of a slash command replace `$ARGUMENTS`, `$ARGUMENTS[0]` and `$0` in the body. True in dialects with the
    /// key `argument-hint`.
    pub argument_placeholders: bool,
    /// The instructions as written, without leading and trailing blank lines.
    pub body: DocText,
    /// The byte offset of the body in the file, including a byte order mark and the frontmatter. Add it to an offset in the body
    /// to get the offset in the file.
    ///
    /// ```
    /// use skill_manifest::{Dialect, check};
    ///
    /// let text = "---\nname: a\ndescription: d\n---\n\n# A\nSee notes.md.\n";
    /// let report = check(text, &Dialect::AGENT_SKILLS);
    /// let doc = report.doc().ok_or("it is valid")?;
    /// let at = doc.body_offset + doc.body.find("notes.md").ok_or("it is there")?;
    /// assert_eq!(text[..at].lines().count(), 7); // the line of the file
    /// # Ok::<(), &str>(())
    /// ```
    pub body_offset: usize,
}

/// The words, patterns and files that suggest a document.
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Triggers {
    /// The words and phrases. They match at word boundaries.
    pub keywords: DocTextList,
    /// The words for actions. They match at word boundaries.
    pub verbs: DocTextList,
    /// Regular expressions in the syntax of [regex-lite](https://docs.rs/regex-lite). Character classes contain only ASCII
    /// characters, and the case of ASCII letters is ignored.
    pub patterns: DocTextList,
    /// Globs for files, from the key `paths`. A glob matches a whole path, relative to the project and separated by `/`. `*` and
    /// `?` match characters of a segment, `[a-z]` and `[!a-z]` match a character that is or is not listed, `{a,b}` matches either
    /// glob, and `**` as a whole segment matches any number of segments.
    pub paths: DocTextList,
}

/// How a document is invoked.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InvocationMode {
    /// The model gets the body.
    #[default]
    PromptRewrite,
    /// The tool is called without a model.
    ToolDispatch,
}

fn as_map<S: Serializer>(entries: &[(DocText, DocText)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(entries.len()))?;
    for (key, value) in entries {
        map.serialize_entry(key, value)?;
    }
    map.end()
}
