//! The rules for resources. An async action takes them by reference, after the skill and the context.

use super::super::answer::is_primitive;
use super::super::{compact_text, report};
use super::ParameterValue;
use super::parameters::{given_options, is_context};
use crate::errors::Errors;
use crate::messages;
use crate::parse::action::ArgOptions;
use crate::validate::state::owned::owned_type;
use syn::{FnArg, Type, TypeReference};

/// Returns the type of a parameter if it is a resource. References to text, paths and slices are arguments, which must be owned.
pub(super) fn of(input: &FnArg) -> Option<&TypeReference> {
    match input {
        FnArg::Typed(typed) => match &*typed.ty {
            Type::Reference(reference) if reference.lifetime.is_none() && !is_context(input) => {
                let ty = &*reference.elem;
                (owned_type(ty) == compact_text(ty) && !is_argument_type(ty)).then_some(reference)
            }
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}

/// Returns whether the user means an argument by a type behind a reference: not a resource, and not a signal.
pub(crate) fn is_argument_type(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let last = path.path.segments.last();
    let is_std_container = last.is_some_and(|last| {
        ["String", "Vec", "Option"]
            .iter()
            .any(|name| last.ident == name)
    });
    is_std_container || is_primitive(ty)
}

/// A resource must not be mutable, have an `impl` type or take options.
pub(super) fn resource(
    input: &FnArg,
    reference: &TypeReference,
    options: &ArgOptions,
    errors: &mut Errors,
) -> Option<ParameterValue> {
    if let FnArg::Typed(typed) = input
        && let Some(attr) = given_options(typed, options)
    {
        report(messages::resource_with_options(), attr.path(), errors);
    }
    let ty = &*reference.elem;
    if let Type::ImplTrait(_) = ty {
        report(messages::resource_impl(), reference, errors);
        return None;
    }
    if reference.mutability.is_some() {
        report(
            messages::resource_mut(&messages::written(ty)),
            reference,
            errors,
        );
        return None;
    }
    Some(ParameterValue::Resource(reference.elem.clone()))
}
