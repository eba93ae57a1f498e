//! Renders diagnostics in the style of rustc: the line, what is wrong, and how to fix it.

use crate::commands::check_file::Verdict;
use crate::output::escape;
use crate::output::escape::escape;
use annotate_snippets::{AnnotationKind, Group, Level, Message, Origin, Renderer, Snippet, Title};
use skill_agent_documents::{Diagnostic, DiagnosticCode, Severity};
use std::ops::Range;

/// The maximum number of diagnostics to render per document, whereas JSON output contains all of them.
const MAX: usize = 20;

/// The number of characters to keep of a long line, on each side of the position.
const AROUND: usize = 100;

/// Renders the diagnostics of a document. Returns an empty string if there are none.
pub(crate) fn draw(verdict: &Verdict, renderer: &Renderer) -> String {
    let mut drawn = String::new();
    for diagnostic in verdict.diagnostics.iter().take(MAX) {
        drawn.push_str(&renderer.render(&[group(diagnostic, verdict)]));
        drawn.push_str("\n\n");
    }
    let more = verdict.diagnostics.len().saturating_sub(MAX);
    if more > 0 {
        let path = escape(&verdict.path);
        drawn.push_str(&format!("and {more} more in {path}\n\n"));
    }
    drawn
}

/// Renders a message that has no position on its own line.
pub(crate) fn message(
    level: Level<'_>,
    message: &str,
    help: Option<&str>,
    renderer: &Renderer,
) -> String {
    let group = Group::with_title(level.primary_title(message));
    let group = group.elements(help.map(|help| Level::HELP.message(escape(help))));
    renderer.render(&[group]) + "\n"
}

/// Renders a diagnostic from a loader: its path, but not the line of text.
pub(crate) fn diagnostic(diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let mut group = Group::with_title(title(diagnostic));
    if let Some(path) = &diagnostic.path {
        let mut origin = Origin::path(escape(path));
        if let (Some(line), Some(column)) = (diagnostic.line, diagnostic.column) {
            origin = origin.line(line as usize).char_column(column as usize);
        }
        group = group.element(origin);
    }
    renderer.render(&[group.elements(help(diagnostic))]) + "\n"
}

fn title(diagnostic: &Diagnostic) -> Title<'_> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        _ => Level::WARNING,
    };
    level
        .primary_title(escape(&diagnostic.message))
        .id(diagnostic.code.as_str())
}

fn help(diagnostic: &Diagnostic) -> Option<Message<'_>> {
    let help = diagnostic.help.as_deref();
    help.map(|help| Level::HELP.message(escape(help)))
}

fn group<'a>(diagnostic: &'a Diagnostic, verdict: &'a Verdict) -> Group<'a> {
    let path = escape(&verdict.path);
    let mut group = Group::with_title(title(diagnostic));
    if let (Some(line), Some(column)) = (diagnostic.line, diagnostic.column) {
        let (line, column) = (line as usize, column as usize);
        let Excerpt { text, span } = excerpt(&nth(&verdict.bytes, line), column, diagnostic.code);
        let is_in_place = text[..span.start].chars().count() + 1 == column;
        let mark = AnnotationKind::Primary.span(span);
        let snippet = Snippet::source(text).line_start(line).annotation(mark);
        group = if is_in_place {
            group.element(snippet.path(path))
        } else {
            // the renderer counts columns within the given text
            let origin = Origin::path(path).line(line).char_column(column);
            group.element(origin).element(snippet)
        };
    } else {
        group = group.element(Origin::path(path));
    }
    group.elements(help(diagnostic))
}

/// A line to show, and the range of bytes to mark in it.
struct Excerpt {
    text: String,
    span: Range<usize>,
}

/// Truncates a long line on both sides. A position after the last character marks the end of the line.
fn excerpt(line: &str, column: usize, code: DiagnosticCode) -> Excerpt {
    let line = line.strip_prefix('\u{FEFF}').unwrap_or(line);
    let from = column.saturating_sub(AROUND);
    let begin = column.saturating_sub(1);
    let end = begin + extent(line.chars().skip(begin), code);
    let mut text = String::from(if from > 0 { "…" } else { "" });
    let mut span = None;
    let mut chars = line.chars().enumerate().skip(from);
    for (at, c) in chars.by_ref().take(2 * AROUND) {
        let start = text.len();
        match c {
            // the renderer itself handles tabs
            '\t' => text.push(c),
            c => escape::push_escaped(&mut text, c),
        }
        if (begin..end).contains(&at) {
            span = Some(span.map_or(start, |span: Range<usize>| span.start)..text.len());
        }
    }
    let span = span.unwrap_or(text.len()..text.len());
    if chars.next().is_some() {
        text.push('…');
    }
    Excerpt { text, span }
}

/// Returns the number of characters to mark: a key, a word, a value up to the end of its line, or the character at which parsing
/// stopped.
fn extent(rest: impl Iterator<Item = char>, code: DiagnosticCode) -> usize {
    let rest: String = rest.take(2 * AROUND).collect();
    let meant = match code {
        DiagnosticCode::MalformedFrontmatter | DiagnosticCode::BadUtf8 => return 1,
        DiagnosticCode::UnknownField
        | DiagnosticCode::DuplicateKey
        | DiagnosticCode::RepairedYaml => rest.split(':').next().unwrap_or_default(),
        DiagnosticCode::MisspelledTool => rest.split(['`', '(']).next().unwrap_or_default(),
        _ => &rest,
    };
    meant.trim_end().chars().count().max(1)
}

/// Returns the line with the given number, starting at 1. Lines end with LF, CR LF or CR, as in YAML.
fn nth(bytes: &[u8], line: usize) -> String {
    let mut rest = bytes;
    for _ in 1..line {
        rest = after_line(rest).1;
    }
    String::from_utf8_lossy(after_line(rest).0).into_owned()
}

fn after_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
        Some(end) if bytes[end..].starts_with(b"\r\n") => (&bytes[..end], &bytes[end + 2..]),
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[]),
    }
}
