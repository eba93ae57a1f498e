//! The errors for tools that do not fit a provider.

use std::error::Error;
use std::fmt;

use super::{Limit, Measure, ToolNames};

/// A construct in a schema that a provider cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Inexpressible {
    /// An object with arbitrary keys, such as a `HashMap`.
    Map,
    /// A value of any type, such as `serde_json::Value`.
    AnyValue,
    /// An object without properties.
    EmptyObject,
    /// A type that contains itself.
    Recursion,
    /// A type that contains itself in a required property.
    RequiredRecursion,
    /// A choice between objects with common properties, or several schemas for one value, that cannot be merged into one schema.
    Combination,
    /// A choice at the root of a tool's arguments.
    Choice,
    /// Arguments that are not an object.
    NoObject,
    /// A property name that the provider does not accept.
    PropertyName,
    /// An empty string in `enum` or `const`.
    EmptyString,
    /// A reference to a missing schema.
    Reference(String),
    /// A schema with more than [`MAX_SCHEMA_NODES`](super::MAX_SCHEMA_NODES) parts.
    Size,
    /// Definitions nested more than [`MAX_DEPTH`](skill_core::MAX_DEPTH) levels deep.
    Depth,
    /// A value that is not a schema, such as a string, where a schema is expected.
    NoSchema,
    /// A keyword whose value does not have the expected form.
    Keyword {
        /// The keyword's name.
        keyword: String,
        /// The expected form.
        expected: &'static str,
    },
}

impl fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Map => "a map; use a list of structs with the key and the value",
            Self::AnyValue => "a value of any type; use a struct, an enum or a string",
            Self::EmptyObject => "an object without properties; add a field or use a boolean",
            Self::Recursion => {
                "a type that contains itself; use a list whose items refer to each other by id"
            }
            Self::RequiredRecursion => {
                "a type that contains itself in a required property; add `#[serde(default)]` to the field"
            }
            Self::Combination => {
                "schemas that cannot be merged into one; do not use `#[serde(flatten)]` here"
            }
            Self::Choice => "a choice as the arguments; make it an argument",
            Self::NoObject => "arguments that are not an object",
            Self::PropertyName => "the name of this property; use letters, digits and `_`",
            Self::EmptyString => {
                "an empty name; write `#[serde(rename = \"…\")]` with another one, or use an `Option`"
            }
            Self::Reference(target) => {
                return write!(f, "the reference `{target}`, which leads to no schema");
            }
            Self::Depth => {
                let most = skill_core::MAX_DEPTH;
                return write!(f, "definitions within each other, more than {most} levels deep");
            }
            Self::NoSchema => "a value that is not a schema; write an object or a boolean",
            Self::Keyword { keyword, expected } => {
                return write!(f, "this value of `{keyword}`; write {expected}");
            }
            Self::Size => {
                return write!(
                    f,
                    "a schema of more than {} parts",
                    super::MAX_SCHEMA_NODES
                );
            }
        })
    }
}

/// A construct that a provider cannot express, with its path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaProblem {
    /// The path of the construct in the schema, as a JSON pointer, empty for the entire schema.
    pub path: String,
    /// The construct that cannot be expressed.
    pub part: Inexpressible,
}

/// The error for a schema that a provider cannot express, with all problems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    dialect: &'static str,
    problems: Vec<SchemaProblem>,
}

impl SchemaError {
    pub(super) fn new(dialect: &'static str, problems: Vec<SchemaProblem>) -> Self {
        Self { dialect, problems }
    }

    /// Returns the problems, a list that is never empty.
    #[must_use]
    pub fn problems(&self) -> &[SchemaProblem] {
        &self.problems
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, SchemaProblem { path, part }) in self.problems.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            if !path.is_empty() {
                write!(f, "`{path}`: ")?;
            }
            write!(f, "{} cannot express {part}", self.dialect)?;
        }
        Ok(())
    }
}

impl Error for SchemaError {}

/// A reason why tools do not fit a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolsProblem {
    /// A tool's schema cannot be expressed.
    Schema {
        /// The tool's name.
        tool: String,
        /// The parts of the schema that cannot be expressed.
        error: SchemaError,
    },
    /// The provider's models cannot call a tool with this name.
    Name {
        /// The tool's name.
        tool: String,
        /// The names that the provider accepts.
        names: ToolNames,
    },
    /// Two tools have the same name.
    SameName {
        /// The name of both tools.
        tool: String,
    },
    /// A provider's limit is exceeded.
    Limit {
        /// The tool's name if the limit applies to each tool.
        tool: Option<String>,
        /// The exceeded limit.
        limit: Limit,
        /// The number that was found.
        found: usize,
    },
}

/// The error for tools that do not fit a provider, with all reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolsError {
    dialect: &'static str,
    problems: Vec<ToolsProblem>,
}

impl ToolsError {
    pub(super) fn new(dialect: &'static str, problems: Vec<ToolsProblem>) -> Self {
        Self { dialect, problems }
    }

    /// Returns the reasons, a list that is never empty.
    #[must_use]
    pub fn problems(&self) -> &[ToolsProblem] {
        &self.problems
    }
}

impl fmt::Display for ToolsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            match problem {
                ToolsProblem::Schema { tool, error } => {
                    for (index, line) in error.to_string().lines().enumerate() {
                        let line_break = if index > 0 { "\n" } else { "" };
                        write!(f, "{line_break}the tool `{tool}`: {line}")?;
                    }
                }
                ToolsProblem::Name { tool, names } => {
                    let dialect = self.dialect;
                    write!(
                        f,
                        "the tool `{tool}`: {dialect} refuses this name; it needs {names}"
                    )?;
                }
                ToolsProblem::SameName { tool } => {
                    write!(f, "two tools have the name `{tool}`; rename one of them")?;
                }
                ToolsProblem::Limit { tool, limit, found } => {
                    if let Some(tool) = tool {
                        write!(f, "the tool `{tool}`: ")?;
                    }
                    let Limit { measure, most } = limit;
                    write!(f, "{} accepts at most {most} {measure}", self.dialect)?;
                    write!(f, ", and there are {found}; {}", measure.remedy())?;
                }
            }
        }
        Ok(())
    }
}

impl Error for ToolsError {}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tools => "tools in a request",
            Self::OptionalProperties => "optional properties in the tools of a request",
            Self::Unions => "properties with several types in the tools of a request",
            Self::Depth => "levels of objects in a tool",
            Self::Properties => "properties in a tool",
            Self::EnumValues => "values of enums in a tool",
            Self::EnumChars => "characters in the values of an enum with more than 250 of them",
            Self::NameChars => "characters of names and values of enums in a tool",
        })
    }
}

impl Measure {
    fn remedy(self) -> &'static str {
        match self {
            Self::Tools => "send fewer tools at a time",
            Self::OptionalProperties | Self::Unions => {
                "send fewer tools, or use a provider that is not strict"
            }
            Self::EnumChars => "use a string, or a provider that is not strict",
            Self::Depth | Self::Properties | Self::EnumValues | Self::NameChars => {
                "divide the tool, or use a provider that is not strict"
            }
        }
    }
}
