//! Generates code from the models. This cannot fail, because validation has reported every mistake.

pub(crate) mod action;
pub(crate) mod agent;
pub(crate) mod configuration;
mod constraints;
mod defaults;
#[cfg(feature = "manifest")]
pub(crate) mod document;
mod generic_stub;
pub(crate) mod resources;
mod secrets;
pub(crate) mod skill;
pub(crate) mod skill_stub;
mod tools;
mod version;

use proc_macro2::TokenStream;
use quote::quote;

/// Allows lints that generated code may violate, because users cannot change this code.
fn allow() -> TokenStream {
    quote! {
        #[allow(
            clippy::all,
            clippy::pedantic,
            deprecated,
            non_snake_case,
            non_upper_case_globals,
            unused_qualifications,
            unused_variables,
        )]
    }
}
