//! What holds of an item: one function per rule, the only maker of the models that `expand` takes.

pub(crate) mod action;
pub(crate) mod agent;
pub(crate) mod answer;
mod grammar;
pub(crate) mod skill;

use darling::Error;
use darling::error::Accumulator;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Attribute, Meta, Path};

/// Something is wrong at the tokens of `at`.
fn tell(message: impl std::fmt::Display, at: &impl Spanned, errors: &mut Accumulator) {
    errors.push(Error::custom(message).with_span(at));
}

/// Tokens as text, as a person writes a path.
pub(crate) fn spelled(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

/// A path is listed once; both places are marked.
fn listed_once(paths: &[Path], what: &str, errors: &mut Accumulator) {
    for (index, path) in paths.iter().enumerate() {
        let name = spelled(path);
        if let Some(first) = paths[..index].iter().find(|first| spelled(first) == name) {
            tell(crate::messages::listed_here(&name), first, errors);
            tell(crate::messages::listed_twice(what, &name), path, errors);
        }
    }
}

/// The metas in every `#[serde(…)]`.
fn serde_metas(attrs: &[Attribute]) -> Vec<Meta> {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident("serde"))
        .filter_map(|attr| {
            attr.parse_args_with(
                syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated,
            )
            .ok()
        })
        .flatten()
        .collect()
}
