//! Values of the kinds that keys take.

use crate::diagnostic::{At, Findings};
use crate::yaml::{Node, Value};
use crate::{Code, Dialect, Field, Rule, Scalars, Severity};
use skill_agent_grammar::nearest;
use std::collections::HashMap;

/// The frontmatter begins in the second line of the file.
pub(crate) const fn in_file(at: At) -> At {
    At {
        line: at.line + 1,
        column: at.column,
    }
}

/// Reads values as a dialect has them, and notes what is wrong.
#[derive(Debug)]
pub(crate) struct Reader<'a, 'p> {
    pub(crate) source: &'a str,
    pub(crate) dialect: &'a Dialect,
    /// The name of the folder, where one is known.
    pub(crate) directory: Option<&'a str>,
    findings: &'a mut Findings<'p>,
}

/// The values of a mapping by key, the last of each.
#[derive(Debug)]
pub(crate) struct Entries<'n>(HashMap<&'n str, &'n Node>);

impl<'n> Entries<'n> {
    pub(crate) fn get(&self, key: &str) -> Option<&'n Node> {
        self.0.get(key).copied()
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }
}

impl<'a, 'p> Reader<'a, 'p> {
    pub(crate) fn new(
        source: &'a str,
        dialect: &'a Dialect,
        findings: &'a mut Findings<'p>,
    ) -> Self {
        Self {
            source,
            dialect,
            directory: None,
            findings,
        }
    }

    pub(crate) fn place(&self, at: At) -> At {
        in_file(at)
    }

    pub(crate) fn tell(
        &mut self,
        severity: impl Into<Option<Severity>>,
        code: Code,
        node: &Node,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) {
        self.findings
            .push(severity, code, in_file(node.at), message, help);
    }

    pub(crate) fn error(
        &mut self,
        code: Code,
        at: impl Into<Option<At>>,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) {
        self.findings.error(code, at, message, help);
    }

    pub(crate) fn has_errors(&self) -> bool {
        let mut list = self.findings.list.iter();
        list.any(|it| it.severity == Severity::Error)
    }

    /// The entries of a mapping, with what is said of strange keys and of those that stand twice; which of two bounds holds is
    /// not ours to guess.
    pub(crate) fn entries<'n>(
        &mut self,
        map: &'n [(Node, Node)],
        known: &[&str],
        unknown: Rule,
        binds: fn(&str) -> bool,
    ) -> Entries<'n>
    where
        'a: 'n,
    {
        let mut entries = HashMap::new();
        let mut lines: HashMap<&str, u32> = HashMap::new();
        for (key, value) in map {
            let Some(name) = key.scalar(self.source) else {
                let message = format!("a key is a text, not {}", key.kind());
                self.tell(
                    Severity::Error,
                    Code::MalformedFrontmatter,
                    key,
                    message,
                    None,
                );
                continue;
            };
            if !known.contains(&name) {
                self.strange_key(key, name, known, unknown);
            }
            let first = *lines.entry(name).or_insert(in_file(key.at).line);
            if entries.insert(name, value).is_some() {
                let severity = match binds(name) {
                    true => Some(Severity::Error),
                    false => self.dialect.duplicates.severity(),
                };
                self.twice(severity, key, name, first);
            }
        }
        Entries(entries)
    }

    fn twice(&mut self, severity: Option<Severity>, key: &Node, name: &str, first: u32) {
        let message = format!("`{name}` stands twice, the first time in line {first}");
        self.tell(severity, Code::DuplicateKey, key, message, None);
    }

    /// Tells of keys that stand twice in the mappings of a value that nobody reads key by key.
    pub(crate) fn duplicates(&mut self, value: &Node) {
        let (source, severity) = (self.source, self.dialect.duplicates.severity());
        value.visit(&mut |node| {
            let Value::Map(map) = &node.value else {
                return;
            };
            let mut lines = HashMap::new();
            for (key, _) in map {
                let Some(name) = key.scalar(source) else {
                    continue;
                };
                if let Some(first) = lines.insert(name, in_file(key.at).line) {
                    self.twice(severity, key, name, first);
                }
            }
        });
    }

    fn strange_key(&mut self, key: &Node, name: &str, known: &[&str], rule: Rule) {
        // a bound that is ignored is never ignored in silence
        let severity = match rule.severity() {
            None if is_like_a_bound(name) => Some(Severity::Warning),
            severity => severity,
        };
        if severity.is_none() {
            return;
        }
        let help = match nearest(name, known.iter().copied()) {
            None if name == FOREIGN_BOUND => {
                "models are offered the document all the same".to_owned()
            }
            Some(near) => format!("is it `{near}`?"),
            None => format!("the keys are `{}`", known.join("`, `")),
        };
        let message = format!("`{name}` is no key of {}", self.dialect.name);
        self.tell(severity, Code::UnknownField, key, message, help);
    }

    /// A text; `None`, with a finding, when it is none.
    pub(crate) fn text(&mut self, key: &str, node: &Node, rule: Rule) -> Option<String> {
        let text = match (&node.value, self.dialect.scalars) {
            (Value::Text(text), _) => Some(text.as_str()),
            (_, Scalars::Text) => node.scalar(self.source),
            (_, Scalars::Typed) => None,
        };
        if text.is_none() {
            self.wrong_type(key, node, "a text", rule);
        }
        text.map(str::to_owned)
    }

    /// `true` or `false`. A wrong one is never a default.
    pub(crate) fn boolean(&mut self, key: &str, node: &Node) -> Option<bool> {
        match node.value {
            Value::Bool(value) => Some(value),
            _ => {
                self.wrong_type(key, node, "`true` or `false`", Rule::Reject);
                None
            }
        }
    }

    /// A list of texts with their nodes; nothing is an empty one.
    pub(crate) fn list<'n>(
        &mut self,
        key: &str,
        node: &'n Node,
        rule: Rule,
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
                self.wrong_type(key, node, "a list of texts", rule);
                Vec::new()
            }
        }
    }

    pub(crate) fn wrong_type(&mut self, key: &str, node: &Node, wanted: &str, rule: Rule) {
        let message = format!("`{key}` is {wanted}, not {}", node.kind());
        let help = match (&node.value, wanted) {
            (Value::Bool(_) | Value::Number, "a text") => Some("put it into quotes".to_owned()),
            (Value::Text(_), "a list of texts") => {
                Some(format!("write `{key}:` and `- …` below it"))
            }
            (Value::List(_) | Value::Map(_), "a text") => {
                Some(format!("write `{key}: …` as one text"))
            }
            (_, "`true` or `false`") => Some(format!("write `{key}: true` or `{key}: false`")),
            _ => None,
        };
        self.tell(rule.severity(), Code::WrongType, node, message, help);
    }
}

/// What keeps a document from models in other clients.
const FOREIGN_BOUND: &str = "disable-model-invocation";

/// Whether a key bounds what a document may do, or was meant to.
fn is_like_a_bound(name: &str) -> bool {
    let spelled = |key: &str| key.replace('_', "-");
    let name = spelled(name);
    let mut bounds = Field::ALL.iter().filter(|field| field.binds());
    // Counted edits, not the likeness that suggestions go by: `allow` is like `allowed-tools` and is another key.
    let near = bounds.any(|field| {
        let key = spelled(field.key());
        strsim::osa_distance(&key, &name) * 5 <= key.len()
    });
    near || name == FOREIGN_BOUND
}
