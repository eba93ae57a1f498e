//! From models to code. Nothing here can fail: what could be wrong was told while validating.

mod action;
mod agent;
#[cfg(feature = "manifest")]
mod document;
mod literals;
mod resources;
mod skill;

use crate::errors::Errors;
use crate::paths::Root;
use crate::{messages, parse, validate};
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{ParseStream, Parser};

/// `#[derive(Skill)]`: parse, validate, expand.
pub(crate) fn skill(input: TokenStream, root: Root) -> TokenStream {
    let mut errors = Errors::default();
    let item = match syn::parse2(input) {
        Ok(item) => item,
        Err(error) => return with_errors(errors, error, TokenStream::new()),
    };
    let input = parse::skill::read(item, &mut errors);
    let model = validate::skill::check(input, root, &mut errors);
    match errors.finish() {
        None => skill::expand(&model),
        Some(errors) => {
            let stub = skill::stub(&model);
            quote!(#errors #stub)
        }
    }
}

/// `#[action]`: parse, validate, expand. On a mistake the user's function stays, and a stub stands in for the struct.
pub(crate) fn action(options: TokenStream, item: TokenStream, root: Root) -> TokenStream {
    let mut errors = Errors::default();
    let function: syn::ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => return with_errors(errors, not_a_function(&item, error), item),
    };
    let input = parse::action::read(options, function, &mut errors);
    let stub = validate::action::stub(&input, root);
    let function = parse::action::without_helpers(input.function.clone());
    let model = validate::action::check(input, root, &mut errors);
    match (errors.finish(), model) {
        (None, Some(model)) => action::expand(&model),
        (None, None) => quote!(#function),
        (Some(errors), _) => {
            let stub = stub.as_ref().map(action::stub);
            quote!(#errors #function #stub)
        }
    }
}

/// `#[derive(Resources)]`: parse, validate, expand.
pub(crate) fn resources(input: TokenStream, root: Root) -> TokenStream {
    let mut errors = Errors::default();
    let item = match syn::parse2(input) {
        Ok(item) => item,
        Err(error) => return with_errors(errors, error, TokenStream::new()),
    };
    let input = parse::resources::read(item, &mut errors);
    let model = validate::resources::check(input, root, &mut errors);
    let (errors, impls) = (errors.finish(), resources::expand(&model));
    quote!(#errors #impls)
}

/// `agent!`: parse, validate, expand. On a mistake the agent is made of what could be read.
pub(crate) fn agent(input: TokenStream, root: Root) -> TokenStream {
    let mut errors = Errors::default();
    let read = |input: ParseStream<'_>| parse::agent::read(input, &mut errors);
    let input = match read.parse2(input) {
        Ok(input) => input,
        Err(error) => return with_errors(errors, error, TokenStream::new()),
    };
    let mut model = validate::agent::check(input, root, &mut errors);
    match errors.finish() {
        None => agent::expand(&model),
        Some(errors) => {
            model.is_broken = true;
            let agent = agent::expand(&model);
            quote!(#errors #agent)
        }
    }
}

/// `include_skill!` and `include_skills!`: parse, validate, expand. On a mistake an empty document stands in.
#[cfg(feature = "manifest")]
pub(crate) fn include(input: TokenStream, kind: parse::include::Kind) -> TokenStream {
    let mut errors = Errors::default();
    let input = parse::include::read(input, kind, &mut errors);
    let model = validate::document::check(&input, &mut errors);
    match errors.finish() {
        None => document::expand(&model),
        Some(errors) => {
            let stub = document::stub(&model);
            quote!({ #errors #stub })
        }
    }
}

/// What was wrong, and what stands beside it.
fn with_errors(mut errors: Errors, error: syn::Error, beside: TokenStream) -> TokenStream {
    errors.push(error);
    let errors = errors.finish();
    quote!(#errors #beside)
}

/// Says what the item is instead of a function.
fn not_a_function(item: &TokenStream, error: syn::Error) -> syn::Error {
    let what = match syn::parse2::<syn::Item>(item.clone()) {
        Ok(syn::Item::Struct(item)) => (item.ident.span(), "a struct"),
        Ok(syn::Item::Enum(item)) => (item.ident.span(), "an enum"),
        Ok(syn::Item::Impl(item)) => (item.impl_token.span, "an impl"),
        Ok(syn::Item::Mod(item)) => (item.ident.span(), "a module"),
        Ok(syn::Item::Trait(item)) => (item.ident.span(), "a trait"),
        _ => match syn::parse2::<syn::TraitItemFn>(item.clone()) {
            Ok(item) => {
                return syn::Error::new_spanned(item.sig.ident, messages::action_without_body());
            }
            Err(_) => return error,
        },
    };
    syn::Error::new(what.0, messages::action_on(what.1))
}

/// Lints that generated code may break: it is not the user's to mend.
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
