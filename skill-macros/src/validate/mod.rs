//! The rules for each item, one function per rule. This is the only constructor of the models that `expand` takes.

pub(crate) mod action;
pub(crate) mod agent;
pub(crate) mod answer;
pub(crate) mod configuration;
pub(crate) mod constraints;
#[cfg(feature = "manifest")]
pub(crate) mod document;
mod grammar;
pub(crate) mod instructions;
pub(crate) mod resources;
pub(crate) mod skill;
pub(crate) mod skill_manifest;
pub(crate) mod state;
pub(crate) mod tools;

use crate::conditions::is_cfg;
use crate::errors::Errors;
use crate::messages::{self, StructOf};
use crate::parse::listed_actions::{ActionList, ListedAction};
use proc_macro2::Span;
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::{Attribute, Data, DeriveInput, Fields, GenericParam, Generics, Meta, Path};

/// Reports an error at the tokens of `at`.
fn report(message: impl std::fmt::Display, at: &impl ToTokens, errors: &mut Errors) {
    errors.report(message, at);
}

/// Reports an error at `span`.
fn report_at(message: impl std::fmt::Display, span: Span, errors: &mut Errors) {
    errors.report_at(message, span);
}

/// An item must be a struct with named fields.
fn named_fields(item: &DeriveInput, of: StructOf, errors: &mut Errors) {
    let ident = &item.ident;
    let message = match &item.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(_) => return,
            Fields::Unnamed(_) => messages::tuple_struct(of, &ident.to_string()),
            Fields::Unit => messages::unit_struct(of, &ident.to_string()),
        },
        Data::Enum(_) => messages::not_a_struct(of, "an enum"),
        Data::Union(_) => messages::not_a_struct(of, "a union"),
    };
    report(message, ident, errors);
}

/// An item must not be generic. Lifetimes have a separate message.
fn generic(generics: &Generics, what: &str, each: &str, errors: &mut Errors) {
    if let Some(param) = generics.params.iter().find(|param| !is_lifetime(param)) {
        report(messages::generic(what, each), param, errors);
    } else if let Some(param) = generics.params.first() {
        report(messages::with_lifetime(what), param, errors);
    }
}

fn is_lifetime(param: &GenericParam) -> bool {
    matches!(param, GenericParam::Lifetime(_))
}

/// Returns the text of tokens without the spaces between them.
pub(crate) fn compact_text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

/// A path must be listed once. Both places are marked.
fn listed_once(paths: &[Path], what: &str, errors: &mut Errors) {
    let mut seen: BTreeMap<String, &Path> = BTreeMap::new();
    for path in paths {
        let name = compact_text(path);
        match seen.get(&name) {
            Some(first) => {
                report(messages::listed_here(&name), first, errors);
                report(messages::listed_twice(what, &name), path, errors);
            }
            None => {
                seen.insert(name, path);
            }
        }
    }
}

/// Checks the rules for a list of actions. Returns the actions.
fn listed_actions(list: &ActionList, errors: &mut Errors) -> Vec<Path> {
    for attr in list.attrs().filter(|attr| !is_cfg(attr)) {
        report(messages::listed_action_attribute(), attr.path(), errors);
    }
    let paths = |list: &[&ListedAction]| -> Vec<Path> {
        list.iter().map(|action| action.path.clone()).collect()
    };
    let all: Vec<&ListedAction> = list.0.iter().collect();
    // entries under `#[cfg]` may exclude each other, and each case is checked again without the attributes
    let certain = all.iter().copied().filter(|action| action.attrs.is_empty());
    listed_once(&paths(&certain.collect::<Vec<_>>()), "the action", errors);
    let all = paths(&all);
    by_their_structs(&all, errors);
    all
}

/// An action must be listed by its struct. A name in lower case is the name of the action's function.
fn by_their_structs(paths: &[Path], errors: &mut Errors) {
    for path in paths {
        let Some(last) = path.segments.last() else {
            continue;
        };
        let name = crate::names::plain(&last.ident);
        if name.starts_with(|c: char| c.is_lowercase()) {
            let mut written = path.clone();
            if let Some(last) = written.segments.last_mut() {
                last.ident = crate::names::action_struct(&last.ident);
            }
            let message = messages::action_by_function(&name, &compact_text(&written));
            report(message, path, errors);
        }
    }
}

/// Returns the metas in every `#[serde(…)]`.
fn serde_metas(attrs: &[Attribute]) -> Vec<Meta> {
    metas_in(attrs, "serde")
}

/// Returns the options in the attributes `#[name(…)]`. Ignores attributes with other content.
fn metas_in(attrs: &[Attribute], name: &str) -> Vec<Meta> {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident(name))
        .filter_map(|attr| {
            attr.parse_args_with(
                syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated,
            )
            .ok()
        })
        .flatten()
        .collect()
}
