//! The names of what can be wrong. A program may match on them, so they do not change.

use serde::{Serialize, Serializer};
use std::fmt;

/// What a finding is about. The texts of [`Code::as_str`] are stable.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// The bytes are not UTF-8.
    BadUtf8,
    /// The file or its frontmatter is larger than the dialect allows.
    TooLarge,
    /// The dialect requires frontmatter, and there is none.
    MissingFrontmatter,
    /// There is frontmatter, and it cannot be read: no close, no YAML, no mapping, or a contradiction (seed 004, section 6).
    MalformedFrontmatter,
    /// The frontmatter nests too deep or has too many values.
    YamlLimit,
    /// Anchors, aliases, merge keys, and where the dialect says so tags and flow collections.
    YamlFeature,
    /// A key stands twice in one mapping.
    DuplicateKey,
    /// A value with an unquoted colon was read as text.
    RepairedYaml,
    /// A key that the dialect does not know.
    UnknownField,
    /// A required key is absent.
    MissingField,
    /// A required value is empty.
    EmptyField,
    /// A value of another type than the key takes.
    WrongType,
    /// A value longer than the dialect allows.
    FieldTooLong,
    /// More keywords or patterns than a document may have.
    TooMany,
    /// A name outside the grammar of the dialect.
    InvalidName,
    /// The name is not that of the folder.
    NameMismatch,
    /// A version that is not a semantic version.
    InvalidVersion,
    /// A trigger pattern that is not a regular expression, or is too large.
    InvalidPattern,
    /// A toolset that is not `path:Type`, or whose path leaves the folder.
    InvalidToolset,
    /// A script whose path leaves the folder.
    InvalidScript,
    /// A requirement that is not `name` or `name@version`.
    InvalidRequirement,
    /// A command that is not `[a-z0-9_-]+` (seed 004, section 3.3).
    InvalidCommandAlias,
    /// A `command_tool` that `invocation_mode` makes meaningless.
    UnusedCommandTool,
    /// An operating system that no host has, so the document is never eligible.
    UnknownOs,
    /// A character that is not seen: bidi, tag or zero-width.
    HiddenCharacter,
}

impl Code {
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
        Self::InvalidRequirement,
        Self::InvalidCommandAlias,
        Self::UnusedCommandTool,
        Self::UnknownOs,
        Self::HiddenCharacter,
    ];

    /// The stable name, in snake case.
    ///
    /// ```
    /// assert_eq!(skill_manifest::Code::NameMismatch.as_str(), "name_mismatch");
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
            Self::InvalidRequirement => "invalid_requirement",
            Self::InvalidCommandAlias => "invalid_command_alias",
            Self::UnusedCommandTool => "unused_command_tool",
            Self::UnknownOs => "unknown_os",
            Self::HiddenCharacter => "hidden_character",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Whether a finding keeps the document from loading.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The document loads.
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
