//! The dialects of the known providers. They are based on the providers' documentation and Python libraries (`openai` 3.57,
//! `anthropic` 2.13, `google-genai` 3.6).

use crate::provider::dialect::{
    EnumValues, Limit, Measure, Patterns, PropertyNames, References, SchemaDialect, Supported,
};

/// OpenAI without `strict`. OpenAI rejects arrays without `items`, which is what tuples would become, and patterns that its regex
/// engine does not support.
pub static OPENAI: SchemaDialect = SchemaDialect::JSON_SCHEMA
    .with_name("OpenAI")
    .with_keywords(Supported::AllBut(&["prefixItems"]))
    .with_patterns(Patterns::Common);

/// Servers with OpenAI's API, such as llama.cpp, vLLM and Ollama. Chat templates fail on type lists, Ollama does not follow
/// references, each decoder supports different formats, and llama.cpp refuses a pattern that may match within a text.
pub static OPENAI_COMPATIBLE: SchemaDialect = SchemaDialect::JSON_SCHEMA
    .with_name("OpenAI-compatible")
    .with_keywords(Supported::AllBut(&["prefixItems"]))
    .with_formats(Supported::Only(&[]))
    .with_patterns(Patterns::Anchored)
    .with_references(References::Unrolled(2))
    .with_type_lists(false)
    .with_integer_bounds(true)
    .with_optional_null(false);

/// OpenAI with `strict: true`. Every property is required, and every object is closed.
pub static OPENAI_STRICT: SchemaDialect = SchemaDialect::JSON_SCHEMA
    .with_name("OpenAI strict")
    .with_keywords(Supported::Only(&[
        "$defs",
        "$ref",
        "additionalProperties",
        "anyOf",
        "const",
        "description",
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "items",
        "maxItems",
        "maximum",
        "minItems",
        "minimum",
        "multipleOf",
        "pattern",
        "properties",
        "required",
        "title",
        "type",
    ]))
    .with_formats(Supported::Only(&[
        "date",
        "date-time",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "time",
        "uuid",
    ]))
    .with_patterns(Patterns::Common)
    .with_reference_siblings(false)
    .with_enum_values(EnumValues::Scalars)
    .with_any_value(false)
    .with_maps(false)
    .with_closed(true)
    .with_all_required(true)
    .with_limits(&[
        Limit::new(Measure::Depth, 10),
        Limit::new(Measure::Properties, 5_000),
        Limit::new(Measure::EnumValues, 1_000),
        Limit::new(Measure::EnumChars, 15_000),
        Limit::new(Measure::NameChars, 120_000),
    ]);

/// Anthropic without `strict`, where all of JSON Schema is accepted.
pub static ANTHROPIC: SchemaDialect = SchemaDialect::JSON_SCHEMA
    .with_name("Anthropic")
    .with_property_names(PropertyNames::Words);

/// Anthropic with `strict: true`. Every object is closed, and recursion is forbidden. Defaults and patterns are moved into the
/// description, like in `anthropic.transform_schema`, although the service accepts simple ones.
pub static ANTHROPIC_STRICT: SchemaDialect = SchemaDialect::JSON_SCHEMA
    .with_name("Anthropic strict")
    .with_keywords(Supported::Only(&[
        "additionalProperties",
        "anyOf",
        "const",
        "description",
        "enum",
        "format",
        "items",
        "minItems",
        "properties",
        "required",
        "title",
        "type",
    ]))
    .with_formats(Supported::Only(&[
        "date",
        "date-time",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "time",
        "uri",
        "uuid",
    ]))
    .with_references(References::Inlined)
    .with_type_lists(false)
    .with_typed_literals(false)
    .with_enum_values(EnumValues::Scalars)
    .with_min_items(1)
    .with_any_value(false)
    .with_maps(false)
    .with_closed(true)
    .with_optional_null(false)
    .with_property_names(PropertyNames::Words)
    .with_limits(&[
        Limit::new(Measure::Tools, 20),
        Limit::new(Measure::OptionalProperties, 24),
        Limit::new(Measure::Unions, 16),
    ]);

/// Gemini's `parametersJsonSchema`.
pub static GEMINI: SchemaDialect = SchemaDialect::JSON_SCHEMA
    .with_name("Gemini")
    .with_keywords(Supported::Only(&[
        "$defs",
        "$ref",
        "additionalProperties",
        "anyOf",
        "description",
        "enum",
        "format",
        "items",
        "maxItems",
        "maximum",
        "minItems",
        "minimum",
        "oneOf",
        "prefixItems",
        "properties",
        "propertyOrdering",
        "required",
        "title",
        "type",
    ]))
    .with_references(References::OptionalCycles)
    .with_reference_siblings(false)
    .with_enum_values(EnumValues::StringsAndNumbers)
    .with_empty_strings(false);

/// Gemini's `parameters`, a subset of OpenAPI 3.0.
pub static GEMINI_LEGACY: SchemaDialect = SchemaDialect::JSON_SCHEMA
    .with_name("Gemini legacy")
    .with_keywords(Supported::Only(&[
        "anyOf",
        "description",
        "enum",
        "format",
        "items",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "nullable",
        "pattern",
        "properties",
        "propertyOrdering",
        "required",
        "title",
        "type",
    ]))
    .with_formats(Supported::Only(&[
        "date-time",
        "double",
        "enum",
        "float",
        "int32",
        "int64",
    ]))
    .with_patterns(Patterns::Common)
    .with_references(References::Inlined)
    .with_choice_siblings(false)
    .with_type_lists(false)
    .with_enum_values(EnumValues::Strings)
    .with_empty_strings(false)
    .with_any_value(false)
    .with_empty_objects(false)
    .with_maps(false)
    .with_property_names(PropertyNames::Identifiers);

/// The Model Context Protocol: JSON Schema without references and type lists, which many clients do not support, and with the
/// formats that Ajv knows. Most clients validate with it, and it warns about others such as `uint32`.
pub static MCP: SchemaDialect = SchemaDialect::JSON_SCHEMA
    .with_name("MCP")
    .with_formats(Supported::Only(&[
        "date",
        "date-time",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "json-pointer",
        "regex",
        "relative-json-pointer",
        "time",
        "uri",
        "uri-reference",
        "uri-template",
        "uuid",
    ]))
    .with_references(References::Unrolled(2))
    .with_type_lists(false)
    .with_integer_bounds(true);
