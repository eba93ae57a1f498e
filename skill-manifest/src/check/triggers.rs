//! Reads the words, patterns and paths that suggest a document.

use super::restrictions::owned;
use super::skill::SkillReader;
use crate::doc::Triggers;
use crate::patterns::glob::{compile_glob, split_globs};
use crate::patterns::pattern::compile_pattern;
use crate::yaml::{Node, Value};
use crate::{DiagnosticCode, FrontmatterField};

impl<'n, 'a: 'n, 'p> SkillReader<'_, 'n, 'a, 'p> {
    /// Reads the keys `triggers` and `paths`.
    pub(crate) fn triggers(&mut self) -> Triggers {
        Triggers {
            paths: owned(self.paths()),
            ..self.words()
        }
    }

    fn words(&mut self) -> Triggers {
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
        let mut list = |key, max| {
            let Some(node) = map.get(key) else {
                return Vec::new();
            };
            let list = self.reader.list(key, node, self.reader.dialect.types);
            self.trigger_list(key, node, list, max)
        };
        let keywords = list("keywords", limits.keywords);
        let verbs = list("verbs", limits.keywords);
        let mut patterns = list("patterns", limits.patterns);
        patterns.retain(|(text, node)| {
            let wrong = compile_pattern(text).err();
            self.is_valid(
                node,
                wrong.map(|why| format!("`{text}` is not a valid pattern: {why}")),
            )
        });
        Triggers {
            keywords: owned(keywords),
            verbs: owned(verbs),
            patterns: owned(patterns),
            ..Triggers::default()
        }
    }

    /// Reads globs from a list, or from a string with commas.
    fn paths(&mut self) -> Vec<(String, &'n Node)> {
        let key = FrontmatterField::Paths.key();
        let Some(node) = self.node(FrontmatterField::Paths) else {
            return Vec::new();
        };
        let rule = self.reader.dialect.types;
        let globs = match &node.value {
            Value::Null | Value::List(_) => self.reader.list(key, node, rule),
            Value::Map(_) => {
                let wanted = "a string or a list of strings";
                self.reader.wrong_type(key, node, wanted, rule);
                Vec::new()
            }
            _ => {
                let text = self.reader.text(key, node, rule).unwrap_or_default();
                let globs = split_globs(&text).into_iter();
                globs.map(|glob| (glob, node)).collect()
            }
        };
        let max = self.reader.dialect.limits.patterns;
        let mut globs = self.trigger_list(key, node, globs, max);
        globs.retain(|(text, node)| {
            let wrong = compile_glob(text).err();
            self.is_valid(
                node,
                wrong.map(|why| format!("`{text}` is not a valid glob: {why}")),
            )
        });
        globs
    }

    fn trigger_list(
        &mut self,
        key: &str,
        node: &Node,
        mut list: Vec<(String, &'n Node)>,
        max: usize,
    ) -> Vec<(String, &'n Node)> {
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

    /// Checks a keyword, verb, pattern or glob. It must not be empty, because it would then match every text.
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
                "patterns" | "paths" => DiagnosticCode::InvalidPattern,
                _ => DiagnosticCode::FieldTooLong,
            };
            (code, message)
        } else {
            return true;
        };
        self.reader.report(severity, code, node, message, None);
        false
    }

    /// Reports the problem with a pattern or a glob, if there is one. Returns whether the pattern is valid.
    fn is_valid(&mut self, node: &Node, wrong: Option<String>) -> bool {
        let Some(message) = wrong else {
            return true;
        };
        let severity = self.reader.dialect.form.severity();
        self.reader.report(
            severity,
            DiagnosticCode::InvalidPattern,
            node,
            message,
            None,
        );
        false
    }
}
