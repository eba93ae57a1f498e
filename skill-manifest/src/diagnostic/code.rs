//! The codes of diagnostics. They never change, because programs match on them.

use serde::{Serialize, Serializer};
use std::fmt;

/// The kind of a diagnostic. The strings from [`DiagnosticCode::as_str`] are stable.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiagnosticCode {
    /// The file is not valid UTF-8.
    BadUtf8,
    /// The file, its frontmatter or a folder of documents exceeds the dialect's limit.
    TooLarge,
    /// The dialect requires frontmatter, but the document has none.
    MissingFrontmatter,
    /// The frontmatter cannot be read. It is not closed, is not YAML or not a mapping, has a key that is not a string or an
    /// unknown `invocation_mode`, or contradicts itself.
    MalformedFrontmatter,
    /// The frontmatter is nested too deeply or has too many values.
    YamlLimit,
    /// The frontmatter has an anchor, an alias or a merge key, or a tag or flow collection that the dialect refuses.
    YamlFeature,
    /// A key is repeated in the same mapping.
    DuplicateKey,
    /// An invalid value, such as one with an unquoted colon, was read as a string.
    RepairedYaml,
    /// The dialect does not know the key.
    UnknownField,
    /// A required key is missing.
    MissingField,
    /// A required value is empty.
    EmptyField,
    /// A value has the wrong type.
    WrongType,
    /// A value is longer than the dialect allows.
    FieldTooLong,
    /// The document has too many keywords or patterns.
    TooMany,
    /// A name breaks the dialect's rules for names.
    InvalidName,
    /// The name differs from the folder's name.
    NameMismatch,
    /// A version is not a semantic version.
    InvalidVersion,
    /// A trigger pattern is not a regular expression, or is too large.
    InvalidPattern,
    /// A toolset is not of the form `path:Type`, or its path leaves the folder.
    InvalidToolset,
    /// A script's path leaves the folder.
    InvalidScript,
    /// A listed script is not a file in the folder.
    MissingScript,
    /// A requirement is not of the form `name` or `name@version`.
    InvalidRequirement,
    /// A command is not of the form `[a-z0-9_-]+`.
    InvalidCommandAlias,
    /// The document has a `command_tool`, but its `invocation_mode` does not use one.
    UnusedCommandTool,
    /// An operating system is unknown, so the document is never eligible.
    UnknownOs,
    /// The text contains an invisible character: a filler, a selector, a tag, a joiner or a direction mark. In an id, this is an
    /// error, and so is a character that looks like a space.
    HiddenCharacter,
    /// An id has letters of several alphabets that look alike.
    MixedScripts,
    /// A folder in a source has no SKILL.md, a folder of an agent has no AGENT.md, or the file has a different name.
    MissingSkillMd,
    /// A source's folder does not exist.
    MissingRoot,
    /// A source's folder is itself a document, which is not read.
    SourceIsDocument,
    /// A file or folder cannot be read.
    Unreadable,
    /// A symbolic link is not followed, or a file in a discovered source has several hard links.
    LinkRefused,
    /// Two documents have the same id, or ids that differ only in case or Unicode form.
    DuplicateId,
    /// The id is the name of a Rust skill of the agent.
    ReservedId,
    /// An action has the name of a tool that offers documents, such as `skill` or `read_skill_file`.
    ReservedTool,
    /// A command is built in, or a different document already has it.
    CommandAliasCollision,
    /// The host does not meet a condition of `eligibility`.
    Ineligible,
    /// A tool in `requires_tools` does not exist.
    MissingRequiredTools,
    /// The `command_tool` does not exist.
    MissingCommandTool,
    /// A toolset is not bound to a Rust skill, or the document does not name a bound toolset.
    UnboundToolset,
    /// A skill in `requires` does not exist, or has a version that does not match.
    MissingRequirement,
    /// A source with higher precedence has a document with the same id.
    PrecedenceConflict,
    /// A document from a discovered source is not offered until it is trusted.
    Untrusted,
    /// The configuration or `default_enabled` disables the document.
    Disabled,
    /// The documents are not offered to any model, because the agent does not set `allow_skills: true`.
    NotOffered,
    /// The program enforces `allowed-tools`, and the key allows no tool.
    NoAllowedTools,
    /// There are more documents than the catalog may contain.
    TooManySkills,
    /// A name in the configuration belongs to no document and no source.
    UnknownName,
    /// A word in backticks or in `allowed-tools` looks like a misspelled tool name.
    MisspelledTool,
    /// A text file with frontmatter is directly in a source's folder. The file is not read, because a document needs its own
    /// folder.
    MisplacedDocument,
    /// The catalog has no source, so it offers nothing.
    NoSource,
    /// The document has no body, so a model would load nothing. Reported by the program `skills`.
    EmptyBody,
    /// A command's body has `$1`, which is the second argument, and no placeholder for the first one.
    SecondArgument,
    /// An unquoted text ends before a `#`, which begins a comment in YAML.
    CommentInText,
    /// The program has no provider with the name in an AGENT.md.
    UnknownProvider,
    /// The provider in an AGENT.md cannot create the model, for example because its key is missing.
    UnavailableModel,
}

impl DiagnosticCode {
    /// All codes, in the order of this enum.
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
        Self::SecondArgument,
        Self::CommentInText,
        Self::UnknownProvider,
        Self::UnavailableModel,
    ];

    /// Returns the stable name, in snake case.
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
            Self::SecondArgument => "second_argument",
            Self::CommentInText => "comment_in_text",
            Self::UnknownProvider => "unknown_provider",
            Self::UnavailableModel => "unavailable_model",
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

/// Whether a diagnostic prevents the document from loading.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The document is valid, but a loader may leave it out on this machine.
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
