//! Reads typed values from frontmatter.

use crate::diagnostic::{Diagnostics, Position};
use crate::yaml::{Node, Value};
use crate::{DiagnosticCode, Dialect, Enforcement, FrontmatterField, ScalarType, Severity};
use skill_agent_grammar::nearest;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Converts a position in the frontmatter to a position in the file. The frontmatter begins in line 2.
pub(crate) const fn in_file(at: Position) -> Position {
    Position {
        line: at.line + 1,
        column: at.column,
    }
}

/// Reads values by the dialect's rules, and collects diagnostics.
#[derive(Debug)]
pub(crate) struct Reader<'a, 'p> {
    pub(crate) source: &'a str,
    pub(crate) dialect: &'a Dialect,
    /// The name of the document's folder.
    pub(crate) directory: Option<&'a str>,
    diagnostics: &'a mut Diagnostics<'p>,
}

/// A mapping's values by key. If a key is repeated, the last value counts.
#[derive(Debug)]
pub(crate) struct MappingEntries<'n>(HashMap<&'n str, &'n Node>);

impl<'n> MappingEntries<'n> {
    pub(crate) fn get(&self, key: &str) -> Option<&'n Node> {
        self.0.get(key).copied()
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }
}

/// The line of each key's first appearance in a mapping.
#[derive(Debug, Default)]
pub(crate) struct KeyLines<'k>(HashMap<&'k str, u32>);

impl<'k> KeyLines<'k> {
    /// Adds a key. Returns a message if it is repeated.
    pub(crate) fn add(&mut self, key: &'k str, line: u32) -> Option<String> {
        match self.0.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(line);
                None
            }
            Entry::Occupied(first) => Some(format!(
                "`{key}` is repeated; it first appears in line {}",
                first.get()
            )),
        }
    }
}

impl<'a, 'p> Reader<'a, 'p> {
    pub(crate) fn new(
        source: &'a str,
        dialect: &'a Dialect,
        diagnostics: &'a mut Diagnostics<'p>,
    ) -> Self {
        Self {
            source,
            dialect,
            directory: None,
            diagnostics,
        }
    }

    pub(crate) fn report(
        &mut self,
        severity: impl Into<Option<Severity>>,
        code: DiagnosticCode,
        node: &Node,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) {
        self.diagnostics
            .push(severity, code, in_file(node.at), message, help);
    }

    pub(crate) fn error(
        &mut self,
        code: DiagnosticCode,
        at: impl Into<Option<Position>>,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) {
        self.diagnostics.error(code, at, message, help);
    }

    pub(crate) fn warn(
        &mut self,
        code: DiagnosticCode,
        at: impl Into<Option<Position>>,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) {
        self.diagnostics.warn(code, at, message, help);
    }

    pub(crate) fn has_errors(&self) -> bool {
        let mut list = self.diagnostics.list.iter();
        list.any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Returns a mapping's entries, and reports unknown and repeated keys. A repeated key that restricts the document is an
    /// error, because the intended value is unclear.
    pub(crate) fn entries<'n>(
        &mut self,
        map: &'n [(Node, Node)],
        known: &[&str],
        unknown: Enforcement,
        is_restriction: impl Fn(&str) -> bool,
    ) -> MappingEntries<'n>
    where
        'a: 'n,
    {
        let mut entries = HashMap::new();
        let mut lines = KeyLines::default();
        for (key, value) in map {
            let Some(name) = key.scalar(self.source) else {
                let message = format!("a key must be a string, not {}", key.kind());
                self.report(
                    Severity::Error,
                    DiagnosticCode::MalformedFrontmatter,
                    key,
                    message,
                    None,
                );
                continue;
            };
            if !known.contains(&name) {
                self.unknown_key(key, name, known, unknown);
            }
            entries.insert(name, value);
            let severity = if is_restriction(name) {
                Some(Severity::Error)
            } else {
                self.dialect.duplicates.severity()
            };
            self.report_repeated_key(severity, &mut lines, key, name);
        }
        MappingEntries(entries)
    }

    /// Adds a key to `lines`, and reports it if it is repeated.
    fn report_repeated_key<'n>(
        &mut self,
        severity: Option<Severity>,
        lines: &mut KeyLines<'n>,
        key: &Node,
        name: &'n str,
    ) {
        if let Some(message) = lines.add(name, in_file(key.at).line) {
            self.report(severity, DiagnosticCode::DuplicateKey, key, message, None);
        }
    }

    /// Reports repeated keys in the mappings inside a value that is not read key by key.
    pub(crate) fn duplicates(&mut self, value: &Node) {
        let (source, severity) = (self.source, self.dialect.duplicates.severity());
        value.visit(&mut |node| {
            let Value::Map(map) = &node.value else {
                return;
            };
            let mut lines = KeyLines::default();
            for (key, _) in map {
                if let Some(name) = key.scalar(source) {
                    self.report_repeated_key(severity, &mut lines, key, name);
                }
            }
        });
    }

    fn unknown_key(&mut self, key: &Node, name: &str, known: &[&str], rule: Enforcement) {
        // never silently ignore a key that may restrict the document
        let severity = match rule.severity() {
            None if resembles_restriction(name, self.dialect) => Some(Severity::Warning),
            severity => severity,
        };
        if severity.is_none() {
            return;
        }
        let message = format!("`{name}` is not a key of {}", self.dialect.name);
        let keys = format!("the keys are `{}`", known.join("`, `"));
        let help = match nearest(name, known.iter().copied()) {
            _ if self.is_key_elsewhere(name, known) => {
                format!("{keys}; {}", of_other_dialects(name))
            }
            None if name == FrontmatterField::DisableModelInvocation.key() => {
                "the document is offered to models anyway".to_owned()
            }
            Some(near) => format!("did you mean `{near}`?"),
            None => keys,
        };
        self.report(severity, DiagnosticCode::UnknownField, key, message, help);
    }

    /// Returns whether a refused key belongs to a different dialect. `known` shows whether the key is at the top level or in a
    /// nested mapping.
    fn is_key_elsewhere(&self, name: &str, known: &[&str]) -> bool {
        let fields = self.dialect.fields.iter().map(|field| field.key());
        self.dialect.unknown == Enforcement::Reject
            && known.iter().copied().eq(fields)
            && FrontmatterField::of(name).is_some()
    }

    /// Reads a string. For any other type, adds a diagnostic and returns `None`.
    pub(crate) fn text(&mut self, key: &str, node: &Node, rule: Enforcement) -> Option<String> {
        let text = match (&node.value, self.dialect.scalars) {
            (Value::Text(text), _) => Some(text.as_str()),
            (_, ScalarType::Text) => node.scalar(self.source),
            (_, ScalarType::Typed) => None,
        };
        if text.is_none() {
            self.wrong_type(key, node, "a string", rule);
        }
        text.map(str::to_owned)
    }

    /// Reads a boolean. Any other value is an error and never counts as missing.
    pub(crate) fn boolean(&mut self, key: &str, node: &Node) -> Option<bool> {
        match node.value {
            Value::Bool(value) => Some(value),
            _ => {
                self.wrong_type(key, node, "`true` or `false`", Enforcement::Reject);
                None
            }
        }
    }

    /// Reads a list of strings with their nodes. A null value is an empty list.
    pub(crate) fn list<'n>(
        &mut self,
        key: &str,
        node: &'n Node,
        rule: Enforcement,
    ) -> Vec<(String, &'n Node)> {
        match &node.value {
            Value::Null => Vec::new(),
            Value::List(items) => {
                let texts = items.iter().map(|item| (self.text(key, item, rule), item));
                texts
                    .filter_map(|(text, item)| Some((text?, item)))
                    .collect()
            }
            _ => {
                self.wrong_type(key, node, "a list of strings", rule);
                Vec::new()
            }
        }
    }

    pub(crate) fn wrong_type(&mut self, key: &str, node: &Node, wanted: &str, rule: Enforcement) {
        let message = format!("`{key}` must be {wanted}, not {}", node.kind());
        let help = match (&node.value, wanted) {
            (Value::Bool(_) | Value::Number, "a string") => Some("put it in quotes".to_owned()),
            (Value::Text(_), "a list of strings") => {
                Some(format!("write `{key}:` and `- …` below it"))
            }
            (Value::List(_) | Value::Map(_), "a string") => {
                Some(format!("write `{key}: …` as one string"))
            }
            (_, "`true` or `false`") => Some(format!("write `{key}: true` or `{key}: false`")),
            _ => None,
        };
        self.report(
            rule.severity(),
            DiagnosticCode::WrongType,
            node,
            message,
            help,
        );
    }
}

/// Returns whether a key restricts a document, or is a misspelling of such a key. Misspellings of `disable-model-invocation`
/// count only in dialects that know the key.
fn resembles_restriction(name: &str, dialect: &Dialect) -> bool {
    let spelled = |key: &str| key.replace('_', "-");
    let name = spelled(name);
    let mut restrictions = FrontmatterField::ALL
        .iter()
        .filter(|field| dialect.restricts(**field));
    // This uses the edit distance rather than the similarity for suggestions, because `allow` is similar to `allowed-tools` but
    // is a different key.
    let near = restrictions.any(|field| {
        let key = spelled(field.key());
        strsim::osa_distance(&key, &name) * 5 <= key.len()
    });
    near || name == FrontmatterField::DisableModelInvocation.key()
}

/// Returns a phrase that names the dialects with a key. [`Dialect::AGENT_SKILLS_LENIENT`] has every key.
fn of_other_dialects(key: &str) -> String {
    let with_key = Dialect::PRESETS.iter().filter(|dialect| {
        let mut fields = dialect.fields.iter();
        fields.any(|field| field.key() == key)
    });
    let names: Vec<&str> = with_key.map(|dialect| dialect.name).collect();
    match &names[..] {
        [name] => format!("the dialect `{name}` takes it"),
        names => format!("the dialects `{}` take it", names.join("`, `")),
    }
}
