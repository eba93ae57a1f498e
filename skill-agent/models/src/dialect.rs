//! The part of JSON Schema that a provider reads, as a table.

use std::fmt;

use skill_core::process::is_tool_name;

/// The most parts of one schema, before and after references are written out.
pub const MAX_SCHEMA_NODES: usize = 10_000;

/// The keywords or formats that a provider reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Supported {
    /// All of them.
    All,
    /// All but these.
    AllBut(&'static [&'static str]),
    /// Only these.
    Only(&'static [&'static str]),
}

impl Supported {
    /// Whether `name` is read.
    pub(super) fn has(self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::AllBut(names) => !names.contains(&name),
            Self::Only(names) => names.contains(&name),
        }
    }
}

/// The references between schemas that a provider follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum References {
    /// All references within the schema of a tool.
    All,
    /// As [`All`](Self::All), but a type may contain itself only in a property that may be left out.
    OptionalCycles,
    /// None. The definitions are written in their place, a recursive one this often within itself; the innermost says only its type.
    Unrolled(usize),
    /// None. The definitions are written in their place, and a recursive type cannot be expressed.
    Inlined,
}

/// The values that `enum` and `const` may list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EnumValues {
    /// Any JSON.
    Any,
    /// Strings, numbers, booleans and `null`.
    Scalars,
    /// Strings and numbers.
    StringsAndNumbers,
    /// Strings.
    Strings,
}

impl EnumValues {
    /// Whether `value` may be listed.
    pub(super) fn allows(self, value: &skill_core::serde_json::Value) -> bool {
        match self {
            Self::Any => true,
            Self::Scalars => !value.is_object() && !value.is_array(),
            Self::StringsAndNumbers => value.is_string() || value.is_number(),
            Self::Strings => value.is_string(),
        }
    }
}

/// A number above which a provider refuses a request or a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Measure {
    /// The tools of a request.
    Tools,
    /// The properties that may be left out, in all tools of a request.
    OptionalProperties,
    /// The properties with `anyOf` or with several types, in all tools of a request.
    Unions,
    /// How deep the objects of one tool are nested. The arguments themselves are the first level.
    Depth,
    /// The properties of one tool, at all depths.
    Properties,
    /// The values of all `enum`s of one tool.
    EnumValues,
    /// The characters of the strings in one `enum` with more than 250 values.
    EnumChars,
    /// The characters of the names of properties and definitions and of the values of `enum` and `const` in one tool.
    NameChars,
}

/// The most of something that a provider accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The things that are counted.
    pub measure: Measure,
    /// The largest number that is accepted.
    pub most: usize,
}

impl Limit {
    /// At most `most` of `measure`.
    #[must_use]
    pub const fn new(measure: Measure, most: usize) -> Self {
        Self { measure, most }
    }
}

/// The regular expressions that a provider reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Patterns {
    /// All of ECMA-262, as JSON Schema has them.
    Any,
    /// Those with one meaning for the regex engines of JavaScript, Python, Go and Rust: no lookaround, no references to groups, no
    /// `\p{…}`, no named groups and flags, no `[` within brackets.
    Common,
}

impl Patterns {
    /// Whether `pattern` is read.
    pub(super) fn has(self, pattern: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Common => super::patterns::is_common(pattern),
        }
    }
}

/// The names that a provider accepts for the properties of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PropertyNames {
    /// All names.
    Any,
    /// At most 64 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`.
    Words,
    /// At most 64 of `a-z`, `A-Z`, `0-9` and `_`, the first of them no digit.
    Identifiers,
}

impl PropertyNames {
    /// Whether `name` is accepted.
    pub(super) fn allow(self, name: &str) -> bool {
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

/// The names that a provider accepts for tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolNames {
    /// All names.
    Any,
    /// 1 to 64 of `a-z`, `A-Z`, `0-9`, `_` and `-`.
    Words,
    /// 1 to 64 of `a-z`, `A-Z`, `0-9`, `_`, `.`, `:` and `-`, the first of them a letter or `_`.
    Identifiers,
}

impl ToolNames {
    /// Whether `name` is accepted.
    pub(super) fn allow(self, name: &str) -> bool {
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

/// The names in words, for messages.
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

/// The part of JSON Schema (draft 2020-12) that a provider reads. Not to be confused with the dialect of a document.
///
/// The tables of the known providers are the statics in [`dialects`](super::dialects). Make another one from a preset, as a `static`:
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
    /// The name, in messages.
    pub name: &'static str,
    /// The keywords. The others are moved into the description.
    pub keywords: Supported,
    /// The values of `format`.
    pub formats: Supported,
    /// The values of `pattern` and the keys of `patternProperties`. The others are moved into the description.
    pub patterns: Patterns,
    /// The references.
    pub references: References,
    /// Whether other keywords may stand beside `$ref`.
    pub reference_siblings: bool,
    /// Whether other keywords may stand beside a choice.
    pub choice_siblings: bool,
    /// Whether `type` may be a list.
    pub type_lists: bool,
    /// Whether `type` may stand beside `enum` and `const`.
    pub typed_literals: bool,
    /// The values of `enum` and `const`.
    pub enum_values: EnumValues,
    /// Whether `enum` and `const` may list an empty string.
    pub empty_strings: bool,
    /// Whether the format of a 32-bit integer is written as its bounds.
    pub integer_bounds: bool,
    /// The largest `minItems`.
    pub min_items: u64,
    /// Whether there may be a schema without a type, for any value.
    pub any_value: bool,
    /// Whether there may be objects without properties, within the arguments.
    pub empty_objects: bool,
    /// Whether an object may have keys of any name.
    pub maps: bool,
    /// Whether every object must have `additionalProperties: false`.
    pub closed: bool,
    /// Whether every property must be required. An optional one is `null` instead of being left out.
    pub all_required: bool,
    /// Whether an optional property may be `null` too, if that means the same as leaving it out.
    pub optional_null: bool,
    /// The names of properties.
    pub property_names: PropertyNames,
    /// The numbers above which the provider refuses a request or a schema.
    pub limits: &'static [Limit],
}

super::builders! { SchemaDialect:
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
    /// All of draft 2020-12.
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

    /// Whether `null` is written as `nullable: true`, as in OpenAPI 3.0.
    pub(super) fn has_nullable(&self) -> bool {
        matches!(self.keywords, Supported::Only(names) if names.contains(&"nullable"))
    }

    /// Whether objects list the order of their properties, which is no keyword of JSON Schema.
    pub(super) fn has_property_ordering(&self) -> bool {
        matches!(self.keywords, Supported::Only(names) if names.contains(&"propertyOrdering"))
    }
}
