//! AGENT.md, the document of an agent.

use crate::check::{Reader, decode_utf8, frontmatter, in_file};
use crate::diagnostic::{Diagnostics, Position};
use crate::dialect::Dialect;
use crate::doc::DocText;
use crate::frontmatter::Body;
use crate::yaml::Value;
use crate::{Diagnostic, DiagnosticCode, Report, Severity};
use serde::Serialize;
use std::borrow::Cow;

const KEYS: &[&str] = &["name", "provider", "model", "allow_skills"];

/// A parsed AGENT.md: the agent's name, its model, and its system prompt.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AgentDoc {
    /// The folder's name, or the agent's name if no folder is known.
    pub id: DocText,
    /// The display name.
    pub name: DocText,
    /// The model's provider.
    pub provider: Option<DocText>,
    /// The model's name.
    pub model: Option<DocText>,
    /// Whether the agent has the tool `skill`. Defaults to false.
    pub allow_skills: bool,
    /// The system prompt: the body of the document.
    pub system_prompt: DocText,
    /// Where the values are, for diagnostics.
    #[serde(skip)]
    places: Places,
}

/// The document's path, and the positions of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Places {
    path: Option<String>,
    provider: Option<Position>,
    model: Option<Position>,
}

impl AgentDoc {
    /// Creates an error about the value of a key, `provider` or `model`. If the key is missing, the error is at the beginning of
    /// the file.
    #[doc(hidden)]
    #[must_use]
    pub fn error(&self, key: &str, code: DiagnosticCode, message: String) -> Diagnostic {
        let at = match key {
            "provider" => self.places.provider,
            _ => self.places.model,
        };
        let at = at.unwrap_or(Position::START);
        Diagnostic {
            path: self.places.path.clone(),
            line: Some(at.line),
            column: Some(at.column),
            ..Diagnostic::new(code, Severity::Error, message)
        }
    }
}

/// Checks an AGENT.md without a known path. The agent's name becomes its id.
#[must_use]
pub fn check_agent(text: &str) -> Report<AgentDoc> {
    examine(None, text)
}

/// Checks the bytes of an AGENT.md. Bytes that are not valid UTF-8 are reported.
///
/// ```
/// use skill_manifest::{DiagnosticCode, check_agent_bytes};
///
/// let report = check_agent_bytes("agents/a/AGENT.md", b"---\nname: \xFF\n---\n");
/// assert_eq!(report.diagnostics()[0].code, DiagnosticCode::BadUtf8);
/// ```
#[must_use]
pub fn check_agent_bytes(path: &str, bytes: &[u8]) -> Report<AgentDoc> {
    match decode_utf8(path, bytes, &Dialect::NAMED) {
        Ok(text) => check_agent_at(path, text),
        Err((diagnostics, _)) => Report::new(None, diagnostics),
    }
}

/// Checks the text of an AGENT.md file. The name of the file's folder becomes the id. Frontmatter and a `name` are required, and
/// unknown keys are refused.
///
/// ```
/// use skill_manifest::check_agent_at;
///
/// let text = "---\nname: General Assistant\nprovider: openai\nmodel: gpt-4\nallow_skills: true\n---\n\nYou help.\n";
/// let report = check_agent_at("agents/general/AGENT.md", text);
/// let agent = report.doc().expect("it loads");
/// assert_eq!((&*agent.id, &*agent.system_prompt, agent.allow_skills), ("general", "You help.", true));
/// ```
#[must_use]
pub fn check_agent_at(path: &str, text: &str) -> Report<AgentDoc> {
    examine(Some(path), text)
}

fn examine(path: Option<&str>, text: &str) -> Report<AgentDoc> {
    // values are read by the same rules as in `NAMED` documents
    let dialect = Dialect::NAMED.with_name("AGENT.md");
    let mut diagnostics = Diagnostics::new(path);
    let doc = frontmatter(text, &dialect, &mut diagnostics).map(|(source, root, body)| {
        let mut reader = Reader::new(&source, &dialect, &mut diagnostics);
        read(
            &mut reader,
            root.as_ref().map(|node| &node.value),
            &body,
            path,
        )
    });
    Report::new(doc, diagnostics.list)
}

fn read(
    reader: &mut Reader<'_, '_>,
    root: Option<&Value>,
    body: &Body<'_>,
    path: Option<&str>,
) -> AgentDoc {
    let entries = match root {
        Some(Value::Map(entries)) => &entries[..],
        _ => &[],
    };
    let map = reader.entries(entries, KEYS, crate::Enforcement::Reject, |_| true);
    let text = |reader: &mut Reader<'_, '_>, key| {
        let node = map.get(key)?;
        let text = reader.text(key, node, crate::Enforcement::Reject)?;
        if text.trim().is_empty() {
            let (at, message) = (in_file(node.at), format!("`{key}` is empty"));
            reader.error(DiagnosticCode::EmptyField, at, message, None);
        }
        Some(text)
    };
    let name = text(reader, "name").unwrap_or_default();
    if !map.has("name") {
        let help = "begin with `name: …`".to_owned();
        reader.error(
            DiagnosticCode::MissingField,
            Position::START,
            "`name` is missing",
            help,
        );
    }
    let allow_skills = map.get("allow_skills");
    let directory = path.and_then(crate::check::directory);
    let place = |key| Some(in_file(map.get(key)?.at));
    AgentDoc {
        id: directory.map_or_else(|| name.clone(), str::to_owned).into(),
        name: name.into(),
        provider: text(reader, "provider").map(Cow::Owned),
        model: text(reader, "model").map(Cow::Owned),
        allow_skills: allow_skills
            .and_then(|node| reader.boolean("allow_skills", node))
            .unwrap_or(false),
        system_prompt: body.text.to_owned().into(),
        places: Places {
            path: path.map(str::to_owned),
            provider: place("provider"),
            model: place("model"),
        },
    }
}
