//! The rules for the first parameters: the skill, then the context.

use super::super::answer::is_primitive;
use super::super::{compact_text, report};
use crate::errors::Errors;
use crate::messages;
use crate::parse::action::ArgOptions;
use crate::validate::state::owned::{owned_type, type_argument};
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Attribute, FnArg, ItemFn, PatType, Path, PathArguments, Type, TypeReference};

/// Returns the index of a misplaced skill: a reference, if the first parameter is not a reference.
pub(super) fn misplaced<'a>(inputs: impl IntoIterator<Item = &'a FnArg>) -> Option<usize> {
    let mut inputs = inputs.into_iter().enumerate();
    let (_, FnArg::Typed(first)) = inputs.next()? else {
        return None;
    };
    if matches!(&*first.ty, Type::Reference(_)) {
        return None;
    }
    let is_skill = |input: &FnArg| match input {
        FnArg::Typed(typed) => match &*typed.ty {
            Type::Reference(reference) => {
                let owned = owned_type(&reference.elem);
                let is_path = matches!(&*reference.elem, Type::Path(_));
                is_path && owned == compact_text(&reference.elem) && !is_context(input)
            }
            _ => false,
        },
        FnArg::Receiver(_) => false,
    };
    inputs
        .find(|(_, input)| is_skill(input))
        .map(|(index, _)| index)
}

/// Reports a skill that is not the first parameter.
pub(super) fn skill_first(input: &FnArg, errors: &mut Errors) {
    if let FnArg::Typed(typed) = input {
        let (name, ty) = (compact_text(&typed.pat), written(&typed.ty));
        report(messages::skill_first(&name, &ty), input, errors);
    }
}

/// Formats a type, with the space in `&mut Counter`.
fn written(ty: &Type) -> String {
    match ty {
        Type::Reference(reference) if reference.mutability.is_some() => {
            format!("&mut {}", compact_text(&reference.elem))
        }
        ty => compact_text(ty),
    }
}

/// The first parameter must be the skill, by reference.
pub(super) fn skill(
    function: &ItemFn,
    first: Option<(&FnArg, ArgOptions)>,
    errors: &mut Errors,
) -> Option<(Type, bool)> {
    let Some((input, options)) = first else {
        report(messages::no_first_parameter(), &function.sig.ident, errors);
        return None;
    };
    match input {
        FnArg::Receiver(receiver) => {
            report(messages::action_method(), receiver, errors);
            None
        }
        FnArg::Typed(typed) => {
            no_options(typed, &options, "the skill", errors);
            match &*typed.ty {
                Type::Reference(reference) => match &*reference.elem {
                    ty @ Type::Path(path) if !path.path.is_ident("str") => {
                        if function.sig.generics.params.is_empty() {
                            lifetime(reference, errors);
                        }
                        let changes = reference.mutability.is_some();
                        if changes && function.sig.asyncness.is_some() {
                            report(
                                messages::async_skill_mut(&compact_text(ty)),
                                &typed.ty,
                                errors,
                            );
                        }
                        Some((ty.clone(), changes))
                    }
                    _ => {
                        report(messages::no_first_parameter(), &typed.ty, errors);
                        None
                    }
                },
                ty => {
                    match by_value(ty) {
                        Some(skill) => report(messages::skill_by_value(&skill), ty, errors),
                        None => report(messages::no_first_parameter(), ty, errors),
                    }
                    None
                }
            }
        }
    }
}

/// Returns the name of a skill that is taken by value or in a smart pointer, or `None` for primitive types and text.
fn by_value(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let pointers = ["Box", "Rc", "Arc"];
    if let Some(inner) = pointers.iter().find_map(|name| type_argument(ty, name)) {
        return by_value(inner);
    }
    let is_argument_type = is_primitive(ty) || last.ident == "String" || !last.arguments.is_none();
    (!is_argument_type).then(|| compact_text(ty))
}

/// A reference must not have a lifetime, because it would be a generic parameter.
fn lifetime(reference: &TypeReference, errors: &mut Errors) {
    if let Some(lifetime) = &reference.lifetime {
        report(messages::action_where(), lifetime, errors);
    }
}

/// Returns whether the parameter is a context, even if it has a wrong form.
pub(super) fn is_context(input: &FnArg) -> bool {
    match input {
        FnArg::Typed(typed) => match &*typed.ty {
            // rustc reports the missing argument of `&mut Context`
            Type::Reference(reference) => {
                mentions_context(&reference.elem) || is_bare(&reference.elem)
            }
            ty => mentions_context(ty),
        },
        FnArg::Receiver(_) => false,
    }
}

fn is_bare(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("Context"))
}

fn mentions_context(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => mentions_context(&reference.elem),
        Type::Path(path) => ends_in_context(&path.path),
        _ => false,
    }
}

fn ends_in_context(path: &Path) -> bool {
    path.segments
        .last()
        .is_some_and(|last| last.ident == "Context" && !last.arguments.is_empty())
}

/// The context must be `&mut Context<Skill>`. Returns the span of its skill.
pub(super) fn context(input: &FnArg, options: &ArgOptions, errors: &mut Errors) -> Span {
    let FnArg::Typed(typed) = input else {
        return input.span();
    };
    no_options(typed, options, "the context", errors);
    match &*typed.ty {
        Type::Reference(reference) if reference.mutability.is_some() => lifetime(reference, errors),
        Type::Reference(_) => report(messages::context_shared(), &typed.ty, errors),
        _ => report(messages::context_by_value(), &typed.ty, errors),
    }
    skill_of_context(&typed.ty).unwrap_or_else(|| typed.ty.span())
}

/// Returns the span of `Counter` in `&mut Context<Counter>`.
fn skill_of_context(ty: &Type) -> Option<Span> {
    match ty {
        Type::Reference(reference) => skill_of_context(&reference.elem),
        Type::Path(path) => match &path.path.segments.last()?.arguments {
            PathArguments::AngleBracketed(arguments) => arguments.args.first().map(Spanned::span),
            _ => None,
        },
        _ => None,
    }
}

/// A parameter that is not an argument must not have options.
fn no_options(typed: &PatType, options: &ArgOptions, what: &str, errors: &mut Errors) {
    if let Some(attr) = given_options(typed, options) {
        report(messages::injected_with_options(what), attr.path(), errors);
    }
}

/// Returns the attribute if it has options.
pub(super) fn given_options<'a>(typed: &'a PatType, options: &ArgOptions) -> Option<&'a Attribute> {
    let ArgOptions {
        default,
        rename,
        range,
        length,
        pattern,
        example,
    } = options;
    let any = default.is_some()
        || rename.is_some()
        || range.is_some()
        || length.is_some()
        || pattern.is_some()
        || !example.is_empty();
    let attr = typed.attrs.iter().find(|attr| attr.path().is_ident("arg"));
    attr.filter(|_| any)
}
