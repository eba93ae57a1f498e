//! The codes of diagnostics. Programs match on them, so they do not change.

use serde::{Serialize, Serializer};
use std::fmt;

/// The kind of a diagnostic. The strings of [`DiagnosticCode::as_str`] are stable.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiagnosticCode {
    /// The bytes are not UTF-8.
    BadUtf8,
    /// The file, its frontmatter or a folder of documents is larger than the dialect allows.
    TooLarge,
    /// The dialect requires frontmatter, and the document has none.
    MissingFrontmatter,
    /// The frontmatter cannot be read: it is not closed, is not YAML or not a mapping, has a key that is not a string or an
    /// unknown `invocation_mode`, or contradicts itself.
    MalformedFrontmatter,
    /// The frontmatter is nested too deep or has too many values.
    YamlLimit,
    /// An anchor, alias or merge key; or a tag or flow collection where the dialect refuses them.
    YamlFeature,
    /// A key is repeated in one mapping.
    DuplicateKey,
    /// A value with an unquoted colon was read as a string.
    RepairedYaml,
    /// A key that the dialect does not know.
    UnknownField,
    /// A required key is missing.
    MissingField,
    /// A required value is empty.
    EmptyField,
    /// A value of the wrong type.
    WrongType,
    /// A value longer than the dialect allows.
    FieldTooLong,
    /// More keywords or patterns than a document may have.
    TooMany,
    /// A name that the dialect's grammar does not allow.
    InvalidName,
    /// The name differs from the folder's name.
    NameMismatch,
    /// A version that is not a semantic version.
    InvalidVersion,
    /// A trigger pattern that is not a regular expression, or is too large.
    InvalidPattern,
    /// A toolset that is not `path:Type`, or whose path leaves the folder.
    InvalidToolset,
    /// A script whose path leaves the folder.
    InvalidScript,
    /// A listed script that is not a file in the folder.
    MissingScript,
    /// A requirement that is not `name` or `name@version`.
    InvalidRequirement,
    /// A command that is not `[a-z0-9_-]+`.
    InvalidCommandAlias,
    /// A `command_tool` that the `invocation_mode` does not use.
    UnusedCommandTool,
    /// An unknown operating system, so the document is never eligible.
    UnknownOs,
    /// An invisible character: a filler, a selector, a tag, a joiner or a direction mark. An error in an id, as is a character
    /// that looks like a space.
    HiddenCharacter,
    /// An id with letters of several alphabets that look alike.
    MixedScripts,
    /// A folder of a source without a SKILL.md, or a file with another name.
    MissingSkillMd,
    /// The folder of a source does not exist.
    MissingRoot,
    /// The folder of a source is a document, which is not read.
    SourceIsDocument,
    /// A file or folder that cannot be read.
    Unreadable,
    /// A symbolic link, which is not followed; in a discovered source also a file with several hard links.
    LinkRefused,
    /// Two documents with one id, or ids that differ only in case or Unicode form.
    DuplicateId,
    /// An id that is the name of a Rust skill of the agent.
    ReservedId,
    /// An action named `skill` or `read_skill_file`, which are the names of the tools that offer documents.
    ReservedTool,
    /// A command that is built in, or that another document has.
    CommandAliasCollision,
    /// A condition of `eligibility` that the host does not meet.
    Ineligible,
    /// A tool of `requires_tools` that does not exist.
    MissingRequiredTools,
    /// A `command_tool` that does not exist.
    MissingCommandTool,
    /// A toolset that is bound to no Rust skill, or a bound toolset that the document does not name.
    UnboundToolset,
    /// A skill of `requires` that does not exist, or not in that version.
    MissingRequirement,
    /// A source of higher precedence has the same id.
    PrecedenceConflict,
    /// A document of a discovered source, which is not offered until it is trusted.
    Untrusted,
    /// A document that the configuration or `default_enabled` turns off.
    Disabled,
    /// Documents that no model gets, because their agent does not say `allow_skills: true`.
    NotOffered,
    /// `allowed-tools` that allow no tool, in a program that restricts tools by it.
    NoAllowedTools,
    /// More documents than the catalog may hold.
    TooManySkills,
    /// A name in the configuration that no document or source has.
    UnknownName,
    /// A word in backticks or in `allowed-tools` that is almost the name of a tool.
    MisspelledTool,
    /// A text file with frontmatter in the folder of a source, which is not read: a document has a folder of its own.
    MisplacedDocument,
    /// A catalog without a source, which offers nothing.
    NoSource,
    /// A document without a body, of which a model loads nothing. The program `skills` reports it.
    EmptyBody,
}

impl DiagnosticCode {
    /// Every code, in the order of this enum.
    pub const ALL: &[Self] = &[
        Self::BadUtf8,
        Self::TooLarge,
        Self::MissingFrontmatter,
        Self::MalformedFrontmatter,
        Self::YamlLimit,
        Self::YamlFeature,
        Self::DuplicateKey,
        Self::RepairedYaml,
        Self::UnknownField,
        Self::MissingField,
        Self::EmptyField,
        Self::WrongType,
        Self::FieldTooLong,
        Self::TooMany,
        Self::InvalidName,
        Self::NameMismatch,
        Self::InvalidVersion,
        Self::InvalidPattern,
        Self::InvalidToolset,
        Self::InvalidScript,
        Self::MissingScript,
        Self::InvalidRequirement,
        Self::InvalidCommandAlias,
        Self::UnusedCommandTool,
        Self::UnknownOs,
        Self::HiddenCharacter,
        Self::MixedScripts,
        Self::MissingSkillMd,
        Self::MissingRoot,
        Self::SourceIsDocument,
        Self::Unreadable,
        Self::LinkRefused,
        Self::DuplicateId,
        Self::ReservedId,
        Self::ReservedTool,
        Self::CommandAliasCollision,
        Self::Ineligible,
        Self::MissingRequiredTools,
        Self::MissingCommandTool,
        Self::UnboundToolset,
        Self::MissingRequirement,
        Self::PrecedenceConflict,
        Self::Untrusted,
        Self::Disabled,
        Self::NotOffered,
        Self::NoAllowedTools,
        Self::TooManySkills,
        Self::UnknownName,
        Self::MisspelledTool,
        Self::MisplacedDocument,
        Self::NoSource,
        Self::EmptyBody,
    ];

    /// The stable name, in snake case.
    ///
    /// ```
    /// assert_eq!(skill_manifest::DiagnosticCode::NameMismatch.as_str(), "name_mismatch");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BadUtf8 => "bad_utf8",
            Self::TooLarge => "too_large",
            Self::MissingFrontmatter => "missing_frontmatter",
            Self::MalformedFrontmatter => "malformed_frontmatter",
            Self::YamlLimit => "yaml_limit",
            Self::YamlFeature => "yaml_feature",
            Self::DuplicateKey => "duplicate_key",
            Self::RepairedYaml => "repaired_yaml",
            Self::UnknownField => "unknown_field",
            Self::MissingField => "missing_field",
            Self::EmptyField => "empty_field",
            Self::WrongType => "wrong_type",
            Self::FieldTooLong => "field_too_long",
            Self::TooMany => "too_many",
            Self::InvalidName => "invalid_name",
            Self::NameMismatch => "name_mismatch",
            Self::InvalidVersion => "invalid_version",
            Self::InvalidPattern => "invalid_pattern",
            Self::InvalidToolset => "invalid_toolset",
            Self::InvalidScript => "invalid_script",
            Self::MissingScript => "missing_script",
            Self::InvalidRequirement => "invalid_requirement",
            Self::InvalidCommandAlias => "invalid_command_alias",
            Self::UnusedCommandTool => "unused_command_tool",
            Self::UnknownOs => "unknown_os",
            Self::HiddenCharacter => "hidden_character",
            Self::MixedScripts => "mixed_scripts",
            Self::MissingSkillMd => "missing_skill_md",
            Self::MissingRoot => "missing_root",
            Self::SourceIsDocument => "source_is_document",
            Self::Unreadable => "unreadable",
            Self::LinkRefused => "link_refused",
            Self::DuplicateId => "duplicate_id",
            Self::ReservedId => "reserved_id",
            Self::ReservedTool => "reserved_tool",
            Self::CommandAliasCollision => "command_alias_collision",
            Self::Ineligible => "ineligible",
            Self::MissingRequiredTools => "missing_required_tools",
            Self::MissingCommandTool => "missing_command_tool",
            Self::UnboundToolset => "unbound_toolset",
            Self::MissingRequirement => "missing_requirement",
            Self::PrecedenceConflict => "precedence_conflict",
            Self::Untrusted => "untrusted",
            Self::Disabled => "disabled",
            Self::NotOffered => "not_offered",
            Self::NoAllowedTools => "no_allowed_tools",
            Self::TooManySkills => "too_many_skills",
            Self::UnknownName => "unknown_name",
            Self::MisspelledTool => "misspelled_tool",
            Self::MisplacedDocument => "misplaced_document",
            Self::NoSource => "no_source",
            Self::EmptyBody => "empty_body",
        }
    }
}

impl fmt::Display for DiagnosticCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for DiagnosticCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Whether a diagnostic keeps the document from loading.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The document is valid, although a loader may leave it out on this machine.
    Warning,
    /// The document does not load.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}
