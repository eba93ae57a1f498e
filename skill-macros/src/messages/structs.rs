//! Messages about structs with named fields: skills and configurations.

/// A kind of struct that needs named fields, for messages.
#[derive(Clone, Copy)]
pub(crate) struct StructOf {
    /// The name of the kind, with its article.
    name: &'static str,
    /// The part of the struct that is a JSON object.
    object: &'static str,
}

pub(crate) const SKILL: StructOf = StructOf {
    name: "a skill",
    object: "its state",
};
pub(crate) const CONFIGURATION: StructOf = StructOf {
    name: "a configuration",
    object: "it",
};

pub(crate) fn not_a_struct(of: StructOf, found: &str) -> String {
    let StructOf { name, object } = of;
    format!(
        "{name} is a struct with named fields, and this is {found}; {object} has to be a JSON object"
    )
}

pub(crate) fn tuple_struct(of: StructOf, name: &str) -> String {
    struct_without_names(of, &format!("struct {name} {{ field: Type }}"))
}

pub(crate) fn unit_struct(of: StructOf, name: &str) -> String {
    struct_without_names(of, &format!("struct {name} {{}}"))
}

fn struct_without_names(of: StructOf, cure: &str) -> String {
    let StructOf { name, object } = of;
    format!(
        "{name} is a struct with named fields, so that {object} is a JSON object; write `{cure}`"
    )
}

pub(crate) fn default_without_serde(options: &str) -> String {
    format!(
        "a field has {options}, so the struct needs `#[serde(default)]`: partial JSON takes the same defaults"
    )
}
