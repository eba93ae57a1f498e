//! Derives identifiers and names from other names.

use crate::paths::start_of;
use heck::{ToSnakeCase, ToUpperCamelCase};
use proc_macro2::Ident;
use quote::format_ident;
use syn::ext::IdentExt;

/// Returns the name of an action's struct: `close_ticket` becomes `CloseTicket`.
pub(crate) fn action_struct(function: &Ident) -> Ident {
    Ident::new(&plain(function).to_upper_camel_case(), function.span())
}

/// The types that most modules use by their bare names. A struct with such a name would hide the type, and code that uses the
/// type would get errors that do not mention the struct.
const COMMON_TYPES: [&str; 6] = ["Context", "Option", "Result", "Signal", "String", "Vec"];

/// Returns whether a struct with this name would hide a type of the standard library or the prelude.
pub(crate) fn hides_common_type(structure: &Ident) -> bool {
    COMMON_TYPES.iter().any(|name| structure == name)
}

/// Returns the name of a skill's field in an agent's state: `RunningStats` becomes `running_stats`.
pub(crate) fn state_field(skill: &Ident) -> Ident {
    let mut field = identifier(&snake(skill), skill);
    field.set_span(start_of(skill.span()));
    field
}

/// Returns the name in snake case.
pub(crate) fn snake(name: &Ident) -> String {
    plain(name).to_snake_case()
}

/// Returns the text of an identifier without `r#`.
pub(crate) fn plain(name: &Ident) -> String {
    name.unraw().to_string()
}

/// Returns the name of an agent's state struct.
pub(crate) fn state_struct(agent: &Ident) -> Ident {
    format_ident!("{agent}State", span = agent.span())
}

/// Returns the name of the struct with an agent's base fields.
pub(crate) fn base_struct(agent: &Ident) -> Ident {
    format_ident!("{agent}Base", span = agent.span())
}

/// Returns `text` as an identifier with the span of `at`. A keyword becomes a raw identifier.
fn identifier(text: &str, at: &Ident) -> Ident {
    match syn::parse_str::<Ident>(text) {
        Ok(_) => Ident::new(text, at.span()),
        Err(_) => Ident::new_raw(text, at.span()),
    }
}
