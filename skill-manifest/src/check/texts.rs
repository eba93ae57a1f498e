//! Texts, with their lengths; the name and the id among them.

use super::skill::Keys;
use super::{name, words};
use crate::doc::Text;
use crate::yaml::{Node, Value};
use crate::{Code, Field, IdSource, Rule, Severity};

impl<'n, 'a: 'n, 'p> Keys<'_, 'n, 'a, 'p> {
    /// What a value of a wrong type does.
    pub(crate) fn rule(&self, field: Field) -> Rule {
        let dialect = self.reader.dialect;
        match field {
            field if field.binds() || dialect.requires(field) => Rule::Reject,
            field if dialect.loose.contains(&field) => Rule::Warn,
            _ => dialect.types,
        }
    }

    /// A text as it is written, within its length. Nothing is no text, but where the key is required.
    pub(crate) fn raw(&mut self, field: Field) -> Option<(String, &'n Node)> {
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
                .tell(severity, Code::EmptyField, node, message, None);
        }
        self.length(field, &text, node);
        Some((text, node))
    }

    fn length(&mut self, field: Field, text: &str, node: &Node) {
        let dialect = self.reader.dialect;
        let Some((_, most)) = dialect.lengths.iter().find(|(it, _)| *it == field) else {
            return;
        };
        let length = match field {
            Field::Name => name::length(if dialect.trim { text.trim() } else { text }, dialect),
            _ => dialect.unit.count(text),
        };
        if length > *most {
            let message = format!(
                "`{}` has {length} {}, and {most} is the most",
                field.key(),
                dialect.unit.plural()
            );
            self.reader.tell(
                dialect.form.severity(),
                Code::FieldTooLong,
                node,
                message,
                None,
            );
        }
    }

    pub(crate) fn trimmed(&self, text: String) -> Text {
        match self.reader.dialect.trim {
            true if text.trim().len() < text.len() => text.trim().to_owned().into(),
            _ => text.into(),
        }
    }

    /// A text that models and people are shown.
    pub(crate) fn prose(&mut self, field: Field) -> Option<Text> {
        let (text, node) = self.raw(field)?;
        self.hidden(field, &text, node);
        Some(self.trimmed(text))
    }

    fn hidden(&mut self, field: Field, text: &str, node: &Node) {
        if let Some(c) = words::hidden(text) {
            let message = format!(
                "`{}` has the character U+{:04X}, which is not seen",
                field.key(),
                c as u32
            );
            let help = "leave it out".to_owned();
            self.reader.tell(
                Severity::Warning,
                Code::HiddenCharacter,
                node,
                message,
                help,
            );
        }
    }

    pub(crate) fn optional(&mut self, field: Field) -> Option<Text> {
        let (text, _) = self.raw(field)?;
        Some(self.trimmed(text)).filter(|it| !it.is_empty())
    }

    pub(crate) fn name(&mut self) -> Option<Text> {
        let (text, node) = self.raw(Field::Name)?;
        self.hidden(Field::Name, &text, node);
        let name = self.trimmed(text);
        if !name.is_empty() {
            self.reader.check_name(&name, node);
        }
        Some(name)
    }

    pub(crate) fn id(&mut self, name: &Text, directory: Option<&str>) -> Text {
        if let (Some(directory), Some(node), false) =
            (directory, self.node(Field::Name), name.is_empty())
        {
            self.reader.check_directory(name, directory, node);
        }
        let folder = directory.map(|it| Text::Owned(it.to_owned()));
        match self.reader.dialect.id {
            IdSource::Name => name.clone(),
            IdSource::NameOrDirectory if !name.is_empty() => name.clone(),
            IdSource::NameOrDirectory | IdSource::Directory => {
                folder.unwrap_or_else(|| name.clone())
            }
        }
    }
}
