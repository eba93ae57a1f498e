//! The reader built on `serde-saphyr`. This crate's reader is compared with it.

use super::super::{Node, Value, YamlError};
use crate::diagnostic::Position;
use crate::{DiagnosticCode, DocumentLimits};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::options::{DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy};
use serde_saphyr::{Error, Options, Spanned, Tagged};
use std::fmt;

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Tagged(spanned, tag) = Tagged::<Spanned<Value>>::deserialize(deserializer)?;
        let position = spanned.referenced;
        let begin = position.span().byte_offset().unwrap_or_default() as usize;
        let length = position.span().byte_len().unwrap_or_default() as usize;
        Ok(Self {
            at: Position {
                line: position.line() as u32,
                column: position.column() as u32,
            },
            value: spanned.value,
            tagged: tag.is_some(),
            ignored_tag: None,
            span: (begin, begin + length),
        })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_i128<E>(self, _: i128) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_u128<E>(self, _: u128) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Value::Map(entries))
    }
}

/// Parses a single YAML document. Messages call it `noun`. Positions count from the first line of `source`.
pub(super) fn read(source: &str, limits: &DocumentLimits, noun: &str) -> Result<Node, YamlError> {
    serde_saphyr::from_str_with_options(source, options(limits))
        .map_err(|error| yaml_error(&error, noun))
}

fn options(limits: &DocumentLimits) -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_anchors: 0,
            max_aliases: 0,
            max_merge_keys: 0,
            max_documents: 1,
            max_depth: limits.depth,
            flow_nesting_limit: limits.depth,
            max_nodes: limits.nodes,
            // a scalar is one event; a list or a mapping has a start and an end
            max_events: limits.nodes.saturating_mul(3).saturating_add(8),
        },
        strict_booleans: true,
        with_snippet: false,
        // reported at the position of the second key
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        merge_keys: MergeKeyPolicy::Error,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
    }
}

fn yaml_error(error: &Error, noun: &str) -> YamlError {
    let position = error.location().filter(|position| position.line() > 0);
    let at = position.map(|position| Position {
        line: position.line() as u32,
        column: (position.column() as u32).max(1),
    });
    let (code, message) = match error {
        Error::Budget { breach, .. } => breached(breach, noun),
        Error::UnknownAnchor { .. } => (
            DiagnosticCode::YamlFeature,
            "an alias refers to nothing".to_owned(),
        ),
        Error::MergeKeyNotAllowed { .. } => (
            DiagnosticCode::YamlFeature,
            "`<<` is not supported".to_owned(),
        ),
        other => {
            // the position is part of the diagnostic
            let text = other.to_string();
            let text = text
                .rsplit_once(" at line ")
                .map_or(&*text, |(text, _)| text);
            if text.contains("recursion limit") {
                breached(&BudgetBreach::Depth { depth: 0 }, noun)
            } else {
                (
                    DiagnosticCode::MalformedFrontmatter,
                    format!("{noun} is not valid YAML: {text}"),
                )
            }
        }
    };
    YamlError { code, at, message }
}

fn breached(breach: &BudgetBreach, noun: &str) -> (DiagnosticCode, String) {
    let (code, text) = match breach {
        BudgetBreach::Anchors { .. } => {
            return (
                DiagnosticCode::YamlFeature,
                "anchors are not supported".to_owned(),
            );
        }
        BudgetBreach::Aliases { .. } => {
            return (
                DiagnosticCode::YamlFeature,
                "aliases are not supported".to_owned(),
            );
        }
        BudgetBreach::Documents { .. } => (
            DiagnosticCode::MalformedFrontmatter,
            "contains more than one YAML document",
        ),
        BudgetBreach::Depth { .. } => (DiagnosticCode::YamlLimit, "is nested too deeply"),
        _ => (DiagnosticCode::YamlLimit, "has too many values"),
    };
    (code, format!("{noun} {text}"))
}
