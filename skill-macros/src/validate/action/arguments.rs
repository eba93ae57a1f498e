//! The rules for arguments: the parameters after the skill and the context.

use super::super::{compact_text, grammar, metas_in, report, serde_metas};
use super::Arg;
use super::parameters::is_context;
use super::ranges;
use super::resources::is_argument_type;
use crate::errors::Errors;
use crate::messages;
use crate::names;
use crate::parse::action::{ArgOptions, attrs_of};
use crate::parse::docs::{self, Docs};
use crate::validate::state::owned::{borrowed, borrowed_cow, owned_type, type_argument};
use crate::validate::state::serde_names;
use proc_macro2::Ident;
use syn::{Attribute, FnArg, Pat, PatType, Type};

/// An argument must have a name, an owned type, and options that fit together. Its JSON name is the name in `rename`, or else its
/// own name after the rule in `rename_all`.
pub(super) fn argument(
    input: &FnArg,
    options: ArgOptions,
    rename_all: Option<&str>,
    errors: &mut Errors,
) -> Option<Arg> {
    let FnArg::Typed(typed) = input else {
        return None; // rustc reports a second `self`
    };
    if is_context(input) {
        report(messages::context_place(), &typed.ty, errors);
        return None;
    }
    let attrs = attrs_of(input);
    let (ident, ty) = (
        argument_name(typed, errors),
        argument_type(&typed.ty, errors),
    );
    let serde = argument_serde(attrs, errors);
    if let Some(regex) = &options.pattern {
        grammar::regex(&regex.0, errors);
    }
    for limits in [&options.range, &options.length].into_iter().flatten() {
        ranges::not_empty(&limits.0, errors);
    }
    if let Some(length) = &options.length {
        ranges::not_negative(&length.0, errors);
    }
    ranges::within(&options, errors);
    if let Some(name) = &options.rename {
        grammar::argument_name(name, errors);
    }
    let (ident, ty) = (ident?, ty?);
    let name = match options.rename {
        Some(text) => text.value,
        None => serde_names::apply(rename_all, &names::plain(&ident)),
    };
    Some(Arg {
        name,
        docs: docs::attributes(attrs).cloned().collect(),
        description: docs::text(attrs).unwrap_or(Docs::NONE),
        default: options.default.map(|default| default.value),
        range: options.range.map(|limits| limits.0),
        length: options.length.map(|limits| limits.0),
        pattern: options.pattern.map(|regex| regex.0),
        examples: options.example.into_iter().map(|value| value.0).collect(),
        serde,
        ident,
        ty,
    })
}

fn argument_name(typed: &PatType, errors: &mut Errors) -> Option<Ident> {
    match &*typed.pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat.ident.clone()),
        pat @ Pat::Wild(_) => {
            report(messages::argument_without_name(), pat, errors);
            None
        }
        pat => {
            report(messages::pattern_argument(), pat, errors);
            None
        }
    }
}

fn argument_type(ty: &Type, errors: &mut Errors) -> Option<Type> {
    if let Type::ImplTrait(_) = ty {
        report(messages::impl_argument(), ty, errors);
        return None;
    }
    // `[T]`, `str` and `dyn Trait` are unsized; suggest an owned type, as for a reference
    if matches!(ty, Type::Slice(_) | Type::TraitObject(_)) || compact_text(ty) == "str" {
        report(messages::reference_argument(&owned_type(ty)), ty, errors);
        return None;
    }
    if let Some(cow) = borrowed_cow(ty) {
        report(messages::reference_argument("String"), cow, errors);
        return None;
    }
    if let Some(inner) = shared(ty) {
        let (written, inner) = (messages::written(ty), messages::written(inner));
        report(messages::resource_by_value(&written, &inner), ty, errors);
        return None;
    }
    match borrowed(ty) {
        Some(reference) => {
            let owned = owned_type(&reference.elem);
            if is_trait_object(&reference.elem) {
                let name = messages::written(&reference.elem);
                report(messages::resource_of_pure(&name), &reference, errors);
                return None;
            }
            // the user may mean a second skill by `clock: &Clock`, but not by `&str`
            let message = if matches!(ty, Type::Reference(_)) && may_be_skill(&reference.elem) {
                messages::second_skill(&owned)
            } else {
                messages::reference_argument(&owned)
            };
            report(message, &reference, errors);
            None
        }
        None => Some(ty.clone()),
    }
}

/// Returns the type in an `Arc` if the user may have meant a resource. Text, slices and plain values are not resources, because
/// serde can read them into an `Arc`.
fn shared(ty: &Type) -> Option<&Type> {
    let inner = type_argument(ty, "Arc")?;
    let is_text = matches!(&*compact_text(inner), "str" | "Path" | "std::path::Path");
    let is_slice = matches!(inner, Type::Slice(_));
    (!is_text && !is_slice && !is_argument_type(inner)).then_some(inner)
}

/// Returns whether the user may have meant a skill or a resource: a type that is not text, a path, a slice or a plain value.
fn may_be_skill(ty: &Type) -> bool {
    owned_type(ty) == compact_text(ty) && !is_argument_type(ty)
}

/// Returns whether a type is a trait object, which is neither a skill nor read from JSON.
fn is_trait_object(ty: &Type) -> bool {
    match ty {
        Type::Paren(inner) => is_trait_object(&inner.elem),
        ty => matches!(ty, Type::TraitObject(_)),
    }
}

/// Returns serde's attributes. `flatten` and attributes with an equivalent in `#[arg(...)]` are not allowed.
fn argument_serde(attrs: &[Attribute], errors: &mut Errors) -> Vec<Attribute> {
    for meta in serde_metas(attrs) {
        let path = meta.path();
        if path.is_ident("default") {
            report(messages::serde_default_argument(), path, errors);
        } else if path.is_ident("rename") {
            report(messages::serde_rename_argument(), path, errors);
        } else if path.is_ident("flatten") {
            report(messages::flattened("the arguments"), path, errors);
        }
    }
    let serde = attrs.iter().filter(|attr| attr.path().is_ident("serde"));
    serde.cloned().collect()
}

/// A parameter must not have `#[schemars(…)]`. The message has the same limits in `#[arg(…)]`.
pub(super) fn no_attribute_of_fields(attr: &Attribute, errors: &mut Errors) {
    let metas = metas_in(std::slice::from_ref(attr), "schemars");
    let (option, limits) = match metas.first() {
        Some(first) => (compact_text(first.path()), ranges::of_field(first)),
        None => Default::default(),
    };
    report(messages::schemars_argument(&option, &limits), attr, errors);
}

/// Two arguments must not have the same JSON name. Both are marked.
pub(super) fn same_names(args: &[Arg], errors: &mut Errors) {
    for (index, arg) in args.iter().enumerate() {
        if let Some(first) = args[..index].iter().find(|first| first.name == arg.name)
            && first.ident != arg.ident
        {
            report(
                messages::same_argument_here(&arg.name),
                &first.ident,
                errors,
            );
            let (first, second) = (names::plain(&first.ident), names::plain(&arg.ident));
            let message = messages::same_argument(&first, &second, &arg.name);
            report(message, &arg.ident, errors);
        }
    }
}
