//! Identifiers and names that are derived from other names.

use crate::paths::start_of;
use heck::{ToSnakeCase, ToUpperCamelCase};
use proc_macro2::Ident;
use quote::format_ident;
use syn::ext::IdentExt;

/// The struct of an action: `close_ticket` becomes `CloseTicket`.
pub(crate) fn action_struct(function: &Ident) -> Ident {
    Ident::new(&plain(function).to_upper_camel_case(), function.span())
}

/// Types that most modules use by their bare names. A struct of such a name would hide the type, and code that uses the type would
/// get errors that do not mention the struct.
const COMMON_TYPES: [&str; 6] = ["Context", "Option", "Result", "Signal", "String", "Vec"];

/// Whether a struct of this name would hide a type of the standard library or of the prelude.
pub(crate) fn hides_common_type(structure: &Ident) -> bool {
    COMMON_TYPES.iter().any(|name| structure == name)
}

/// The field of a skill in the state of an agent: `RunningStats` becomes `running_stats`.
pub(crate) fn state_field(skill: &Ident) -> Ident {
    let mut field = identifier(&snake(skill), skill);
    field.set_span(start_of(skill.span()));
    field
}

/// The name in snake case.
pub(crate) fn snake(name: &Ident) -> String {
    plain(name).to_snake_case()
}

/// The text of an identifier without `r#`.
pub(crate) fn plain(name: &Ident) -> String {
    name.unraw().to_string()
}

/// The state struct of an agent.
pub(crate) fn state_struct(agent: &Ident) -> Ident {
    format_ident!("{agent}State", span = agent.span())
}

/// The struct of the base fields of an agent.
pub(crate) fn base_struct(agent: &Ident) -> Ident {
    format_ident!("{agent}Base", span = agent.span())
}

/// `text` as an identifier with the span of `at`; a keyword becomes a raw identifier.
fn identifier(text: &str, at: &Ident) -> Ident {
    match syn::parse_str::<Ident>(text) {
        Ok(_) => Ident::new(text, at.span()),
        Err(_) => Ident::new_raw(text, at.span()),
    }
}
