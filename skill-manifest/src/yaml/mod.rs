//! YAML with positions, restricted to the features that a small document needs.

mod error;
mod limits;
mod read;
mod scalar;
mod tag;
#[cfg(test)]
mod tests;

use crate::DocumentLimits;
use crate::diagnostic::Position;

pub(crate) use error::YamlError;

/// A value with its position.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) at: Position,
    pub(crate) value: Value,
    /// Whether the value has a tag, as in `!!str a`.
    pub(crate) tagged: bool,
    /// The tag as written if it has no meaning here, as in `!important a`.
    pub(crate) ignored_tag: Option<Box<str>>,
    /// The byte range in the source.
    span: (usize, usize),
}

#[derive(Debug)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number,
    Text(String),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// Returns a scalar as written, without quotes, or `None` for lists and mappings.
    pub(crate) fn scalar<'a>(&'a self, source: &'a str) -> Option<&'a str> {
        match &self.value {
            Value::Text(text) => Some(text),
            Value::Null | Value::Bool(_) | Value::Number => source.get(self.span.0..self.span.1),
            Value::List(_) | Value::Map(_) => None,
        }
    }

    /// Returns a scalar as written, including its quotes.
    pub(crate) fn source<'a>(&self, source: &'a str) -> &'a str {
        source.get(self.span.0..self.span.1).unwrap_or_default()
    }

    /// Returns the comment behind an unquoted value in the same line, and its offset.
    pub(crate) fn comment<'a>(&self, source: &'a str) -> Option<(usize, &'a str)> {
        let (begin, end) = self.span;
        let is_quoted = source.get(begin..)?.starts_with(['"', '\'', '|', '>']);
        let behind = source.get(end..)?.lines().next()?;
        let comment = behind.trim_start();
        let at = end + behind.len() - comment.len();
        (!is_quoted && comment.starts_with('#')).then_some((at, comment.trim_end()))
    }

    /// Returns the name of the value's type, for messages.
    pub(crate) const fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number => "a number",
            Value::Text(_) => "a string",
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
        }
    }

    /// Returns whether the value is written as `[…]` or `{…}`.
    pub(crate) fn is_flow(&self, source: &str) -> bool {
        matches!(self.value, Value::List(_) | Value::Map(_))
            && source[self.span.0..].starts_with(['[', '{'])
    }

    /// Returns the value as JSON, for values that are kept but not interpreted. Scalars other than booleans and null become
    /// strings, as written.
    pub(crate) fn json(&self, source: &str) -> String {
        self.json_with(source, &quoted)
    }

    /// Returns the value as JSON, where a number that `is_json` refuses becomes a string, as written.
    pub(crate) fn json_with_numbers(&self, source: &str, is_json: fn(&str) -> bool) -> String {
        self.json_with(source, &|number| {
            if is_json(number) {
                number.to_owned()
            } else {
                quoted(number)
            }
        })
    }

    fn json_with(&self, source: &str, number: &dyn Fn(&str) -> String) -> String {
        let scalar = || self.scalar(source).unwrap_or_default();
        match &self.value {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Number => number(scalar()),
            Value::Text(_) => quoted(scalar()),
            Value::List(items) => {
                let items = items.iter().map(|item| item.json_with(source, number));
                format!("[{}]", items.collect::<Vec<_>>().join(","))
            }
            Value::Map(entries) => {
                let entries = entries.iter().map(|(key, value)| {
                    let key = quoted(key.scalar(source).unwrap_or_default());
                    format!("{key}:{}", value.json_with(source, number))
                });
                format!("{{{}}}", entries.collect::<Vec<_>>().join(","))
            }
        }
    }

    /// Visits this node and all nodes below it mutably, in text order.
    pub(crate) fn visit_mut(&mut self, change: &mut impl FnMut(&mut Self)) {
        change(self);
        match &mut self.value {
            Value::List(items) => items.iter_mut().for_each(|item| item.visit_mut(change)),
            Value::Map(entries) => entries.iter_mut().for_each(|(key, value)| {
                key.visit_mut(change);
                value.visit_mut(change);
            }),
            _ => {}
        }
    }

    /// Visits this node and all nodes below it, in text order.
    pub(crate) fn visit(&self, see: &mut impl FnMut(&Self)) {
        see(self);
        match &self.value {
            Value::List(items) => items.iter().for_each(|item| item.visit(see)),
            Value::Map(entries) => entries.iter().for_each(|(key, value)| {
                key.visit(see);
                value.visit(see);
            }),
            _ => {}
        }
    }
}

/// Formats text as a JSON string literal.
fn quoted(text: &str) -> String {
    let mut json = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            c if c.is_control() => json.push_str(&format!("\\u{:04x}", c as u32)),
            c => json.push(c),
        }
    }
    json.push('"');
    json
}

/// Parses a single YAML document, which messages call `noun`. Positions count from the first line of `source`.
pub(crate) fn read(source: &str, limits: &DocumentLimits, noun: &str) -> Result<Node, YamlError> {
    read::Reader::new(source, limits)
        .document()
        .map_err(|failure| failure.into_error(noun))
}
