//! Reads and checks one document.

use crate::walk::{WalkItem, rank};
use skill_agent_documents::__private::too_large;
use skill_agent_documents::{
    Diagnostic, DiagnosticCode, Dialect, InvocationMode, Severity, SkillDoc, check_bytes,
};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The result of checking a document.
#[derive(Debug)]
pub(crate) struct Verdict {
    /// The path from the command line. Parts that are not Unicode are replaced.
    pub(crate) path: String,
    /// The document, if it is valid.
    pub(crate) doc: Option<SkillDoc>,
    /// The diagnostics, in the order of their positions in the text.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The contents of the file, for showing its lines. Empty if the file was not read.
    pub(crate) bytes: Vec<u8>,
}

/// Reads and checks a document.
pub(crate) fn check_file(found: WalkItem, dialect: &Dialect) -> Verdict {
    let (path, read) = match found {
        WalkItem::Document(path) => {
            let read = read(&path, dialect.limits.file);
            (path, read)
        }
        WalkItem::Wrong(path, why) => (path, Err(why)),
    };
    let name = path.to_string_lossy().into_owned();
    match read {
        Ok(bytes) => {
            let report = check_bytes(&with_folder(&path, &name), &bytes, dialect);
            Verdict {
                path: name,
                doc: report.doc().cloned(),
                diagnostics: misnamed(&path, dialect)
                    .into_iter()
                    .chain(report.diagnostics().iter().cloned())
                    .chain(report.doc().and_then(empty_body))
                    .collect(),
                bytes,
            }
        }
        Err(why) => Verdict {
            path: name,
            doc: None,
            diagnostics: vec![why],
            bytes: Vec::new(),
        },
    }
}

/// Warns about a file with a name that no loader looks for, because the command line accepts any name.
fn misnamed(path: &Path, dialect: &Dialect) -> Option<Diagnostic> {
    if path
        .file_name()
        .is_some_and(|name| rank(name, dialect).is_some())
    {
        return None;
    }
    let message = format!(
        "no loader finds this file, because its name is not `{}`",
        dialect.file_names[0]
    );
    Some(Diagnostic::new(
        DiagnosticCode::MissingSkillMd,
        Severity::Warning,
        message,
    ))
}

/// Warns about a document without instructions for a model.
fn empty_body(doc: &SkillDoc) -> Option<Diagnostic> {
    // a document in tool-dispatch mode calls its tool and is never loaded by a model
    let is_for_models = doc.invocation_mode != InvocationMode::ToolDispatch;
    (is_for_models && doc.body.trim().is_empty()).then(|| {
        let message = "the document has no text below its frontmatter";
        let why = Diagnostic::new(DiagnosticCode::EmptyBody, Severity::Warning, message);
        why.help("write there what a model has to know when it loads the document")
    })
}

/// Reads a file, unless it is too large.
fn read(path: &Path, max: usize) -> Result<Vec<u8>, Diagnostic> {
    let size = fs::metadata(path)
        .map_err(|error| unreadable(&error))?
        .len();
    if size > max as u64 {
        return Err(too_large(size, max));
    }
    bytes(path, max).map_err(|error| unreadable(&error))
}

fn unreadable(error: &io::Error) -> Diagnostic {
    let message = format!("it cannot be read: {error}");
    Diagnostic::new(DiagnosticCode::Unreadable, Severity::Error, message)
}

/// Reads at most one byte more than allowed, because the file may grow.
fn bytes(path: &Path, max: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(max as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the path, including the name of the folder. For `SKILL.md` and `./SKILL.md`, that is the real name of the current
/// folder.
fn with_folder(path: &Path, name: &str) -> String {
    let parent = path.parent().unwrap_or(Path::new(""));
    if parent.file_name().is_some() {
        return name.to_owned();
    }
    let here = if parent.as_os_str().is_empty() {
        Path::new(".")
    } else {
        parent
    };
    let folder = fs::canonicalize(here);
    let file = path.file_name().unwrap_or_default();
    folder.map_or_else(
        |_| name.to_owned(),
        |folder| folder.join(file).to_string_lossy().into_owned(),
    )
}
