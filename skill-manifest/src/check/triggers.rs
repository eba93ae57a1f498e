//! Reads the words and patterns that suggest a document.

use super::restrictions::owned;
use super::skill::SkillReader;
use crate::doc::Triggers;
use crate::yaml::{Node, Value};
use crate::{DiagnosticCode, FrontmatterField};

impl<'n, 'a: 'n, 'p> SkillReader<'_, 'n, 'a, 'p> {
    pub(crate) fn triggers(&mut self) -> Triggers {
        let map = match self.node(FrontmatterField::Triggers) {
            None => return Triggers::default(),
            Some(node) => match &node.value {
                Value::Null => return Triggers::default(),
                Value::Map(map) => map,
                _ => {
                    let wanted = "a mapping of `keywords`, `verbs` and `patterns`";
                    self.reader
                        .wrong_type("triggers", node, wanted, self.reader.dialect.types);
                    return Triggers::default();
                }
            },
        };
        let known = ["keywords", "verbs", "patterns"];
        let map = self
            .reader
            .entries(map, &known, self.reader.dialect.unknown, |_| false);
        let limits = self.reader.dialect.limits;
        let mut list = |key, max| self.trigger_list(key, map.get(key), max);
        let keywords = list("keywords", limits.keywords);
        let verbs = list("verbs", limits.keywords);
        let mut patterns = list("patterns", limits.patterns);
        patterns.retain(|(text, node)| self.is_pattern(text, node));
        Triggers {
            keywords: owned(keywords),
            verbs: owned(verbs),
            patterns: owned(patterns),
        }
    }

    fn trigger_list(
        &mut self,
        key: &str,
        node: Option<&'n Node>,
        max: usize,
    ) -> Vec<(String, &'n Node)> {
        let Some(node) = node else {
            return Vec::new();
        };
        let mut list = self.reader.list(key, node, self.reader.dialect.types);
        list.retain(|(text, node)| self.is_usable_trigger(key, text, node));
        if list.len() > max {
            let message = format!(
                "`{key}` has {} items; at most {max} are allowed",
                list.len()
            );
            let severity = self.reader.dialect.form.severity();
            self.reader
                .report(severity, DiagnosticCode::TooMany, node, message, None);
            list.truncate(max);
        }
        list
    }

    /// Checks a keyword, verb or pattern. An empty one would match every text.
    fn is_usable_trigger(&mut self, key: &str, text: &str, node: &Node) -> bool {
        let severity = self.reader.dialect.form.severity();
        let (max, length) = (self.reader.dialect.limits.pattern, text.len());
        let (code, message) = if text.trim().is_empty() {
            (
                DiagnosticCode::EmptyField,
                format!("`{key}` has an empty string"),
            )
        } else if length > max {
            let message =
                format!("a string in `{key}` has {length} bytes; at most {max} are allowed");
            let code = match key {
                "patterns" => DiagnosticCode::InvalidPattern,
                _ => DiagnosticCode::FieldTooLong,
            };
            (code, message)
        } else {
            return true;
        };
        self.reader.report(severity, code, node, message, None);
        false
    }

    fn is_pattern(&mut self, text: &str, node: &Node) -> bool {
        let mut builder = regex_lite::RegexBuilder::new(text);
        let wrong = match builder.size_limit(1 << 16).build() {
            Ok(_) => return true,
            Err(error) => format!("`{text}` is not a valid pattern: {error}"),
        };
        let severity = self.reader.dialect.form.severity();
        self.reader
            .report(severity, DiagnosticCode::InvalidPattern, node, wrong, None);
        false
    }
}
