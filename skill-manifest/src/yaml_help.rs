//! Gives advice for the line of a YAML syntax error. The parser says what it could not read. This module tries to find out what
//! the author most likely meant.

use crate::diagnostic::Position;

/// The characters with a special meaning at the beginning of a YAML value.
const INDICATORS: &str = "@`%&*!,[]{}";

/// The maximum number of characters of a line that the advice quotes.
const SHOWN: usize = 40;

/// Returns advice for an error at this position of the YAML.
pub(crate) fn help(yaml: &str, at: Option<Position>) -> String {
    let number = at.map_or(0, |at| at.line.saturating_sub(1) as usize);
    let lines: Vec<&str> = yaml.lines().collect();
    let line = lines.get(number).copied().unwrap_or_default();
    let above = lines.get(..number).unwrap_or_default();
    // the parser reports some tabs at the line above
    let below = lines.get(number + 1).copied().unwrap_or_default();
    if is_indented_with_a_tab(line) || is_indented_with_a_tab(below) {
        return "indent with spaces: YAML does not allow tabs".to_owned();
    }
    if let Some(end) = above
        .iter()
        .find(|line| matches!(line.trim_end(), "..." | "---"))
    {
        return format!(
            "remove the line `{}` above, which ends a document",
            end.trim_end()
        );
    }
    if let Some(help) = unfinished_above(above) {
        return help;
    }
    let Some((key, value)) = entry(line) else {
        return no_entry(line);
    };
    if let Some(help) = of_value(key, value) {
        return help;
    }
    if line.starts_with(' ')
        && let Some((owner, text)) = owner(above)
    {
        return misplaced(key, owner, text);
    }
    if line.trim_start().starts_with("- ") {
        return "write either `key: value` lines or `- item` lines below one key, not both"
            .to_owned();
    }
    format!("write `{key}` as `key: value`, in line with the keys above it")
}

/// Returns whether the indentation of a line contains a tab.
fn is_indented_with_a_tab(line: &str) -> bool {
    let mut indentation = line.chars().take_while(|c| c.is_whitespace());
    indentation.any(|c| c == '\t')
}

/// Splits a line into its key and value.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim_start().trim_start_matches("- ").trim();
    let is_closed = ['"', '\'']
        .iter()
        .all(|quote| key.matches(*quote).count() % 2 == 0);
    let is_entry =
        !key.is_empty() && is_closed && (value.is_empty() || value.starts_with([' ', '\t']));
    is_entry.then(|| (key, value.trim()))
}

/// Returns advice for a line without a key and a value.
fn no_entry(line: &str) -> String {
    match line.trim().split_once(':') {
        Some((key, value)) if !key.is_empty() && !key.contains([' ', '"', '\'']) => {
            format!("write a space after the colon: `{key}: {value}`")
        }
        _ if line.starts_with(['"', '\'']) => "close the quote of the key".to_owned(),
        _ if line.trim_start().starts_with("- ") => {
            "indent the items of a list below their key, and put an item with `: ` in quotes"
                .to_owned()
        }
        _ => {
            let start: String = line.trim().chars().take(SHOWN).collect();
            let more = if line.trim().len() > start.len() {
                "…"
            } else {
                ""
            };
            format!(
                "write `{start}{more}` as `key: value`, or indent it if it continues the value above"
            )
        }
    }
}

/// Returns advice for a mistake in the lines above: a line without a value, or an unclosed bracket or quote.
fn unfinished_above(above: &[&str]) -> Option<String> {
    let last = above.iter().rposition(|line| !line.trim().is_empty())?;
    let line = above[last];
    if line.starts_with([' ', '#', '-']) {
        return None;
    }
    let Some((key, value)) = entry(line) else {
        return (last == 0 || !line.contains([' ', '"', '\''])).then(|| no_entry(line));
    };
    let first = value.chars().next()?;
    let closing = match first {
        '[' => ']',
        '{' => '}',
        '"' | '\'' => first,
        _ => return None,
    };
    let is_open = !value[1..].contains(closing);
    is_open.then(|| format!("close the value of `{key}` with `{closing}`"))
}

/// Returns advice for a mistake that the value itself shows.
pub(crate) fn of_value(key: &str, value: &str) -> Option<String> {
    let quotes = |why: String| Some(format!("put the value of `{key}` in quotes: it {why}"));
    let first = value.chars().next()?;
    let rest = &value[first.len_utf8()..];
    match first {
        '"' if rest.contains('\\') => Some(format!(
            "write `\\\\` for each backslash of the value of `{key}`, or put it in single quotes"
        )),
        '"' | '\'' => Some(of_quoted(key, first, rest)),
        '|' | '>' => Some(format!(
            "begin the text of `{key}` on the line below the `{first}`"
        )),
        '-' if rest.starts_with([' ', '\t']) => Some(format!(
            "begin a list on the line below `{key}:`, or put a text that begins with `- ` in quotes"
        )),
        '?' if rest.starts_with([' ', '\t']) => quotes("begins with `? `".to_owned()),
        _ if INDICATORS.contains(first) => quotes(format!("begins with `{first}`")),
        _ if value.contains(": ") || value.ends_with(':') => quotes("contains `: `".to_owned()),
        _ if value.contains(" #") => quotes("contains ` #`, which begins a comment".to_owned()),
        _ if value.chars().any(char::is_control) => Some(format!(
            "remove the control character from the value of `{key}`"
        )),
        _ => None,
    }
}

/// Returns advice for a value that begins with a quote.
fn of_quoted(key: &str, quote: char, rest: &str) -> String {
    if !rest.contains(quote) {
        let apostrophe = match quote {
            '\'' => ", or put it in `\"` if it begins with an apostrophe",
            _ => "",
        };
        return format!("close the value of `{key}` with `{quote}`{apostrophe}");
    }
    if !rest.ends_with(quote) {
        let other = if quote == '"' { '\'' } else { '"' };
        return format!(
            "put the whole value of `{key}` in `{other}`: it goes on after its closing `{quote}`"
        );
    }
    let escaped = if quote == '"' { "\\\"" } else { "''" };
    format!("write `{escaped}` for each `{quote}` inside of the value of `{key}`")
}

/// If an indented line would continue a plain value above it, returns the key of that value and the value.
fn owner<'a>(above: &[&'a str]) -> Option<(&'a str, &'a str)> {
    let line = above
        .iter()
        .rev()
        .find(|line| !line.starts_with(' ') && !line.trim().is_empty())?;
    entry(line).filter(|(_, value)| !value.is_empty() && !value.starts_with(['|', '>']))
}

/// Returns advice for a key that is indented below a value.
fn misplaced(key: &str, owner: &str, text: &str) -> String {
    let comment = if text.contains(" #") {
        ", and quote a ` #`"
    } else {
        ""
    };
    format!(
        "`{key}: ` is indented, so it is part of the value of `{owner}`: write `{owner}: >-` and the text below it{comment}, \
         or remove the indentation if `{key}` is a key"
    )
}

#[cfg(test)]
mod tests {
    use super::help;
    use crate::{DocumentLimits, yaml};

    /// Asserts that the YAML is refused, and returns the advice.
    fn advice(source: &str) -> String {
        let why = yaml::read(source, &DocumentLimits::DEFAULT, "it").expect_err(source);
        help(source, why.at)
    }

    #[test]
    fn the_advice_names_the_fault_of_the_value() {
        for (value, expected) in [
            (
                "see: this",
                "put the value of `d` in quotes: it contains `: `",
            ),
            (
                "@foo bar",
                "put the value of `d` in quotes: it begins with `@`",
            ),
            (
                "`x` does",
                "put the value of `d` in quotes: it begins with ```",
            ),
            (
                "[TODO] write it",
                "put the value of `d` in quotes: it begins with `[`",
            ),
            (
                "{{name}} does",
                "put the value of `d` in quotes: it begins with `{`",
            ),
            (
                "- a: b",
                "begin a list on the line below `d:`, or put a text that begins with `- ` in quotes",
            ),
            (
                "foo # bar\n  baz",
                "put the value of `d` in quotes: it contains ` #`, which begins a comment",
            ),
            (
                "| text here",
                "begin the text of `d` on the line below the `|`",
            ),
            (
                "\"Foo\" bar",
                "put the whole value of `d` in `'`: it goes on after its closing `\"`",
            ),
            (
                "\"say \"hi\" now\"",
                "write `\\\"` for each `\"` inside of the value of `d`",
            ),
            (
                "'it's good'",
                "write `''` for each `'` inside of the value of `d`",
            ),
            (
                "\"C:\\Users\"",
                "write `\\\\` for each backslash of the value of `d`, or put it in single quotes",
            ),
            ("\"foo\nl: MIT", "close the value of `d` with `\"`"),
            ("[a, b\nl: MIT", "close the value of `d` with `]`"),
            ("\"foo", "close the value of `d` with `\"`"),
            (
                "a\u{1}b",
                "remove the control character from the value of `d`",
            ),
        ] {
            assert_eq!(advice(&format!("n: x\nd: {value}\n")), expected, "{value}");
        }
    }

    #[test]
    fn the_advice_names_the_fault_of_the_line() {
        for (source, expected) in [
            (
                "d: Does it.\n  Keywords: a, b\n",
                "`Keywords: ` is indented, so it is part of the value of `d`: write `d: >-` and the text below it, \
                 or remove the indentation if `Keywords` is a key",
            ),
            ("n:x\nd: e\n", "write a space after the colon: `n: x`"),
            (
                "l: MIT\nn:x\nd: e\n",
                "write a space after the colon: `n: x`",
            ),
            (
                "d: e\njust a line\n",
                "write `just a line` as `key: value`, or indent it if it continues the value above",
            ),
            (
                "d: e\n...\nx: y\n",
                "remove the line `...` above, which ends a document",
            ),
            (
                "name\nd: e\n",
                "write `name` as `key: value`, or indent it if it continues the value above",
            ),
            (
                "m:\n\ta: b\n",
                "indent with spaces: YAML does not allow tabs",
            ),
            (
                "m:\n  a: b\n\tc: d\n",
                "indent with spaces: YAML does not allow tabs",
            ),
            (
                "m:\n  a: b\n c: d\n",
                "write `c` as `key: value`, in line with the keys above it",
            ),
            (
                "d: e\n- a\n",
                "indent the items of a list below their key, and put an item with `: ` in quotes",
            ),
            ("\"n: x\nd: e\n", "close the quote of the key"),
        ] {
            assert_eq!(advice(source), expected, "{source}");
        }
    }
}
