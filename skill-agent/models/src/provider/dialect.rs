//! A table of the JSON Schema features that a provider supports.

use std::fmt;

use skill_core::process::is_tool_name;

/// The maximum number of parts in a schema, both before and after references are written out.
pub const MAX_SCHEMA_NODES: usize = 10_000;

/// The keywords or formats that a provider supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Supported {
    /// All names.
    All,
    /// All names except these.
    AllBut(&'static [&'static str]),
    /// Only these names.
    Only(&'static [&'static str]),
}

impl Supported {
    /// Returns whether `name` is supported.
    pub(crate) fn has(self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::AllBut(names) => !names.contains(&name),
            Self::Only(names) => names.contains(&name),
        }
    }
}

/// The kinds of schema references that a provider follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum References {
    /// All references within a tool's schema.
    All,
    /// Like [`All`](Self::All), but a type may contain itself only through an optional property.
    OptionalCycles,
    /// No references: definitions are written out in place. A recursive definition is nested this many times, and its innermost
    /// level contains only its type.
    Unrolled(usize),
    /// No references: definitions are written out in place, so recursive types cannot be expressed.
    Inlined,
}

/// The values allowed in `enum` and `const`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnumValues {
    /// Any JSON value.
    Any,
    /// Strings, numbers, booleans and `null`.
    Scalars,
    /// Strings and numbers.
    StringsAndNumbers,
    /// Only strings.
    Strings,
}

impl EnumValues {
    /// Returns whether `value` is allowed.
    pub(crate) fn allows(self, value: &skill_core::serde_json::Value) -> bool {
        match self {
            Self::Any => true,
            Self::Scalars => !value.is_object() && !value.is_array(),
            Self::StringsAndNumbers => value.is_string() || value.is_number(),
            Self::Strings => value.is_string(),
        }
    }
}

/// The quantity that a [`Limit`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Measure {
    /// The tools of a request.
    Tools,
    /// The optional properties in all tools of a request.
    OptionalProperties,
    /// The properties with `anyOf` or several types, in all tools of a request.
    Unions,
    /// The nesting depth of objects in one tool, counting the arguments as the first level.
    Depth,
    /// The properties of one tool, at all depths.
    Properties,
    /// The values in all `enum`s of one tool.
    EnumValues,
    /// The characters of all strings in one `enum` with more than 250 values.
    EnumChars,
    /// The characters of property names, definition names, `enum` values and `const` values in one tool.
    NameChars,
}

/// A provider's limit for a request or a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// What is counted.
    pub measure: Measure,
    /// The maximum number.
    pub most: usize,
}

impl Limit {
    /// Creates a limit with the maximum `most`.
    #[must_use]
    pub const fn new(measure: Measure, most: usize) -> Self {
        Self { measure, most }
    }
}

/// The regular expressions that a provider supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Patterns {
    /// Everything in ECMA-262, as in JSON Schema.
    Any,
    /// Expressions that mean the same in JavaScript, Python, Go and Rust. Excludes lookaround, backreferences, `\p{…}`, named
    /// groups, flags, and `[` within brackets.
    Common,
    /// Common expressions that begin with `^` and end with `$`, without another anchor, and without alternatives that the anchors
    /// would not cover, as in `^a|b$`. llama.cpp refuses or misreads all others.
    Anchored,
}

impl Patterns {
    /// Returns whether `pattern` is supported.
    pub(crate) fn has(self, pattern: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Common => crate::patterns::is_common(pattern),
            Self::Anchored => Self::Common.has(pattern) && crate::patterns::is_anchored(pattern),
        }
    }
}

/// The property names that a provider accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PropertyNames {
    /// All names.
    Any,
    /// 1 to 64 characters of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`.
    Words,
    /// 1 to 64 characters of `a-z`, `A-Z`, `0-9` and `_`, not beginning with a digit.
    Identifiers,
}

impl PropertyNames {
    /// Returns whether `name` is accepted.
    pub(crate) fn allow(self, name: &str) -> bool {
        let is_short = !name.is_empty() && name.len() <= 64;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        match self {
            Self::Any => true,
            Self::Words => is_short && name.chars().all(|c| is_word(c) || c == '.' || c == '-'),
            Self::Identifiers => {
                is_short
                    && name.chars().all(is_word)
                    && !name.starts_with(|c: char| c.is_ascii_digit())
            }
        }
    }
}

/// The tool names that a provider accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolNames {
    /// All names.
    Any,
    /// 1 to 64 characters of `a-z`, `A-Z`, `0-9`, `_` and `-`.
    Words,
    /// 1 to 64 characters of `a-z`, `A-Z`, `0-9`, `_`, `.`, `:` and `-`. The first character is a letter or `_`.
    Identifiers,
}

impl ToolNames {
    /// Returns whether `name` is accepted.
    pub(crate) fn allow(self, name: &str) -> bool {
        let is_mark = |c: char| matches!(c, '_' | '.' | ':' | '-');
        match self {
            Self::Any => true,
            Self::Words => is_tool_name(name),
            Self::Identifiers => {
                name.len() <= 64
                    && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                    && name
                        .chars()
                        .all(|c| c.is_ascii_alphanumeric() || is_mark(c))
            }
        }
    }
}

/// Describes the accepted names for use in messages.
impl fmt::Display for ToolNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Any => "any text",
            Self::Words => "1 to 64 letters, digits, `_` and `-`",
            Self::Identifiers => {
                "1 to 64 letters, digits, `_`, `.`, `:` and `-`, and begins with a letter or `_`"
            }
        })
    }
}

/// The part of JSON Schema (draft 2020-12) that a provider supports. A document's dialect is something else.
///
/// The statics in [`dialects`](crate::dialects) describe the known providers. To define your own dialect, change a preset in a
/// `static`:
///
/// ```
/// use skill_agent::models::{Provider, SchemaDialect, Supported, shapes};
///
/// static LOCAL_DIALECT: SchemaDialect = SchemaDialect::JSON_SCHEMA
///     .with_name("our local model")
///     .with_keywords(Supported::AllBut(&["pattern"]));
/// const LOCAL: Provider = Provider { dialect: &LOCAL_DIALECT, shape: &shapes::OPENAI_CHAT };
///
/// let word = serde_json::json!({ "type": "string", "pattern": "^[a-z]+$", "description": "A word." });
/// assert_eq!(
///     LOCAL.schema(&word)?,
///     serde_json::json!({ "type": "string", "description": "A word.\n\n{pattern: \"^[a-z]+$\"}" }),
/// );
/// # Ok::<(), skill_agent::models::SchemaError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaDialect {
    /// The dialect's name in messages.
    pub name: &'static str,
    /// The supported keywords; all others are moved into the description.
    pub keywords: Supported,
    /// The supported values of `format`.
    pub formats: Supported,
    /// The supported values of `pattern` and keys of `patternProperties`; all others are moved into the description.
    pub patterns: Patterns,
    /// The supported references.
    pub references: References,
    /// Whether a schema may have other keywords next to `$ref`.
    pub reference_siblings: bool,
    /// Whether a schema may have other keywords next to a choice.
    pub choice_siblings: bool,
    /// Whether `type` may be a list.
    pub type_lists: bool,
    /// Whether a schema may have `type` next to `enum` or `const`.
    pub typed_literals: bool,
    /// The allowed values of `enum` and `const`.
    pub enum_values: EnumValues,
    /// Whether `enum` and `const` may contain an empty string.
    pub empty_strings: bool,
    /// Whether the format of a 32-bit integer is also written as bounds.
    pub integer_bounds: bool,
    /// The maximum allowed value of `minItems`.
    pub min_items: u64,
    /// Whether a schema may omit its type to allow any value.
    pub any_value: bool,
    /// Whether objects within the arguments may have no properties.
    pub empty_objects: bool,
    /// Whether an object may have arbitrary keys.
    pub maps: bool,
    /// Whether every object must have `additionalProperties: false`.
    pub closed: bool,
    /// Whether every property must be required, so that an optional property is `null` instead of absent.
    pub all_required: bool,
    /// Whether an optional property may also be `null`, if that means the same as omitting it.
    pub optional_null: bool,
    /// The allowed property names.
    pub property_names: PropertyNames,
    /// The provider's limits for a request or a schema.
    pub limits: &'static [Limit],
}

crate::builders! { SchemaDialect:
    with_name name: &'static str;
    with_keywords keywords: Supported;
    with_formats formats: Supported;
    with_patterns patterns: Patterns;
    with_references references: References;
    with_reference_siblings reference_siblings: bool;
    with_choice_siblings choice_siblings: bool;
    with_type_lists type_lists: bool;
    with_typed_literals typed_literals: bool;
    with_enum_values enum_values: EnumValues;
    with_empty_strings empty_strings: bool;
    with_integer_bounds integer_bounds: bool;
    with_min_items min_items: u64;
    with_any_value any_value: bool;
    with_empty_objects empty_objects: bool;
    with_maps maps: bool;
    with_closed closed: bool;
    with_all_required all_required: bool;
    with_optional_null optional_null: bool;
    with_property_names property_names: PropertyNames;
    with_limits limits: &'static [Limit];
}

impl SchemaDialect {
    /// Everything in draft 2020-12.
    pub const JSON_SCHEMA: Self = Self {
        name: "JSON Schema",
        keywords: Supported::All,
        formats: Supported::All,
        patterns: Patterns::Any,
        references: References::All,
        reference_siblings: true,
        choice_siblings: true,
        type_lists: true,
        typed_literals: true,
        enum_values: EnumValues::Any,
        empty_strings: true,
        integer_bounds: false,
        min_items: u64::MAX,
        any_value: true,
        empty_objects: true,
        maps: true,
        closed: false,
        all_required: false,
        optional_null: true,
        property_names: PropertyNames::Any,
        limits: &[],
    };

    /// Returns whether `null` is written as `nullable: true`, as in OpenAPI 3.0.
    pub(crate) fn has_nullable(&self) -> bool {
        matches!(self.keywords, Supported::Only(names) if names.contains(&"nullable"))
    }

    /// Returns whether objects list the order of their properties, with a keyword outside JSON Schema.
    pub(crate) fn has_property_ordering(&self) -> bool {
        matches!(self.keywords, Supported::Only(names) if names.contains(&"propertyOrdering"))
    }
}
