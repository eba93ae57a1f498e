//! Restores values that are valid YAML but do not mean what their author wrote.

use super::Fix;
use super::quotes::literal;
use crate::yaml::{Node, Value};

/// Makes a tag without a meaning a part of the scalar after it, as in `description: !important things`. Drops a tag on a list, a
/// mapping or a key.
pub(crate) fn restore_tags(root: &mut Node, source: &str) -> Vec<Fix> {
    let mut fixes = Vec::new();
    visit(root, source, "the frontmatter", &mut |node, part| {
        let Some(tag) = node.ignored_tag.clone() else {
            return;
        };
        let Part::Value(key) = part else {
            fixes.push(Fix {
                at: node.at,
                message: match node.scalar(source) {
                    Some(key) => format!("the tag `{tag}` of the key `{key}` is left out"),
                    None => format!("the tag `{tag}` of a key is left out"),
                },
                help: format!("remove `{tag}`"),
            });
            return;
        };
        let (message, help) = match node.scalar(source) {
            Some(text) => {
                let text = format!("{tag} {text}").trim_end().to_owned();
                let said = format!(
                    "`{tag}` is a tag in YAML, and is read as a part of the value of `{key}`"
                );
                node.value = Value::Text(text);
                (said, format!("put the value of `{key}` in quotes"))
            }
            None => (
                format!("the tag `{tag}` of the value of `{key}` is left out"),
                format!("remove `{tag}`"),
            ),
        };
        fixes.push(Fix {
            at: node.at,
            message,
            help,
        });
    });
    fixes
}

/// Restores the written form of a Windows path in double quotes, because YAML reads `"C:\temp"` with a tab.
pub(crate) fn restore_paths(root: &mut Node, source: &str) -> Vec<Fix> {
    let mut fixes = Vec::new();
    visit(root, source, "the frontmatter", &mut |node, part| {
        let Part::Value(key) = part else {
            return;
        };
        let inner = node.source(source).strip_prefix('"');
        let Some(inner) = inner.and_then(|text| text.strip_suffix('"')) else {
            return;
        };
        if !has_windows_path(inner) {
            return;
        }
        node.value = Value::Text(literal(inner));
        fixes.push(Fix {
            at: node.at,
            message: format!(
                "the value of `{key}` has a path, and its backslashes are read as they are written"
            ),
            help: format!("put the value of `{key}` in single quotes"),
        });
    });
    fixes
}

/// Returns whether text contains a drive and a single backslash, as in `C:\dir`.
fn has_windows_path(text: &str) -> bool {
    text.match_indices(":\\").any(|(colon, _)| {
        let mut before = text[..colon].chars().rev();
        let is_drive = before.next().is_some_and(|c| c.is_ascii_alphabetic());
        let is_word = before.next().is_some_and(char::is_alphanumeric);
        let mut after = text[colon + 2..].chars();
        let first = after.next();
        // in `Vitamin C:
        // Take it`, `
        // ` is a line end
        let is_line_end = first == Some('n') && after.next().is_none_or(|c| !c.is_lowercase());
        is_drive && !is_word && !is_line_end && first.is_some_and(char::is_alphanumeric)
    })
}

/// A part of a mapping.
enum Part<'a> {
    /// The value of this key, or an item of its list.
    Value(&'a str),
    /// A key, or a part of it.
    Key,
}

/// Visits each key and each value, in text order.
fn visit(node: &mut Node, source: &str, key: &str, see: &mut impl FnMut(&mut Node, Part<'_>)) {
    see(node, Part::Value(key));
    match &mut node.value {
        Value::List(items) => {
            for item in items {
                visit(item, source, key, see);
            }
        }
        Value::Map(entries) => {
            for (key, value) in entries {
                key.visit_mut(&mut |part| see(part, Part::Key));
                let key = key.scalar(source).unwrap_or_default().to_owned();
                visit(value, source, &key, see);
            }
        }
        _ => {}
    }
}
