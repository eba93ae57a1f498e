//! Reads strings, and checks them for length and invisible characters.

use skill_agent_grammar::shorten;

use super::reader::in_file;
use super::skill::SkillReader;
use super::{Reader, breaks_line, name};
use crate::check::chars::invisible;
use crate::diagnostic::Position;
use crate::doc::DocText;
use crate::yaml::{Node, Value};
use crate::{DiagnosticCode, Enforcement, FrontmatterField, Severity};

/// The most characters of a comment that a message quotes.
const MOST_SHOWN: usize = 40;

impl<'n, 'a: 'n, 'p> SkillReader<'_, 'n, 'a, 'p> {
    /// Returns the rule for a value of the wrong type.
    pub(crate) fn rule(&self, field: FrontmatterField) -> Enforcement {
        let dialect = self.reader.dialect;
        match field {
            field if field.is_restriction() || dialect.requires(field) => Enforcement::Reject,
            field if dialect.loose.contains(&field) => Enforcement::Warn,
            _ => dialect.types,
        }
    }

    /// Reads a string as written and checks its length. Returns `None` for a null value if the key is optional.
    pub(crate) fn raw(&mut self, field: FrontmatterField) -> Option<(String, &'n Node)> {
        let node = self.node(field)?;
        let dialect = self.reader.dialect;
        let required = dialect.requires(field);
        if matches!(node.value, Value::Null) && !required {
            return None;
        }
        let rule = self.rule(field);
        let text = self.reader.text(field.key(), node, rule)?;
        if required && text.trim().is_empty() {
            let rule = if text.is_empty() {
                dialect.empty
            } else {
                dialect.blank
            };
            let severity = rule.severity();
            let message = format!("`{}` is empty", field.key());
            self.reader
                .report(severity, DiagnosticCode::EmptyField, node, message, None);
        }
        self.length(field, &text, node);
        Some((text, node))
    }

    fn length(&mut self, field: FrontmatterField, text: &str, node: &Node) {
        let dialect = self.reader.dialect;
        let Some((_, max)) = dialect.lengths.iter().find(|(other, _)| *other == field) else {
            return;
        };
        let length = match field {
            FrontmatterField::Name => {
                name::length(if dialect.trim { text.trim() } else { text }, dialect)
            }
            _ => dialect.unit.count(text),
        };
        if length > *max {
            let message = format!(
                "`{}` has {length} {}; at most {max} are allowed",
                field.key(),
                dialect.unit.plural()
            );
            self.reader.report(
                dialect.form.severity(),
                DiagnosticCode::FieldTooLong,
                node,
                message,
                None,
            );
        }
    }

    pub(crate) fn trimmed(&self, text: String) -> DocText {
        if self.reader.dialect.trim && text.trim().len() < text.len() {
            text.trim().to_owned().into()
        } else {
            text.into()
        }
    }

    /// Reads a string that models and people see.
    pub(crate) fn prose(&mut self, field: FrontmatterField) -> Option<DocText> {
        let (text, node) = self.raw(field)?;
        let hidden = invisible::first_invisible(&text);
        self.reader.report_invisible(field, hidden, node);
        if let Some((at, comment)) = node.comment(self.reader.source) {
            let at = Position::of(self.reader.source.as_bytes(), at);
            let (key, comment) = (field.key(), shorten(comment, MOST_SHOWN));
            let message = format!("`{key}` ends before `{comment}`, which is a comment in YAML");
            let help = format!("if it belongs to the text, write `{key}: \"...\"`");
            let code = DiagnosticCode::CommentInText;
            self.reader.warn(code, in_file(at), message, help);
        }
        Some(self.trimmed(text))
    }

    pub(crate) fn optional(&mut self, field: FrontmatterField) -> Option<DocText> {
        let (text, _) = self.raw(field)?;
        Some(self.trimmed(text)).filter(|text| !text.is_empty())
    }

    /// Reads the hint for a command's arguments as one line. Other clients document the form `[issue]`, which is a list in YAML.
    pub(crate) fn argument_hint(&mut self) -> Option<DocText> {
        let field = FrontmatterField::ArgumentHint;
        let node = self.node(field)?;
        if let Value::List(items) = &node.value
            && node.is_flow(self.reader.source)
        {
            let source = self.reader.source;
            let items: Option<Vec<&str>> = items.iter().map(|item| item.scalar(source)).collect();
            if let Some(items) = items {
                return Some(format!("[{}]", items.join(", ")).into());
            }
        }
        let hint = self.prose(field)?;
        let hint = hint.trim();
        if hint.contains(breaks_line) {
            let severity = self.rule(field).severity();
            let help = "write it in one line".to_owned();
            let message = "`argument-hint` has several lines";
            self.reader
                .report(severity, DiagnosticCode::WrongType, node, message, help);
            return None;
        }
        Some(hint.to_owned().into()).filter(|hint: &DocText| !hint.is_empty())
    }

    /// Reads the name as written. [`Self::id`] reports problems with it.
    pub(crate) fn name(&mut self) -> Option<DocText> {
        let (text, _) = self.raw(FrontmatterField::Name)?;
        Some(self.trimmed(text))
    }

    pub(crate) fn id(&mut self, name: &DocText, directory: Option<&str>) -> DocText {
        let node = self.node(FrontmatterField::Name);
        let id = self.reader.id(name, node, directory);
        // a folder's name has no position in the text
        let node = node.filter(|_| id == *name);
        self.reader.report_mixed_alphabets(&id, node);
        id
    }
}

impl Reader<'_, '_> {
    /// Reports an invisible character in a name. For prose, see [`invisible::first_invisible`].
    pub(crate) fn report_invisible_in_name(&mut self, name: &str, node: &Node) {
        let hidden = name.chars().find(|&c| invisible::is_invisible(c));
        self.report_invisible(FrontmatterField::Name, hidden, node);
    }

    fn report_invisible(&mut self, field: FrontmatterField, hidden: Option<char>, node: &Node) {
        if let Some(c) = hidden {
            let message = format!(
                "`{}` has the character U+{:04X}, which is invisible",
                field.key(),
                c as u32
            );
            let help = "remove it".to_owned();
            self.report(
                Severity::Warning,
                DiagnosticCode::HiddenCharacter,
                node,
                message,
                help,
            );
        }
    }
}
