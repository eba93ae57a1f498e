//! Checks a document's text and returns a report.

pub(crate) mod chars;
mod claimed_name;
mod id;
mod name;
mod placeholders;
mod reader;
mod restrictions;
mod skill;
mod texts;
mod tool_list;
mod toolsets;
mod triggers;

pub use chars::invisible::{
    breaks_line, escape_invisible, is_invisible, is_invisible_after, is_visible, sanitize_message,
};
use claimed_name::{claimed_name, text_before};
pub use id::id_problem;
pub use placeholders::ends_word;
pub(crate) use reader::{KeyLines, Reader, in_file};

use crate::diagnostic::{Diagnostics, Position};
use crate::frontmatter::{Body, Parts, split};
use crate::repair::Fix;
use crate::yaml::{Node, Value};
use crate::{
    Diagnostic, DiagnosticCode, Dialect, Enforcement, FrontmatterPolicy, Report, Severity,
    SkillDoc, repair, yaml, yaml_help,
};
use std::borrow::Cow;

/// Checks text whose path is not known. The document's name is not compared with a folder.
///
/// ```
/// use skill_manifest::{DiagnosticCode, Dialect, check};
///
/// let report = check("---\nname: a\ndescription: see: this\n---\n", &Dialect::AGENT_SKILLS);
/// let why = &report.diagnostics()[0];
/// assert_eq!((why.code, why.line, why.column), (DiagnosticCode::MalformedFrontmatter, Some(3), Some(17)));
/// ```
#[must_use]
pub fn check(text: &str, dialect: &Dialect) -> Report {
    examine(None, text, dialect)
}

/// Checks a file's text. `path` is not opened. It is copied into the diagnostics, and its last folder is the document's folder.
#[must_use]
pub fn check_at(path: &str, text: &str, dialect: &Dialect) -> Report {
    examine(Some(path), text, dialect)
}

/// Checks a file's bytes. Bytes that are not valid UTF-8 are reported.
///
/// ```
/// use skill_manifest::{DiagnosticCode, Dialect, check_bytes};
///
/// let report = check_bytes("a/SKILL.md", b"---\nname: \xFF\n---\n", &Dialect::AGENT_SKILLS);
/// let why = &report.diagnostics()[0];
/// assert_eq!((why.code, why.line, why.column), (DiagnosticCode::BadUtf8, Some(2), Some(7)));
/// ```
#[must_use]
pub fn check_bytes(path: &str, bytes: &[u8], dialect: &Dialect) -> Report {
    match decode_utf8(path, bytes, dialect) {
        Ok(text) => check_at(path, text, dialect),
        Err((diagnostics, readable)) => {
            let before = text_before(bytes, readable);
            Report::new(None, diagnostics).claiming(claimed_name(before, dialect))
        }
    }
}

/// Decodes a file's bytes as UTF-8. The error contains the diagnostics and the number of valid leading bytes.
pub(crate) fn decode_utf8<'a>(
    path: &str,
    bytes: &'a [u8],
    dialect: &Dialect,
) -> Result<&'a str, (Vec<Diagnostic>, usize)> {
    let mut diagnostics = Diagnostics::new(Some(path));
    // check the size before scanning the bytes
    if is_too_large(bytes.len(), dialect, &mut diagnostics) {
        return Err((diagnostics.list, 0));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let at = Position::of(bytes, error.valid_up_to());
        let help = "save the file as UTF-8".to_owned();
        diagnostics.error(DiagnosticCode::BadUtf8, at, "the file is not UTF-8", help);
        (diagnostics.list, error.valid_up_to())
    })
}

fn examine(path: Option<&str>, text: &str, dialect: &Dialect) -> Report {
    let mut diagnostics = Diagnostics::new(path);
    let doc = frontmatter(text, dialect, &mut diagnostics).map(|(source, root, body)| {
        let mut reader = Reader::new(&source, dialect, &mut diagnostics);
        skill::read(&mut reader, root.as_ref(), &body, path.and_then(directory))
    });
    if let Some(doc) = &doc {
        placeholders::check(text, doc, &mut diagnostics);
    }
    let claimed = match &doc {
        Some(doc) => Some(doc.id.to_string()),
        None if text.len() <= dialect.limits.file => claimed_name(text, dialect),
        None => None,
    };
    Report::<SkillDoc>::new(doc, diagnostics.list).claiming(claimed)
}

fn is_too_large(bytes: usize, dialect: &Dialect, diagnostics: &mut Diagnostics<'_>) -> bool {
    let max = dialect.limits.file;
    if bytes > max {
        let why = too_large(bytes as u64, max);
        diagnostics.error(why.code, None, why.message, None);
    }
    bytes > max
}

/// Creates the diagnostic for a file that is too large. A caller that knows the size does not need to read the file.
#[must_use]
pub fn too_large(bytes: u64, max: usize) -> Diagnostic {
    let message = format!("the file has {bytes} bytes; at most {max} are allowed");
    Diagnostic::new(DiagnosticCode::TooLarge, Severity::Error, message)
}

/// Returns the name of the last folder in a path.
pub(crate) fn directory(path: &str) -> Option<&str> {
    let mut parts = path.rsplit(['/', '\\']).filter(|part| !part.is_empty());
    parts.next();
    parts.next().filter(|part| !matches!(*part, "." | ".."))
}

/// A parsed frontmatter: the source, possibly repaired, the mapping, or `None` if the frontmatter is empty, and the body.
type ParsedFrontmatter<'a> = (Cow<'a, str>, Option<Node>, Body<'a>);

/// Splits text and parses its frontmatter. On failure, adds a diagnostic and returns `None`.
pub(crate) fn frontmatter<'a>(
    text: &'a str,
    dialect: &Dialect,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<ParsedFrontmatter<'a>> {
    if is_too_large(text.len(), dialect, diagnostics) {
        return None;
    }
    let (yaml, body) = match split(text) {
        Parts::Both { yaml, body } => (yaml, body),
        Parts::BodyOnly(body) if dialect.frontmatter == FrontmatterPolicy::Optional => {
            return Some((Cow::Borrowed(""), None, body));
        }
        parts => {
            report_missing_delimiter(&parts, diagnostics);
            return None;
        }
    };
    let max = dialect.limits.frontmatter;
    if yaml.len() > max {
        let message = format!(
            "the frontmatter has {} bytes; at most {max} are allowed",
            yaml.len()
        );
        diagnostics.error(DiagnosticCode::TooLarge, Position::START, message, None);
        return None;
    }
    let (source, root) = parse(yaml, dialect, diagnostics)?;
    match root.value {
        Value::Map(_) => Some((source, Some(root), body)),
        Value::Null => Some((source, None, body)),
        _ => {
            let message = format!("the frontmatter is {}, not a mapping", root.kind());
            let help = "write `key: value` on every line".to_owned();
            let at = in_file(root.at);
            diagnostics.error(DiagnosticCode::MalformedFrontmatter, at, message, help);
            None
        }
    }
}

/// Reports text without complete frontmatter.
fn report_missing_delimiter(parts: &Parts<'_>, diagnostics: &mut Diagnostics<'_>) {
    let (code, at, message, help) = match *parts {
        Parts::Both { .. } => return,
        Parts::BodyOnly(_) => (
            DiagnosticCode::MissingFrontmatter,
            Position::START,
            "there is no frontmatter",
            "begin with a line `---`, keys and values, and another line `---`",
        ),
        Parts::Malformed(at) => (
            DiagnosticCode::MalformedFrontmatter,
            at,
            "frontmatter must begin with a line `---`",
            "make `---` the whole first line",
        ),
        Parts::Unclosed => (
            DiagnosticCode::MalformedFrontmatter,
            Position::START,
            "the frontmatter is not closed",
            "end it with a line `---`",
        ),
    };
    diagnostics.error(code, at, message, help.to_owned());
}

/// The words for the YAML in messages.
const NOUN: &str = "the frontmatter";

fn parse<'a>(
    yaml: &'a str,
    dialect: &Dialect,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<(Cow<'a, str>, Node)> {
    let yaml_error = match yaml::read(yaml, &dialect.limits, NOUN) {
        Ok(mut root) => {
            restore(&mut root, yaml, dialect, diagnostics);
            return Some((Cow::Borrowed(yaml), root));
        }
        Err(yaml_error) => yaml_error,
    };
    let repaired = match yaml_error.code {
        DiagnosticCode::YamlLimit => None,
        _ => repair::repair(yaml, &dialect.limits, NOUN),
    };
    let help = match (repaired, yaml_error.code) {
        (Some(mut repaired), _) if dialect.repair => {
            report_fixes(repaired.fixes, DiagnosticCode::RepairedYaml, diagnostics);
            restore(&mut repaired.root, &repaired.source, dialect, diagnostics);
            return Some((Cow::Owned(repaired.source), repaired.root));
        }
        (Some(repaired), _) => repaired.fixes.into_iter().next().map(|fix| fix.help),
        (None, DiagnosticCode::MalformedFrontmatter) => Some(yaml_help::help(yaml, yaml_error.at)),
        (None, DiagnosticCode::YamlFeature) => Some(
            "write the value where it is used, and quote a string that begins with `&` or `*`"
                .to_owned(),
        ),
        _ => None,
    };
    diagnostics.error(
        yaml_error.code,
        yaml_error.at.map(in_file),
        yaml_error.message,
        help,
    );
    None
}

/// Restores the written form of values of which YAML would drop a part.
fn restore(root: &mut Node, source: &str, dialect: &Dialect, diagnostics: &mut Diagnostics<'_>) {
    let code = if dialect.repair {
        DiagnosticCode::RepairedYaml
    } else {
        DiagnosticCode::YamlFeature
    };
    let tags = repair::restore_tags(root, source);
    // a dialect with a rule for tags reports every tag
    if dialect.tags == Enforcement::Ignore {
        report_fixes(tags, code, diagnostics);
    }
    if dialect.repair {
        report_fixes(repair::restore_paths(root, source), code, diagnostics);
    }
}

fn report_fixes(fixes: Vec<Fix>, code: DiagnosticCode, diagnostics: &mut Diagnostics<'_>) {
    for fix in fixes {
        diagnostics.warn(code, in_file(fix.at), fix.message, fix.help);
    }
}
