//! Messages about documents: the check's findings, formatted like rustc's errors, and the macros' own findings.

use super::{nearest, quoted};
use skill_manifest::__private::{escape_invisible, is_visible};
use skill_manifest::{Diagnostic, DiagnosticCode, Dialect, Severity};

/// The maximum number of characters of a line to show.
const WIDTH: usize = 96;

/// Formats a finding with its line in the document. Invisible characters in the path are escaped.
///
/// ```text
/// skills/review/SKILL.md:2:7: the name `b` differs from the name of its folder, `review` [name_mismatch]
///
///     |
///   2 | name: b
///     |       ^
///     = help: name both alike
/// ```
pub(crate) fn finding(path: &str, finding: &Diagnostic, source: &[u8]) -> String {
    let place = match (finding.line, finding.column) {
        (Some(line), Some(column)) => Some((line, column)),
        _ => None,
    };
    let at = place.map_or_else(String::new, |(line, column)| format!(":{line}:{column}"));
    let path = escape_invisible(path);
    let mut text = format!("{path}{at}: {} [{}]", finding.message, finding.code);
    let margin = match place {
        Some((line, column)) => {
            let (shown, before) = excerpt(&line_of(source, line), column);
            let number = line.to_string();
            let margin = " ".repeat(number.len());
            let caret = " ".repeat(before);
            text += &format!(
                "\n\n{margin} |\n{number} | {shown}\n{margin} | {caret}^",
                shown = shown.trim_end()
            );
            margin
        }
        None => {
            if finding.help.is_some() {
                text.push('\n');
            }
            String::new()
        }
    };
    if let Some(help) = &finding.help {
        text += &format!("\n{margin} = help: {help}");
    }
    text
}

/// Returns a line of text. As in YAML, lines end with LF, CR LF or CR.
fn line_of(source: &[u8], line: u32) -> String {
    let text = String::from_utf8_lossy(source);
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let mut lines = text.split(['\n', '\r']);
    let index = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
    lines.nth(index).unwrap_or_default().to_owned()
}

/// Returns the part of a line around a column, and the number of characters before the column. Invisible characters are escaped.
fn excerpt(line: &str, column: u32) -> (String, usize) {
    let column = usize::try_from(column.saturating_sub(1)).unwrap_or(usize::MAX);
    let length = line.chars().count();
    let column = column.min(length);
    let from = if length > WIDTH {
        column
            .saturating_sub(WIDTH / 2)
            .min(length.saturating_sub(WIDTH))
    } else {
        0
    };
    let mut shown = String::from(if from > 0 { "…" } else { "" });
    let mut before = shown.chars().count();
    for (index, c) in line.chars().enumerate().skip(from).take(WIDTH) {
        if index == column {
            before = shown.chars().count();
        }
        match c {
            c if is_visible(c) => shown.push(c),
            c => shown.extend(c.escape_default()),
        }
    }
    if column >= length {
        before = shown.chars().count();
    }
    if from + WIDTH < length {
        shown.push('…');
    }
    (shown, before)
}

/// Creates a finding about the whole file.
pub(crate) fn of_file(code: DiagnosticCode, message: String) -> Diagnostic {
    Diagnostic::new(code, Severity::Error, message)
}

pub(crate) fn unknown_dialect(name: &str) -> String {
    let known: Vec<&str> = Dialect::PRESETS
        .iter()
        .map(|dialect| dialect.name)
        .collect();
    match nearest(&name.to_uppercase(), &known) {
        Some(near) => format!("there is no dialect `{name}`; did you mean `{near}`?"),
        None => format!(
            "there is no dialect `{name}`; the dialects for macros are {}",
            quoted(&known)
        ),
    }
}

pub(crate) fn qualified_dialect(name: &str) -> String {
    format!("a dialect is named by one word: `dialect = {name}`")
}

pub(crate) fn toolsets_not_bound(types: &[&str]) -> (String, String) {
    let (message, types) = match types {
        [one] => (
            format!("the toolset `{one}` is bound to no Rust skill"),
            (*one).to_owned(),
        ),
        _ => (
            format!("the toolsets {} are bound to no Rust skills", quoted(types)),
            types.join(", "),
        ),
    };
    (
        message,
        format!("write `toolsets({types})` after the path, with skills of these names"),
    )
}

pub(crate) fn toolset_without_type(ty: &str) -> (String, String) {
    (
        format!("the toolset `{ty}` is bound to no Rust skill"),
        format!("add `{ty}` to `toolsets(...)`"),
    )
}

pub(crate) fn type_without_toolset(ty: &str, path: Option<&str>, named: &[&str]) -> String {
    let code = DiagnosticCode::UnboundToolset;
    let document = match path {
        Some(path) => format!("`{path}` does not have the toolset `{ty}`"),
        None => format!("no document has the toolset `{ty}`"),
    };
    match (nearest(ty, named), named) {
        (Some(near), _) => format!("{document}; did you mean `{near}`? [{code}]"),
        (None, []) => format!("{document}; remove it [{code}]"),
        (None, _) => format!("{document}; the toolsets are {} [{code}]", quoted(named)),
    }
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn a_long_line_is_shown_around_the_column() {
        let line = format!("{}X{}", "a".repeat(200), "b".repeat(200));
        let (shown, before) = excerpt(&line, 201);
        assert_eq!(shown.chars().count(), super::WIDTH + 2);
        assert_eq!(shown.chars().nth(before), Some('X'));
        assert!(shown.starts_with('…') && shown.ends_with('…'));
    }

    #[test]
    fn the_end_of_a_line_is_a_column_too() {
        assert_eq!(excerpt("abc", 4), ("abc".to_owned(), 3));
        assert_eq!(excerpt("", 1), (String::new(), 0));
        assert_eq!(excerpt("abc", u32::MAX), ("abc".to_owned(), 3));
    }

    #[test]
    fn invisible_characters_are_escaped() {
        assert_eq!(excerpt("\ta", 2), ("\\ta".to_owned(), 2));
        let (shown, before) = excerpt("a\u{202e}b", 3);
        assert_eq!((shown.as_str(), before), ("a\\u{202e}b", 9));
    }
}
