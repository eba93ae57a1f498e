//! The rules of resources: the references of an async action after skill and context.

use super::super::answer::is_primitive;
use super::super::owned::owned_type;
use super::super::{report, spelled};
use super::Given;
use super::parameters::{given_options, is_context};
use crate::errors::Errors;
use crate::messages;
use crate::parse::action::ArgOptions;
use syn::{FnArg, Type, TypeReference};

/// The reference of a parameter that is a resource. References to text, paths and slices are arguments that have to be owned.
pub(super) fn of(input: &FnArg) -> Option<&TypeReference> {
    match input {
        FnArg::Typed(typed) => match &*typed.ty {
            Type::Reference(reference) if reference.lifetime.is_none() && !is_context(input) => {
                let ty = &*reference.elem;
                (owned_type(ty) == spelled(ty) && !is_value(ty)).then_some(reference)
            }
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}

/// Whether the type is an argument behind a reference rather than a resource.
pub(super) fn is_value(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let last = path.path.segments.last();
    let is_of_std = last.is_some_and(|last| {
        ["String", "Vec", "Option"]
            .iter()
            .any(|name| last.ident == name)
    });
    is_of_std || is_primitive(ty)
}

/// A resource is shared, has one type, and takes no options.
pub(super) fn resource(
    input: &FnArg,
    reference: &TypeReference,
    options: &ArgOptions,
    errors: &mut Errors,
) -> Option<Given> {
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
    Some(Given::Resource(reference.elem.clone()))
}
