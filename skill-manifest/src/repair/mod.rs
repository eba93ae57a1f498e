//! Repairs the most common mistakes in documents found in the wild: unquoted keys and values that YAML cannot read, such as a
//! value with a colon or with a reserved first character.

mod entries;
mod flow;
mod lines;
mod literal;
mod quotes;

use crate::diagnostic::Position;
use crate::restriction_key::{has_restriction_key, is_restriction_key};
use crate::yaml::Node;
use crate::{DocumentLimits, yaml, yaml_help};
use entries::Repairer;
pub(crate) use literal::{restore_paths, restore_tags};
use std::ops::Range;

/// A frontmatter that parses after repairs. Its lines are unchanged, and its positions refer to the original file.
#[derive(Debug)]
pub(crate) struct Repaired {
    pub(crate) source: String,
    pub(crate) root: Node,
    /// The repairs in text order. There is at least one.
    pub(crate) fixes: Vec<Fix>,
}

/// A report on one repair.
#[derive(Debug, PartialEq)]
pub(crate) struct Fix {
    pub(crate) at: Position,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// The maximum number of repairs. If there are more mistakes, nothing is repaired.
const MAX: usize = 64;

/// Quotes keys, values and list items, at every level, that do not parse and that can only be intended as strings. Does not quote
/// a key or a continuation line that may be a misspelled restriction: if the restriction became part of a string, the document
/// would be allowed more than its author intended. Returns `None` if the repaired source is still invalid.
pub(crate) fn repair(source: &str, limits: &DocumentLimits, noun: &str) -> Option<Repaired> {
    let mut repairer = Repairer::new(source, limits);
    repairer.frontmatter();
    let edits = repairer.edits;
    if edits.is_empty() || edits.len() > MAX {
        return None;
    }
    let (repaired, shifts) = apply(source, &edits);
    let mut root = yaml::read(&repaired, limits, noun).ok()?;
    root.visit_mut(&mut |node| node.at = before_edits(node.at, &shifts));
    let fixes = edits.into_iter().map(|edit| edit.fix).collect();
    Some(Repaired {
        source: repaired,
        root,
        fixes,
    })
}

/// Replaces a part of the source with a quoted string.
struct Edit {
    range: Range<usize>,
    /// The string, including its quotes.
    quoted: String,
    fix: Fix,
}

/// The position after an edit, in the repaired and in the original source.
struct Shift {
    repaired: Position,
    source: Position,
}

/// Applies edits, which must be in text order.
fn apply(source: &str, edits: &[Edit]) -> (String, Vec<Shift>) {
    let mut repaired = String::with_capacity(source.len() + 2 * edits.len());
    let mut shifts = Vec::with_capacity(edits.len());
    let mut end = 0;
    for edit in edits {
        repaired.push_str(&source[end..edit.range.start]);
        repaired.push_str(&edit.quoted);
        end = edit.range.end;
        shifts.push(Shift {
            repaired: Position::of(repaired.as_bytes(), repaired.len()),
            source: Position::of(source.as_bytes(), end),
        });
    }
    repaired.push_str(&source[end..]);
    (repaired, shifts)
}

/// Converts a position in the repaired source to the original source.
fn before_edits(at: Position, shifts: &[Shift]) -> Position {
    let is_before =
        |shift: &&Shift| shift.repaired.line == at.line && shift.repaired.column <= at.column;
    match shifts.iter().rev().find(is_before) {
        Some(shift) => Position {
            line: at.line,
            column: at.column - shift.repaired.column + shift.source.column,
        },
        None => at,
    }
}

/// Returns whether a restriction would be lost if a key's value became a string. A restriction under its own name is not lost.
fn hides_restriction(key: &str, text: &str) -> bool {
    let is_own_name = crate::FrontmatterField::of(key).is_some();
    let mut further_lines = text.split(ENDS_LINE).skip(1);
    (!is_own_name && is_restriction_key(key)) || further_lines.any(has_restriction_key)
}

/// The characters after which a human reader sees a new line. Not all of them end a line in YAML.
const ENDS_LINE: [char; 7] = [
    '\n', '\r', '\u{B}', '\u{C}', '\u{85}', '\u{2028}', '\u{2029}',
];

/// Returns the help for a value that needs quotes.
fn help_of_value(key: &str, text: &str) -> String {
    yaml_help::of_value(key, text).unwrap_or_else(|| format!("put the value of `{key}` in quotes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(source: &str) -> Option<(String, Vec<String>)> {
        let repaired = repair(source, &DocumentLimits::DEFAULT, "it")?;
        let fixes = repaired.fixes.iter();
        let said = fixes.map(|fix| format!("{}:{} {}", fix.at.line, fix.at.column, fix.message));
        Some((repaired.source, said.collect()))
    }

    #[test]
    fn a_value_with_a_colon_is_a_string() {
        let (source, said) =
            repaired("name: a\n\ndescription: Use it: now, it's new\n  and: here\n\nx: 1\n")
                .unwrap();
        assert_eq!(
            source,
            "name: a\n\ndescription: 'Use it: now, it''s new\n  and: here'\n\nx: 1\n"
        );
        assert_eq!(
            said,
            ["3:14 the value of `description` is not valid YAML and is read as a string"]
        );
    }

    #[test]
    fn too_many_mistakes_are_not_repaired() {
        let many = |count: usize| {
            (0..count)
                .map(|n| format!("k{n}: a: b\n"))
                .collect::<String>()
        };
        assert!(repaired(&many(MAX)).is_some());
        assert_eq!(repaired(&many(MAX + 1)), None);
    }

    #[test]
    fn what_may_be_structure_is_not_repaired() {
        for source in [
            "a: [x: y: z\n",
            "a: *x\n",
            "a: &x y: z\n",
            "a: !!str y: z\n",
            "a: 1\n",
            ": x: y\n",
            "",
            "- a: b: c\n",
            "a: - b\n",
            "a: \"x\nb: y\n",
            "a: x: y\n  allowed-tools: Read\n",
            "a: |x\n b: c: d\n",
            "a: [x, 'y]\n",
            "a: [b: c: d # e]\n",
            "allowed-tools: [Read, @x] # not Bash\n",
            "allowed-tools: \"Read(C:\\d)\" # not Bash\n",
            "allowed-tools: Read(a: b) # not Bash\n",
            "allowed-tools:\n  - @x # not Bash\n",
        ] {
            assert_eq!(repaired(source), None, "{source}");
        }
    }

    #[test]
    fn a_repair_is_a_string_in_single_quotes() {
        for (source, expected) in [
            ("a: `x`\r\nb: @y\r\n", "a: '`x`'\r\nb: '@y'\r\n"),
            (
                "argument-hint: [issue] [branch]\n",
                "argument-hint: '[issue] [branch]'\n",
            ),
            ("a: [x] y\n", "a: '[x] y'\n"),
            ("a: {{x}} y\n", "a: '{{x}} y'\n"),
            ("a: > x y\n", "a: '> x y'\n"),
            ("a: *x* y\n", "a: '*x* y'\n"),
            ("a: *.rs\n", "a: '*.rs'\n"),
            ("a: *\n", "a: '*'\n"),
            ("a: \"x\" y\n", "a: '\"x\" y'\n"),
            ("a: \"x\" or \"y\"\n", "a: '\"x\" or \"y\"'\n"),
            ("a: \"say \"x\" now\"\n", "a: 'say \"x\" now'\n"),
            ("a: \"C:\\x \\\"y\\\"\"\n", "a: 'C:\\x \"y\"'\n"),
            ("a: 'It's'\n", "a: 'It''s'\n"),
            ("a: 'tis x\n", "a: '''tis x'\n"),
            ("a:\n  x\n  y: z\n", "a:\n  'x\n  y: z'\n"),
            ("a:\n- x\n- *\n", "a:\n- x\n- '*'\n"),
            ("a:\n  - x(y: *)\n", "a:\n  - 'x(y: *)'\n"),
            (
                "a:\n  - b: c: d\n    e: @f\n  - g\n",
                "a:\n  - b: 'c: d'\n    e: '@f'\n  - g\n",
            ),
            ("a:\n  b:\n    @x/y: 1\n", "a:\n  b:\n    '@x/y': 1\n"),
            ("a: [x,@y/z]\n", "a: [x,'@y/z']\n"),
            (
                "a: {b: @c, @d: [e, %f]}\n",
                "a: {b: '@c', '@d': [e, '%f']}\n",
            ),
            ("a: [*.{b,c}, d]\n", "a: ['*.{b,c}', d]\n"),
            ("a: [\"b\\\", c\", @d]\n", "a: [\"b\\\", c\", '@d']\n"),
        ] {
            let found = repaired(source).map(|(source, _)| source);
            assert_eq!(found.as_deref(), Some(expected), "{source}");
        }
    }

    #[test]
    fn positions_are_those_of_the_file() {
        let source = "a: [@x, @y, z]\n@k: v\n";
        let root = repair(source, &DocumentLimits::DEFAULT, "it").unwrap().root;
        let mut found = Vec::new();
        root.visit(&mut |node| found.push((node.at.line, node.at.column)));
        assert_eq!(
            found,
            [
                (1, 1),
                (1, 1),
                (1, 4),
                (1, 5),
                (1, 9),
                (1, 13),
                (2, 1),
                (2, 5)
            ]
        );
    }
}
