//! Reads and checks a single document.

use super::missing_path::missing_path;
use crate::errors::Errors;
use crate::messages;
use crate::parse::values::Text;
use skill_manifest::__private::position as line_and_column;
use skill_manifest::{Diagnostic, DiagnosticCode, Dialect, Severity, SkillDoc, check_bytes};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A valid document.
pub(crate) struct Document {
    /// The path as the user wrote it.
    pub(crate) path: String,
    /// The file's absolute path.
    pub(crate) file: PathBuf,
    pub(crate) source: Vec<u8>,
    pub(crate) doc: SkillDoc,
}

/// Reads the document at a path. All mistakes are reported at the path.
pub(crate) fn read(path: &Text, dialect: &Dialect, errors: &mut Errors) -> Option<Document> {
    let file = match resolve(path, DiagnosticCode::MissingSkillMd) {
        Ok(file) => file,
        Err(message) => {
            errors.report_at(message, path.span);
            return None;
        }
    };
    let document = examine(&path.value, &file, dialect);
    report(document, path, errors)
}

/// Reports all mistakes at the path.
pub(super) fn report(
    document: Result<Document, Vec<String>>,
    path: &Text,
    errors: &mut Errors,
) -> Option<Document> {
    match document {
        Ok(document) => return Some(document),
        Err(mistakes) => {
            for mistake in mistakes {
                errors.report_at(mistake, path.span);
            }
        }
    }
    None
}

/// Returns the absolute path. A relative path is relative to the file that contains it. `missing` is the error's code if the file
/// does not exist.
pub(super) fn resolve(path: &Text, missing: DiagnosticCode) -> Result<PathBuf, String> {
    if path.value.is_empty() {
        return Err(messages::empty_path());
    }
    let written = Path::new(&path.value);
    let source = if written.is_absolute() {
        PathBuf::new()
    } else {
        source(path).ok_or_else(|| messages::source_unknown(&path.value))?
    };
    let target = source.with_file_name("").join(written);
    let target =
        std::path::absolute(&target).map_err(|error| messages::unreadable(&path.value, &error))?;
    match fs::symlink_metadata(&target) {
        Ok(_) => Ok(with_named_folder(target)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let root = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
            let missing_path = missing_path(written, &source, &target, root.as_deref());
            Err(messages::no_document(&path.value, missing, &missing_path))
        }
        Err(error) => Err(messages::unreadable(&path.value, &error)),
    }
}

/// Returns the file that contains a literal, or `None` outside of rustc or if rust-analyzer does not know the file.
fn source(path: &Text) -> Option<PathBuf> {
    proc_macro::is_available()
        .then(|| path.span.unwrap().local_file())
        .flatten()
}

/// Returns a path to the same file in which the last folder has a name. If the last folder is `..`, it is resolved, because the
/// folder's name may be the id.
fn with_named_folder(path: PathBuf) -> PathBuf {
    let folder = path.parent();
    if folder.is_some_and(|folder| folder.file_name().is_none())
        && let (Some(Ok(folder)), Some(name)) = (folder.map(Path::canonicalize), path.file_name())
    {
        return folder.join(name);
    }
    path
}

/// Reads and checks a file.
///
/// # Errors
/// Returns one message per mistake.
pub(super) fn examine(path: &str, file: &Path, dialect: &Dialect) -> Result<Document, Vec<String>> {
    let source = bytes(path, file, dialect).map_err(|message| vec![message])?;
    let report = check_bytes(&file.to_string_lossy(), &source, dialect);
    match report.into_doc() {
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

/// Reads a file's bytes, unless it is too large.
fn bytes(path: &str, file: &Path, dialect: &Dialect) -> Result<Vec<u8>, String> {
    let unreadable = |error: std::io::Error| {
        let finding = messages::of_file(
            DiagnosticCode::Unreadable,
            "the file cannot be read".to_owned(),
        );
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
    let most = dialect.limits.file;
    if found.len() > most as u64 {
        let finding = skill_manifest::__private::too_large(found.len(), most);
        return Err(messages::finding(path, &finding, &[]));
    }
    let mut bytes = Vec::new();
    let opened = File::open(file).map_err(unreadable)?;
    // the file may have grown since the metadata was read
    opened
        .take(most as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    Ok(bytes)
}

impl Document {
    /// Formats a finding about a key's value, with the value's line and column. If the document spells the value differently,
    /// uses the key's position.
    pub(super) fn finding(
        &self,
        code: DiagnosticCode,
        (key, value): (&str, &str),
        (message, help): (String, String),
    ) -> String {
        let mut finding = Diagnostic::new(code, Severity::Error, message).help(help);
        let behind = || self.header().skip_while(|(_, line)| !is_key(line, key));
        let mut values = behind().filter_map(|(at, line)| Some(at + whole(line, value)?));
        let at = values.next().or_else(|| Some(behind().next()?.0));
        if let Some(at) = at {
            let (line, column) = line_and_column(&self.source, at);
            (finding.line, finding.column) = (Some(line), Some(column));
        }
        messages::finding(&self.path, &finding, &self.source)
    }

    /// Returns a key's path and line for messages, such as `` `skills/review/SKILL.md:2` ``.
    pub(crate) fn line_of(&self, key: &str) -> String {
        match self.header().find(|(_, line)| is_key(line, key)) {
            Some((at, _)) => format!("`{}:{}`", self.path, line_and_column(&self.source, at).0),
            None => format!("`{}`", self.path),
        }
    }

    /// Returns the lines of the frontmatter with their byte offsets.
    fn header(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let (mut next, mut fences) = (0, 0);
        let lines = self
            .source
            .split_inclusive(|byte| matches!(byte, b'\n' | b'\r'));
        let lines = lines.map(move |line| {
            let at = next;
            next += line.len();
            (at, line.trim_ascii_end())
        });
        lines.take_while(move |(_, line)| {
            fences += usize::from(line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line) == b"---");
            fences < 2
        })
    }
}

fn is_key(line: &[u8], key: &str) -> bool {
    let rest = line.strip_prefix(key.as_bytes());
    rest.is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"))
}

/// Returns the offset of a value in a line, unless it is part of a longer value.
fn whole(line: &[u8], value: &str) -> Option<usize> {
    let value = value.as_bytes();
    let ends = |byte: Option<&u8>| {
        byte.is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b',' | b'[' | b']'))
    };
    let mut places = line.windows(value.len().max(1)).enumerate();
    let found = places.find(|(at, part)| {
        let before = at.checked_sub(1).and_then(|before| line.get(before));
        *part == value && ends(before) && ends(line.get(at + value.len()))
    });
    found.map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn a_value_is_not_found_inside_another() {
        for (line, at) in [
            ("  - a:Hello", Some(4)),
            ("  - 'a:Hello' # first", Some(5)),
            ("  - a:HelloB", None),
            ("  - b/a:Hello", None),
            ("toolsets: [a:HelloB, b/a:Hello,a:Hello]", Some(31)),
            ("", None),
        ] {
            assert_eq!(whole(line.as_bytes(), "a:Hello"), at, "{line}");
        }
    }
}
