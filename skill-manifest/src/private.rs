//! Items for generated code and for the macros. They are not part of the public API.
#![allow(missing_docs)] // the fields are documented in `SkillDoc`

use crate::diagnostic::Position;
use crate::frontmatter::{Parts, split};
use crate::yaml;
use crate::{DocText, DocumentLimits, Eligibility, InvocationMode, SkillDoc, Triggers};
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;

/// A document in the form that a macro generates: every string and list is a literal.
#[derive(Clone, Copy, Debug)]
pub struct Embedded<'a> {
    pub id: &'a str,
    pub name: &'a str,
    pub description: &'a str,
    pub brief_description: &'a str,
    pub version: Option<&'a str>,
    pub license: Option<&'a str>,
    pub compatibility: Option<&'a str>,
    pub metadata: &'a [(DocText, DocText)],
    pub allowed_tools: Option<&'a [DocText]>,
    pub toolsets: &'a [DocText],
    pub scripts: Option<&'a [DocText]>,
    pub keywords: &'a [DocText],
    pub verbs: &'a [DocText],
    pub patterns: &'a [DocText],
    pub paths: &'a [DocText],
    pub default_enabled: bool,
    pub summary: &'a str,
    pub invocation_mode: InvocationMode,
    pub command: Option<&'a str>,
    pub command_tool: Option<&'a str>,
    pub requires_tools: &'a [DocText],
    pub os: &'a [DocText],
    pub env: &'a [DocText],
    pub binaries: &'a [DocText],
    pub requires: &'a [DocText],
    pub disable_model_invocation: bool,
    pub user_invocable: bool,
    pub argument_hint: Option<&'a str>,
    pub argument_placeholders: bool,
    pub body: &'a str,
    pub body_offset: usize,
}

impl Embedded<'static> {
    /// An empty document.
    pub const EMPTY: Self = Self {
        id: "",
        name: "",
        description: "",
        brief_description: "",
        version: None,
        license: None,
        compatibility: None,
        metadata: &[],
        allowed_tools: None,
        toolsets: &[],
        scripts: None,
        keywords: &[],
        verbs: &[],
        patterns: &[],
        paths: &[],
        default_enabled: true,
        summary: "",
        invocation_mode: InvocationMode::PromptRewrite,
        command: None,
        command_tool: None,
        requires_tools: &[],
        os: &[],
        env: &[],
        binaries: &[],
        requires: &[],
        disable_model_invocation: false,
        user_invocable: true,
        argument_hint: None,
        argument_placeholders: false,
        body: "",
        body_offset: 0,
    };

    /// Builds the `SkillDoc`.
    #[must_use]
    pub const fn doc(self) -> SkillDoc {
        SkillDoc {
            id: text(self.id),
            name: text(self.name),
            description: text(self.description),
            brief_description: text(self.brief_description),
            version: text_option(self.version),
            license: text_option(self.license),
            compatibility: text_option(self.compatibility),
            metadata: Cow::Borrowed(self.metadata),
            allowed_tools: match self.allowed_tools {
                Some(tools) => Some(Cow::Borrowed(tools)),
                None => None,
            },
            toolsets: Cow::Borrowed(self.toolsets),
            scripts: match self.scripts {
                Some(scripts) => Some(Cow::Borrowed(scripts)),
                None => None,
            },
            triggers: Triggers {
                keywords: Cow::Borrowed(self.keywords),
                verbs: Cow::Borrowed(self.verbs),
                patterns: Cow::Borrowed(self.patterns),
                paths: Cow::Borrowed(self.paths),
            },
            default_enabled: self.default_enabled,
            summary: text(self.summary),
            invocation_mode: self.invocation_mode,
            command: text_option(self.command),
            command_tool: text_option(self.command_tool),
            requires_tools: Cow::Borrowed(self.requires_tools),
            eligibility: Eligibility {
                os: Cow::Borrowed(self.os),
                env: Cow::Borrowed(self.env),
                binaries: Cow::Borrowed(self.binaries),
            },
            requires: Cow::Borrowed(self.requires),
            disable_model_invocation: self.disable_model_invocation,
            user_invocable: self.user_invocable,
            argument_hint: text_option(self.argument_hint),
            argument_placeholders: self.argument_placeholders,
            body: text(self.body),
            body_offset: self.body_offset,
        }
    }
}

impl<'a> Embedded<'a> {
    /// Borrows a document's contents. The document is destructured completely, so that a new field of [`SkillDoc`] causes a
    /// compile error here until the macros embed it.
    #[must_use]
    pub fn of(doc: &'a SkillDoc) -> Self {
        let SkillDoc {
            id,
            name,
            description,
            brief_description,
            version,
            license,
            compatibility,
            metadata,
            allowed_tools,
            toolsets,
            scripts,
            triggers:
                Triggers {
                    keywords,
                    verbs,
                    patterns,
                    paths,
                },
            default_enabled,
            summary,
            invocation_mode,
            command,
            command_tool,
            requires_tools,
            eligibility: Eligibility { os, env, binaries },
            requires,
            disable_model_invocation,
            user_invocable,
            argument_hint,
            argument_placeholders,
            body,
            body_offset,
        } = doc;
        Self {
            id,
            name,
            description,
            brief_description,
            version: version.as_deref(),
            license: license.as_deref(),
            compatibility: compatibility.as_deref(),
            metadata,
            allowed_tools: allowed_tools.as_deref(),
            toolsets,
            scripts: scripts.as_deref(),
            keywords,
            verbs,
            patterns,
            paths,
            default_enabled: *default_enabled,
            summary,
            invocation_mode: *invocation_mode,
            command: command.as_deref(),
            command_tool: command_tool.as_deref(),
            requires_tools,
            os,
            env,
            binaries,
            requires,
            disable_model_invocation: *disable_model_invocation,
            user_invocable: *user_invocable,
            argument_hint: argument_hint.as_deref(),
            argument_placeholders: *argument_placeholders,
            body,
            body_offset: *body_offset,
        }
    }
}

/// Wraps a string literal.
#[must_use]
pub const fn text(literal: &'static str) -> DocText {
    Cow::Borrowed(literal)
}

const fn text_option(literal: Option<&'static str>) -> Option<DocText> {
    match literal {
        Some(literal) => Some(text(literal)),
        None => None,
    }
}

/// Returns the line and column of a byte, counted as in diagnostics.
#[must_use]
pub fn position(bytes: &[u8], offset: usize) -> (u32, u32) {
    let at = Position::of(bytes, offset);
    (at.line, at.column)
}

/// Returns the normal form of an id. Ids that differ only in case or Unicode form have the same normal form.
#[must_use]
pub fn folded_id(id: &str) -> String {
    // lowercasing may denormalize the text, so normalize it again
    id.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}

/// Returns a document's frontmatter as a JSON object, or `None` if it has none or its YAML is malformed. `is_json` returns whether a
/// number is one of JSON, too; any other number becomes a string.
pub fn frontmatter_json(
    text: &str,
    limits: &DocumentLimits,
    is_json: fn(&str) -> bool,
) -> Option<String> {
    let Parts::Both { yaml, .. } = split(text) else {
        return None;
    };
    let root = yaml::read(yaml, limits, "").ok()?;
    matches!(root.value, yaml::Value::Map(_)).then(|| root.json_with_numbers(yaml, is_json))
}
