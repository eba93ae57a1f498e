//! Finds keys, values and items that do not parse.

use super::flow::{self, Flow};
use super::lines::{Block, entries, first_content, is_item, line_at, trimmed};
use super::quotes::{meant, quoted};
use super::{Edit, Fix, MAX, help_of_value, hides_restriction};
use crate::diagnostic::Position;
use crate::restriction_key::is_restriction_key;
use crate::{DocumentLimits, FrontmatterField, yaml};
use std::ops::Range;

/// Collects the edits of a source. Each edit quotes text that does not parse by itself and can only be meant as a string. The
/// whole source is parsed again afterwards, so text that stays invalid is not reported here.
pub(super) struct Repairer<'a> {
    source: &'a str,
    limits: &'a DocumentLimits,
    /// The edits so far. Collecting stops with the first edit that exceeds the limit.
    pub(super) edits: Vec<Edit>,
    depth: usize,
}

/// The owner of a value: its key or list.
#[derive(Clone, Copy)]
enum Owner<'a> {
    Key(&'a str),
    /// The list under a key.
    List(&'a str),
}

impl<'a> Owner<'a> {
    const fn key(self) -> &'a str {
        match self {
            Self::Key(key) | Self::List(key) => key,
        }
    }
}

/// The key at the beginning of an entry.
struct Key<'a> {
    text: &'a str,
    range: Range<usize>,
    /// The offset after the colon.
    end: usize,
}

impl<'a> Repairer<'a> {
    pub(super) const fn new(source: &'a str, limits: &'a DocumentLimits) -> Self {
        Self {
            source,
            limits,
            edits: Vec::new(),
            depth: 0,
        }
    }

    /// Repairs every top-level entry, including entries after one that cannot be repaired.
    pub(super) fn frontmatter(&mut self) {
        let whole = 0..self.source.len();
        if let Some(first) = first_content(self.source, whole.clone()) {
            self.mapping(first..whole.end);
        }
    }

    fn mapping(&mut self, block: Range<usize>) {
        for entry in entries(self.source, block, Block::Mapping) {
            if !self.parses(&self.source[entry.clone()]) {
                self.entry(entry);
            }
        }
    }

    /// Repairs a key and its value.
    fn entry(&mut self, entry: Range<usize>) {
        let Some(key) = self.key(entry.clone()) else {
            return;
        };
        if is_restriction_key(key.text) && FrontmatterField::of(key.text).is_none() {
            return;
        }
        if !self.parses(&format!("{}: x", key.text)) {
            if key.text == "<<" || meant_by(key.text).is_none() {
                return;
            }
            let message = format!(
                "the key `{}` is not valid YAML and is read as a string",
                key.text
            );
            let help = format!("put the key `{}` in quotes", key.text);
            self.quote(key.range.clone(), key.text, message, help);
        }
        let value = trimmed(self.source, key.end..entry.end);
        let is_below = self.source[key.end..value.start].contains(['\n', '\r']);
        if value.is_empty() || self.parses(&format!("k:{}", &self.source[key.end..entry.end])) {
            return;
        }
        if is_below && !is_text(key.text) {
            self.nested(|this| this.below(key.text, key.end..entry.end));
        } else {
            self.value(Owner::Key(key.text), value);
        }
    }

    /// Repairs a list or a mapping below its key, or a string that begins there.
    fn below(&mut self, key: &str, block: Range<usize>) {
        let Some(first) = first_content(self.source, block.clone()) else {
            return;
        };
        if is_item(line_at(self.source, first)) {
            self.list(key, first..block.end);
        } else if self.key(first..block.end).is_some() {
            self.mapping(first..block.end);
        } else {
            self.value(Owner::Key(key), trimmed(self.source, first..block.end));
        }
    }

    fn list(&mut self, key: &str, block: Range<usize>) {
        for item in entries(self.source, block, Block::List) {
            if self.parses(&self.source[item.clone()]) {
                continue;
            }
            let content = trimmed(self.source, item.start + 1..item.end);
            if self.key(content.start..item.end).is_some() {
                self.mapping(content.start..item.end);
            } else {
                self.value(Owner::List(key), content);
            }
        }
    }

    /// Repairs a value that does not parse: `[…]` and `{…}` item by item, anything else as a string.
    fn value(&mut self, owner: Owner<'_>, value: Range<usize>) {
        let text = &self.source[value.clone()];
        // this is the only key whose documented values have brackets, as in `[issue] [branch]`
        let is_hint = owner.key() == FrontmatterField::ArgumentHint.key();
        if text.starts_with(['[', '{']) && !is_hint {
            match flow::split(self.source, value.clone()) {
                Flow::Items(items) => {
                    let is_mapping = text.starts_with('{');
                    return self.nested(|this| this.items(owner.key(), items, is_mapping));
                }
                Flow::Unclear => return,
                Flow::Text => {}
            }
        }
        // a tool that is only in a comment must not be allowed
        if hides_restriction(owner.key(), text) || !is_text(owner.key()) && has_comment(text) {
            return;
        }
        let Some(meant) = meant_by(text) else {
            return;
        };
        let (what, help) = match owner {
            Owner::Key(key) => (format!("the value of `{key}`"), help_of_value(key, text)),
            Owner::List(key) => {
                let item = text.lines().next().unwrap_or_default();
                (
                    format!("an item of `{key}`"),
                    format!("put the item `{item}` of `{key}` in quotes"),
                )
            }
        };
        let message = format!("{what} is not valid YAML and is read as a string");
        self.quote(value, &meant, message, help);
    }

    /// Repairs the items of `[…]` or `{…}`.
    fn items(&mut self, key: &str, items: Vec<Range<usize>>, is_mapping: bool) {
        for item in items {
            let text = &self.source[item.clone()];
            if is_mapping && !self.parses(&format!("{{{text}}}")) {
                self.entry(item);
            } else if !is_mapping && !self.parses(&format!("[{text}]")) {
                self.value(Owner::List(key), item);
            }
        }
    }

    /// Repairs a nested level, unless it is too deep.
    fn nested(&mut self, look: impl FnOnce(&mut Self)) {
        if self.depth < self.limits.depth {
            self.depth += 1;
            look(self);
            self.depth -= 1;
        }
    }

    /// Returns the key at the beginning of an entry, if it is in one line and contains no whitespace.
    fn key(&self, entry: Range<usize>) -> Option<Key<'a>> {
        let at = entry.start;
        let line = line_at(&self.source[..entry.end], at);
        let content = line.trim_start_matches(' ');
        let start = at + (line.len() - content.len());
        let colon = content.match_indices(':').find(|(colon, _)| {
            let rest = &content[colon + 1..];
            rest.is_empty() || rest.starts_with([' ', '\t'])
        });
        let (length, _) = colon?;
        let text = &content[..length];
        let is_key = !text.is_empty()
            && !is_item(content)
            && !text.contains([' ', '\t', '"', '\'', '[', ']', '{', '}', '(', ')', '#', ',']);
        is_key.then(|| Key {
            text,
            range: start..start + length,
            end: start + length + 1,
        })
    }

    fn parses(&self, source: &str) -> bool {
        yaml::read(source, self.limits, "").is_ok()
    }

    fn quote(&mut self, range: Range<usize>, text: &str, message: String, help: String) {
        if self.edits.len() > MAX {
            return;
        }
        self.edits.push(Edit {
            quoted: quoted(text),
            fix: Fix {
                at: Position::of(self.source.as_bytes(), range.start),
                message,
                help,
            },
            range,
        });
    }
}

/// Returns whether YAML would read a comment in an unquoted value.
fn has_comment(text: &str) -> bool {
    text.match_indices('#')
        .any(|(at, _)| text[..at].ends_with(char::is_whitespace))
}

/// Returns whether a key's value is prose, so that `a: b` below it is not a mapping.
fn is_text(key: &str) -> bool {
    let field = FrontmatterField::of(key);
    field.is_some_and(|field| {
        matches!(
            field,
            FrontmatterField::Description
                | FrontmatterField::BriefDescription
                | FrontmatterField::Summary
                | FrontmatterField::License
                | FrontmatterField::Compatibility
                | FrontmatterField::ArgumentHint
        )
    })
}

/// Returns the intended string of an invalid value, or `None` if the value may be something other than a string.
fn meant_by(text: &str) -> Option<String> {
    let mut chars = text.chars();
    let first = chars.next()?;
    let rest = chars.as_str();
    let is_alone = rest.is_empty() || rest.starts_with(char::is_whitespace);
    let is_text = match first {
        '"' | '\'' => return meant(text),
        // a list or a complex key
        '-' | '?' => !is_alone,
        '&' => is_alone,
        '*' => {
            rest.is_empty()
                || !rest
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
        }
        // `!!str` and `!<uri>` are certainly tags
        '!' => !rest.starts_with(['!', '<']),
        '|' | '>' => rest.starts_with([' ', '\t']),
        '#' => false,
        _ => true,
    };
    is_text.then(|| text.to_owned())
}
