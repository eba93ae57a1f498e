//! Reads a document's requirements and restrictions.

use super::{Reader, tool_list};
use crate::doc::{DocText, DocTextList, Eligibility, system};
use crate::yaml::{Node, Value};
use crate::{DiagnosticCode, Enforcement, InvocationMode, Severity};
use skill_agent_grammar::{check_requirement, split};

pub(crate) fn owned(texts: Vec<(String, &Node)>) -> DocTextList {
    let texts = texts.into_iter().map(|(text, _)| DocText::Owned(text));
    texts.collect::<Vec<_>>().into()
}

impl Reader<'_, '_> {
    /// Reads tools from a string or a list. An empty value allows no tools, and an invalid value never allows all tools.
    pub(crate) fn allowed_tools(&mut self, key: &str, node: &Node) -> DocTextList {
        let tools: Vec<DocText> = match &node.value {
            Value::Null => Vec::new(),
            Value::List(_) => return owned(self.list(key, node, Enforcement::Reject)),
            Value::Map(_) => {
                self.wrong_type(
                    key,
                    node,
                    "a string or a list of strings",
                    Enforcement::Reject,
                );
                Vec::new()
            }
            _ => {
                let text = self
                    .text(key, node, Enforcement::Reject)
                    .unwrap_or_default();
                tool_list::split_tools(&text)
                    .into_iter()
                    .map(DocText::Owned)
                    .collect()
            }
        };
        tools.into()
    }

    /// Reads `prompt_rewrite` or `tool_dispatch`. Any other value is an error.
    pub(crate) fn invocation_mode(&mut self, key: &str, node: &Node) -> InvocationMode {
        match self.text(key, node, Enforcement::Reject).as_deref() {
            Some("tool_dispatch") => return InvocationMode::ToolDispatch,
            None | Some("prompt_rewrite") => {}
            Some(other) => {
                let message = format!("`{other}` is not an invocation mode");
                let help = "write `prompt_rewrite` or `tool_dispatch`".to_owned();
                self.report(
                    Severity::Error,
                    DiagnosticCode::MalformedFrontmatter,
                    node,
                    message,
                    help,
                );
            }
        }
        InvocationMode::default()
    }

    /// Reads a command of the form `[a-z0-9_-]+`.
    pub(crate) fn command(&mut self, key: &str, node: &Node) -> Option<DocText> {
        let command = self.text(key, node, self.dialect.types)?;
        let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
        if !command.is_empty() && command.bytes().all(plain) {
            return Some(command.into());
        }
        let message = format!("`{command}` is not a valid command");
        let help = "use `a-z`, `0-9`, `_` and `-`".to_owned();
        self.report(
            self.dialect.form.severity(),
            DiagnosticCode::InvalidCommandAlias,
            node,
            message,
            help,
        );
        None
    }

    /// Reads `os`, `env` and `binaries`. An unknown condition does not count as met.
    pub(crate) fn eligibility(&mut self, key: &str, node: &Node) -> Eligibility {
        let map = match &node.value {
            Value::Null => return Eligibility::default(),
            Value::Map(map) => map,
            _ => {
                self.wrong_type(
                    key,
                    node,
                    "a mapping of `os`, `env` and `binaries`",
                    Enforcement::Reject,
                );
                return Eligibility::default();
            }
        };
        let map = self.entries(map, &["os", "env", "binaries"], Enforcement::Reject, |_| {
            true
        });
        let mut list = |key| match map.get(key) {
            Some(node) => self.list(key, node, Enforcement::Reject),
            None => Vec::new(),
        };
        let (os, env, binaries) = (list("os"), list("env"), list("binaries"));
        for (name, node) in os.iter().filter(|(name, _)| system(name).is_none()) {
            let message = format!("`{name}` is not a known operating system");
            let help = "write `darwin`, `macos`, `linux`, `win32` or `windows`".to_owned();
            self.report(
                Severity::Warning,
                DiagnosticCode::UnknownOs,
                node,
                message,
                help,
            );
        }
        Eligibility {
            os: owned(os),
            env: owned(env),
            binaries: owned(binaries),
        }
    }

    /// Reads requirements of the form `name` or `name@version`.
    pub(crate) fn requires(&mut self, key: &str, node: &Node) -> DocTextList {
        let requires = self.list(key, node, Enforcement::Reject);
        for (text, node) in &requires {
            let (name, version) = split(text);
            if name.is_empty() || version.is_some_and(|version| check_requirement(version).is_err())
            {
                let message = format!("`{text}` is not a valid requirement");
                let help = "write `name` or `name@^1.0`".to_owned();
                self.report(
                    Severity::Error,
                    DiagnosticCode::InvalidRequirement,
                    node,
                    message,
                    help,
                );
            }
        }
        owned(requires)
    }
}
