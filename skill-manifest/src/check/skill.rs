//! Reads the keys of a SKILL.md.

use super::reader::MappingEntries;
use super::restrictions::owned;
use super::{Reader, in_file};
use crate::diagnostic::Position;
use crate::doc::{DocText, SkillDoc, first_sentence};
use crate::frontmatter::Body;
use crate::yaml::{Node, Value};
use crate::{DiagnosticCode, Enforcement, FrontmatterField, InvocationMode, Severity};
use skill_agent_grammar::is_version;
use std::collections::HashMap;

/// Reads a frontmatter's mapping.
pub(crate) fn read<'a>(
    reader: &mut Reader<'a, '_>,
    root: Option<&Node>,
    body: &Body<'_>,
    directory: Option<&'a str>,
) -> SkillDoc {
    reader.directory = directory;
    if let Some(root) = root {
        report_flow_and_tags(reader, root);
    }
    let map = match root.map(|node| &node.value) {
        Some(Value::Map(map)) => &map[..],
        _ => &[],
    };
    let dialect = reader.dialect;
    let known: Vec<&str> = dialect.fields.iter().map(|field| field.key()).collect();
    let is_restriction =
        |key: &str| FrontmatterField::of(key).is_some_and(|field| dialect.restricts(field));
    let map = reader.entries(map, &known, dialect.unknown, is_restriction);
    let mut keys = SkillReader { reader, map };
    for field in dialect
        .required
        .iter()
        .filter(|field| !keys.map.has(field.key()))
    {
        let help = format!("add `{}: …`", field.key());
        let message = format!("`{}` is missing", field.key());
        keys.reader
            .error(DiagnosticCode::MissingField, Position::START, message, help);
    }
    let mut doc = keys.doc();
    doc.id = keys.id(&doc.name, directory);
    if doc.name.is_empty() {
        doc.name = doc.id.clone();
    }
    doc.body = body.text.to_owned().into();
    doc.body_offset = body.offset;
    doc
}

/// Reports flow collections and tags according to the dialect.
fn report_flow_and_tags(reader: &mut Reader<'_, '_>, root: &Node) {
    let (flow, tags) = (
        reader.dialect.flow.severity(),
        reader.dialect.tags.severity(),
    );
    let source = reader.source;
    root.visit(&mut |node| {
        if node.is_flow(source) {
            let help = "write one item or key per line".to_owned();
            reader.report(
                flow,
                DiagnosticCode::YamlFeature,
                node,
                "`[…]` and `{…}` are not supported by every client",
                help,
            );
        }
        if node.tagged {
            let help = "remove the tag".to_owned();
            reader.report(
                tags,
                DiagnosticCode::YamlFeature,
                node,
                "tags are not supported by every client",
                help,
            );
        }
    });
}

/// Reads the values of the dialect's keys.
pub(crate) struct SkillReader<'r, 'n, 'a, 'p> {
    pub(crate) reader: &'r mut Reader<'a, 'p>,
    pub(crate) map: MappingEntries<'n>,
}

impl<'n, 'a: 'n, 'p> SkillReader<'_, 'n, 'a, 'p> {
    fn doc(&mut self) -> SkillDoc {
        let description = self
            .prose(FrontmatterField::Description)
            .unwrap_or_default();
        let summary = self.prose(FrontmatterField::Summary).unwrap_or_default();
        let own_brief = self
            .prose(FrontmatterField::BriefDescription)
            .filter(|text| !text.trim().is_empty());
        let brief_description = own_brief.unwrap_or_else(|| {
            let long = if description.trim().is_empty() {
                &summary
            } else {
                &description
            };
            first_sentence(long).into()
        });
        let (invocation_mode, command_tool) = self.invocation();
        SkillDoc {
            id: DocText::default(),
            name: self.name().unwrap_or_default(),
            description,
            brief_description,
            version: self.version(),
            license: self.optional(FrontmatterField::License),
            compatibility: self.optional(FrontmatterField::Compatibility),
            metadata: self.metadata().into(),
            allowed_tools: self.read(FrontmatterField::AllowedTools, Reader::allowed_tools),
            toolsets: self.toolsets(),
            scripts: self.scripts(),
            triggers: self.triggers(),
            default_enabled: self.flag(FrontmatterField::DefaultEnabled, true),
            summary,
            invocation_mode,
            command: self
                .read(FrontmatterField::Command, Reader::command)
                .flatten(),
            command_tool,
            requires_tools: self
                .list(FrontmatterField::RequiresTools, Enforcement::Reject)
                .map(owned)
                .unwrap_or_default(),
            eligibility: self
                .read(FrontmatterField::Eligibility, Reader::eligibility)
                .unwrap_or_default(),
            requires: self
                .read(FrontmatterField::Requires, Reader::requires)
                .unwrap_or_default(),
            disable_model_invocation: self.flag(FrontmatterField::DisableModelInvocation, false),
            user_invocable: self.flag(FrontmatterField::UserInvocable, true),
            argument_hint: self.argument_hint(),
            argument_placeholders: self.reader.dialect.knows(FrontmatterField::ArgumentHint),
            body: DocText::default(),
            body_offset: 0,
        }
    }

    pub(crate) fn node(&self, field: FrontmatterField) -> Option<&'n Node> {
        self.map
            .get(field.key())
            .filter(|_| self.reader.dialect.knows(field))
    }

    fn read<T>(
        &mut self,
        field: FrontmatterField,
        read: impl FnOnce(&mut Reader<'a, 'p>, &str, &Node) -> T,
    ) -> Option<T> {
        let node = self.node(field)?;
        Some(read(self.reader, field.key(), node))
    }

    fn version(&mut self) -> Option<DocText> {
        let (text, node) = self.raw(FrontmatterField::Version)?;
        if !is_version(text.trim()) {
            let message = format!("`{text}` is not a semantic version");
            let help = "write it like `1.0.0`".to_owned();
            self.reader.report(
                Severity::Warning,
                DiagnosticCode::InvalidVersion,
                node,
                message,
                help,
            );
        }
        Some(self.trimmed(text)).filter(|text| !text.is_empty())
    }

    /// Reads a mapping of strings. The standard requires this type, but the standard's validator does not check it.
    fn metadata(&mut self) -> Vec<(DocText, DocText)> {
        let Some(node) = self.node(FrontmatterField::Metadata) else {
            return Vec::new();
        };
        let map = match &node.value {
            Value::Null => return Vec::new(),
            Value::Map(map) => map,
            _ => {
                let rule = self.rule(FrontmatterField::Metadata);
                self.reader.wrong_type("metadata", node, "a mapping", rule);
                return Vec::new();
            }
        };
        self.reader.duplicates(node);
        let source = self.reader.source;
        let mut entries: Vec<(DocText, DocText)> = Vec::new();
        let mut places = HashMap::new();
        for (key, value) in map {
            let Some(name) = key.scalar(source) else {
                let rule = self.rule(FrontmatterField::Metadata);
                self.reader
                    .wrong_type("a key of metadata", key, "a string", rule);
                continue;
            };
            let text = value.scalar(source).map(str::to_owned);
            let text = text.unwrap_or_else(|| value.json(source)).into();
            // the last value of a repeated key counts
            match places.insert(name, entries.len()) {
                Some(position) => {
                    entries[position].1 = text;
                    places.insert(name, position);
                }
                None => entries.push((name.to_owned().into(), text)),
            }
        }
        entries
    }

    pub(crate) fn list(
        &mut self,
        field: FrontmatterField,
        rule: Enforcement,
    ) -> Option<Vec<(String, &'n Node)>> {
        let node = self.node(field)?;
        Some(self.reader.list(field.key(), node, rule))
    }

    fn flag(&mut self, field: FrontmatterField, default: bool) -> bool {
        let node = self.node(field);
        node.and_then(|node| self.reader.boolean(field.key(), node))
            .unwrap_or(default)
    }

    /// Reads the invocation mode and its tool. `tool_dispatch` requires a tool, and no other mode uses one.
    fn invocation(&mut self) -> (InvocationMode, Option<DocText>) {
        let mode = self
            .read(FrontmatterField::InvocationMode, Reader::invocation_mode)
            .unwrap_or_default();
        let tool = self.optional(FrontmatterField::CommandTool);
        match (mode, &tool) {
            (InvocationMode::ToolDispatch, None) => {
                let at = self
                    .node(FrontmatterField::InvocationMode)
                    .map(|node| in_file(node.at));
                let help = "name the tool with `command_tool: …`".to_owned();
                let message = "`tool_dispatch` has no `command_tool`";
                self.reader
                    .error(DiagnosticCode::MalformedFrontmatter, at, message, help);
            }
            (InvocationMode::PromptRewrite, Some(_)) => {
                if let Some(node) = self.node(FrontmatterField::CommandTool) {
                    let help = "write `invocation_mode: tool_dispatch`, or leave it out".to_owned();
                    let message = "`command_tool` is not used by `prompt_rewrite`";
                    self.reader.report(
                        Severity::Warning,
                        DiagnosticCode::UnusedCommandTool,
                        node,
                        message,
                        help,
                    );
                }
            }
            _ => {}
        }
        (mode, tool)
    }
}
