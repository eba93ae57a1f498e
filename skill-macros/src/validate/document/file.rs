//! One document: where it is, its bytes, what is wrong with it.

use super::folder::is_usable;
use super::nowhere::nowhere;
use crate::errors::Errors;
use crate::messages;
use crate::parse::values::Text;
use skill_manifest::{Code, Diagnostic, Dialect, Severity, SkillDoc, check_bytes};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A document without errors.
pub(crate) struct Document {
    /// The path as the user wrote it.
    pub(crate) path: String,
    /// The file, from the root.
    pub(crate) file: PathBuf,
    pub(crate) source: Vec<u8>,
    pub(crate) doc: SkillDoc,
}

/// Reads the document that a path leads to; one error for each mistake, at the path.
pub(crate) fn read(path: &Text, dialect: &Dialect, errors: &mut Errors) -> Option<Document> {
    let file = match place(path, Code::MissingSkillMd) {
        Ok(file) => file,
        Err(message) => {
            errors.tell_at(message, path.span);
            return None;
        }
    };
    let document = examine(&path.value, &file, dialect);
    tell(document, path, errors)
}

/// Tells every mistake at the path.
pub(super) fn tell(
    document: Result<Document, Vec<String>>,
    path: &Text,
    errors: &mut Errors,
) -> Option<Document> {
    match document {
        Ok(document) => return Some(document),
        Err(mistakes) => {
            for mistake in mistakes {
                errors.tell_at(mistake, path.span);
            }
        }
    }
    None
}

/// Where a written path leads: it is relative to the file that it stands in. The code is that of a path that leads nowhere.
pub(super) fn place(path: &Text, missing: Code) -> Result<PathBuf, String> {
    if path.value.is_empty() {
        return Err(messages::empty_path());
    }
    let written = Path::new(&path.value);
    let source = match written.is_absolute() {
        true => PathBuf::new(),
        false => source(path).ok_or_else(|| messages::source_unknown(&path.value))?,
    };
    let place = source.with_file_name("").join(written);
    let place =
        std::path::absolute(&place).map_err(|error| messages::unreadable(&path.value, &error))?;
    match fs::symlink_metadata(&place) {
        Ok(_) => Ok(plain(place)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let root = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
            let nowhere = nowhere(written, &source, &place, root.as_deref());
            Err(messages::no_document(&path.value, missing, &nowhere))
        }
        Err(error) => Err(messages::unreadable(&path.value, &error)),
    }
}

/// The file that a literal stands in. Outside of rustc there is none, and rust-analyzer need not know it.
fn source(path: &Text) -> Option<PathBuf> {
    proc_macro::is_available()
        .then(|| path.span.unwrap().local_file())
        .flatten()
}

/// A path whose last folder has a name, which `..` has not.
fn plain(place: PathBuf) -> PathBuf {
    let folder = place.parent();
    if folder.is_some_and(|folder| folder.file_name().is_none())
        && let (Some(Ok(folder)), Some(name)) = (folder.map(Path::canonicalize), place.file_name())
    {
        return folder.join(name);
    }
    place
}

/// Reads and checks a file; the errors as they are told.
///
/// # Errors
/// What is wrong, as texts.
pub(super) fn examine(path: &str, file: &Path, dialect: &Dialect) -> Result<Document, Vec<String>> {
    let source = bytes(path, file, dialect).map_err(|message| vec![message])?;
    let report = check_bytes(&file.to_string_lossy(), &source, dialect);
    match report.into_doc() {
        Ok(doc) if !is_usable(&doc.id) => Err(vec![messages::id_that_is_none(path, &doc.id)]),
        Ok(doc) => Ok(Document {
            path: path.to_owned(),
            file: file.to_owned(),
            source,
            doc,
        }),
        Err(findings) => Err(findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .map(|finding| messages::finding(path, finding, &source))
            .collect()),
    }
}

/// The bytes of a file. One that is too large is not read.
fn bytes(path: &str, file: &Path, dialect: &Dialect) -> Result<Vec<u8>, String> {
    let unreadable = |error: std::io::Error| {
        let finding = messages::of_file(Code::Unreadable, "the file cannot be read".to_owned());
        messages::finding(path, &finding.help(error.to_string()), &[])
    };
    let found = fs::metadata(file).map_err(unreadable)?;
    if found.is_dir() {
        let names = dialect.file_names.iter();
        let inside = names.copied().find(|name| file.join(name).is_file());
        return Err(messages::folder_for_file(path, inside));
    }
    if !found.is_file() {
        return Err(messages::not_a_file(path));
    }
    let most = dialect.limits.file as u64;
    if found.len() > most {
        return Err(too_large(path, found.len(), most));
    }
    let mut bytes = Vec::new();
    let opened = File::open(file).map_err(unreadable)?;
    // it may have grown since
    opened
        .take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    Ok(bytes)
}

/// The same words as those of the check, which would have to be given the bytes.
fn too_large(path: &str, length: u64, most: u64) -> String {
    let message = format!("the file has {length} bytes, and {most} is the most");
    messages::finding(path, &messages::of_file(Code::TooLarge, message), &[])
}

impl Document {
    /// A finding about a part of the document, by where its text stands first.
    pub(super) fn finding(
        &self,
        code: Code,
        part: &str,
        (message, help): (String, String),
    ) -> String {
        let mut finding = Diagnostic::new(code, Severity::Error, message).help(help);
        let at = self
            .source
            .windows(part.len().max(1))
            .position(|it| it == part.as_bytes());
        if let Some(at) = at {
            let (line, column) = skill_manifest::__private::place(&self.source, at);
            (finding.line, finding.column) = (Some(line), Some(column));
        }
        messages::finding(&self.path, &finding, &self.source)
    }

    /// Where a key stands, for messages: `` `skills/review/SKILL.md:2` ``.
    pub(crate) fn line_of(&self, key: &str) -> String {
        let text = String::from_utf8_lossy(&self.source);
        let is_key = |line: &str| {
            let rest = line.strip_prefix(key);
            rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
        };
        let mut lines = text.split('\n').take_while({
            let mut fences = 0;
            move |line| {
                fences += usize::from(line.trim_end().trim_start_matches('\u{feff}') == "---");
                fences < 2
            }
        });
        match lines.position(is_key) {
            Some(index) => format!("`{}:{}`", self.path, index + 1),
            None => format!("`{}`", self.path),
        }
    }
}
