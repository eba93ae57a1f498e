//! The entry functions of the macros. Each one parses its input, validates it, and expands it if there are no mistakes.
//!
//! All mistakes of an item are reported together. An item with mistakes expands to a stub, which prevents follow-up errors in
//! code that uses the item.

use crate::conditions::{Case, Conditions, is_cfg};
use crate::errors::Errors;
use crate::paths::Root;
use crate::{edition, expand, messages, parse, validate};
use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;
use syn::parse::{ParseStream, Parser};

/// Expands `#[derive(Skill)]`.
pub(crate) fn skill(input: TokenStream, root: Root) -> TokenStream {
    if let Some(error) = edition::error(&input) {
        return error;
    }
    let item = match syn::parse2(input) {
        Ok(item) => item,
        Err(error) => return unparsable(error),
    };
    let mut errors = Errors::default();
    let input = parse::skill::read(syn::DeriveInput::clone(&item), &mut errors);
    let conditions = Conditions::of(input.conditions(), &mut errors);
    let skill = validate::skill::check(input, root, &mut errors);
    match errors.finish() {
        None if conditions.is_empty() => expand::skill::expand(&skill),
        None => conditions
            .cases()
            .map(|case| skill_of_case(&item, &case, root))
            .collect(),
        Some(errors) => {
            let stub = expand::skill_stub::stub(&skill);
            quote!(#errors #stub)
        }
    }
}

/// Generates the skill with the actions of one case. An error here is a mistake that the actions of other cases would hide.
fn skill_of_case(item: &syn::DeriveInput, case: &Case<'_>, root: Root) -> TokenStream {
    let (cfg, mut errors) = (case.attribute(), Errors::default());
    let mut input = parse::skill::read(item.clone(), &mut errors);
    input.keep(case);
    let skill = validate::skill::check(input, root, &mut errors);
    let code = expand::skill::expand(&skill);
    match errors.finish() {
        None => quote!(#cfg #code),
        Some(errors) => quote!(#cfg const _: () = { #errors };),
    }
}

/// Expands `#[derive(SkillConfig)]`.
pub(crate) fn configuration(input: TokenStream, root: Root) -> TokenStream {
    if let Some(error) = edition::error(&input) {
        return error;
    }
    let item = match syn::parse2(input) {
        Ok(item) => item,
        Err(error) => return unparsable(error),
    };
    let mut errors = Errors::default();
    let input = parse::configuration::read(item, &mut errors);
    let configuration = validate::configuration::check(input, root, &mut errors);
    match errors.finish() {
        None => expand::configuration::expand(&configuration),
        Some(errors) => {
            let stub = expand::configuration::stub(&configuration);
            quote!(#errors #stub)
        }
    }
}

/// Expands `#[action]`. Emits the user's function even if there are errors.
pub(crate) fn action(options: TokenStream, item: TokenStream, root: Root) -> TokenStream {
    if let Some(error) = edition::error(&item) {
        return quote!(#error #item);
    }
    let function = match parse::action::function(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let error = unparsable(not_a_function(&item, error));
            return quote!(#error #item);
        }
    };
    let mut errors = Errors::default();
    let of_parameters = function.sig.inputs.iter().flat_map(parse::action::attrs_of);
    let conditions = Conditions::of(of_parameters, &mut errors);
    let cases = (options.clone(), function.clone());
    let input = parse::action::read(options, function, &mut errors);
    let stub = validate::action::stub(&input, root);
    let function = parse::action::without_helper_attributes(input.function.clone());
    let function = parse::action::written(&function);
    let action = validate::action::check(input, root, &mut errors);
    match (errors.finish(), action) {
        (None, Some(action)) if conditions.is_empty() => expand::action::expand(&action),
        (None, Some(_)) => conditions
            .cases()
            .map(|case| action_of_case(&cases, &case, root))
            .collect(),
        (None, None) => quote!(#function),
        (Some(errors), _) => {
            let stub = stub.as_ref().map(expand::action::stub);
            quote!(#errors #function #stub)
        }
    }
}

/// Generates the action with a case's parameters.
fn action_of_case(
    (options, function): &(TokenStream, ItemFn),
    case: &Case<'_>,
    root: Root,
) -> TokenStream {
    let mut errors = Errors::default();
    let function = parse::action::of_case(function.clone(), case);
    let input = parse::action::read(options.clone(), function, &mut errors);
    let action = validate::action::check(input, root, &mut errors);
    let cfg = case.attribute();
    match (errors.finish(), action) {
        (None, Some(mut action)) => {
            action.cfg = cfg;
            expand::action::expand(&action)
        }
        (errors, _) => quote!(#cfg const _: () = { #errors };),
    }
}

/// Expands `#[derive(Resources)]`. On errors, emits the impls of the valid fields as a stub.
pub(crate) fn resources(input: TokenStream, root: Root) -> TokenStream {
    if let Some(error) = edition::error(&input) {
        return error;
    }
    let item = match syn::parse2(input) {
        Ok(item) => item,
        Err(error) => return unparsable(error),
    };
    let mut errors = Errors::default();
    let input = parse::resources::read(item, &mut errors);
    let resources = validate::resources::check(input, root, &mut errors);
    let (errors, impls) = (errors.finish(), expand::resources::expand(&resources));
    quote!(#errors #impls)
}

/// Expands `agent!`. On errors, emits an agent made from the valid keys as a stub.
pub(crate) fn agent(input: TokenStream, root: Root) -> TokenStream {
    if let Some(error) = edition::error(&input) {
        return error;
    }
    let mut errors = Errors::default();
    let read = |input: ParseStream<'_>| parse::agent::read(input, &mut errors);
    let mut agent = match read.parse2(input.clone()) {
        Ok(agent) => agent,
        Err(error) => {
            errors.push(error);
            let errors = errors.finish();
            return quote!(#errors);
        }
    };
    let conditions = Conditions::of(agent.keys.conditions(), &mut errors);
    // the parts under `#[cfg]` are checked in each case
    agent.keys.keep(|attrs| !attrs.iter().any(is_cfg));
    let mut agent = validate::agent::check(agent, root, &mut errors);
    match errors.finish() {
        None if conditions.is_empty() => expand::agent::expand(&agent),
        None => conditions
            .cases()
            .map(|case| agent_of_case(&input, &case, root))
            .collect(),
        Some(errors) => {
            agent.is_broken = true;
            let agent = expand::agent::expand(&agent);
            quote!(#errors #agent)
        }
    }
}

/// Generates the agent with a case's base fields and actions.
fn agent_of_case(input: &TokenStream, case: &Case<'_>, root: Root) -> TokenStream {
    let (cfg, mut errors) = (case.attribute(), Errors::default());
    let read = |input: ParseStream<'_>| parse::agent::read(input, &mut errors);
    let mut input = match read.parse2(input.clone()) {
        Ok(input) => input,
        Err(error) => return unparsable(error),
    };
    input.keys.keep(|attrs| case.keeps(attrs));
    for field in &mut input.keys.state {
        case.write_out(&mut field.attrs);
    }
    let mut agent = validate::agent::check(input, root, &mut errors);
    let errors = errors.finish();
    agent.is_broken = errors.is_some();
    agent.cfg = cfg.clone();
    let errors = errors.map(|errors| quote!(#cfg const _: () = { #errors };));
    let agent = expand::agent::expand(&agent);
    quote!(#errors #agent)
}

/// Expands `include_skill!` and `include_skills!`. On errors, emits an empty document as a stub.
#[cfg(feature = "manifest")]
pub(crate) fn include(input: TokenStream, kind: parse::include::Kind) -> TokenStream {
    let mut errors = Errors::default();
    let input = parse::include::read(input, kind, &mut errors);
    let include = validate::document::check(&input, &mut errors);
    match errors.finish() {
        None => expand::document::expand(&include),
        Some(errors) => {
            let stub = expand::document::stub(&include);
            quote!({ #errors #stub })
        }
    }
}

/// Reports an item that syn cannot parse.
fn unparsable(error: syn::Error) -> TokenStream {
    error.to_compile_error()
}

/// Creates the error for `#[action]` on an item that is not a function. The message names the item.
fn not_a_function(item: &TokenStream, error: syn::Error) -> syn::Error {
    let (span, found) = match syn::parse2::<syn::Item>(item.clone()) {
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
    syn::Error::new(span, messages::action_on(found))
}
