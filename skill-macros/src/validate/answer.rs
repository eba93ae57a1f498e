//! The return type of an action.

use super::{compact_text, report};
use crate::errors::Errors;
use crate::messages;
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments, ReturnType, Type};

/// The kind of a return type.
pub(crate) enum Answer {
    /// `()`, or no return type.
    Nothing(Span),
    /// A value. The action cannot fail.
    Value(Box<Type>),
    /// `Result<Answer, Error>`
    Result {
        ok: Box<Type>,
        err: Box<Type>,
        whole: Box<Type>,
    },
    /// An alias, such as `io::Result<Answer>`. Only rustc knows its types.
    Alias(Box<Type>),
}

/// Determines the kind of a return type. Only the name `Result` with arguments counts as a `Result`, and rustc checks that the
/// type really is one.
pub(super) fn check(output: &ReturnType, span: Span, errors: &mut Errors) -> Answer {
    let ReturnType::Type(_, ty) = output else {
        return Answer::Nothing(span);
    };
    if let Type::Tuple(tuple) = &**ty
        && tuple.elems.is_empty()
    {
        return Answer::Nothing(ty.span());
    }
    owned(ty, errors);
    match result_arguments(ty) {
        Some(arguments) => match &arguments[..] {
            [ok, err] => Answer::Result {
                ok: Box::new(ok.clone()),
                err: Box::new(err.clone()),
                whole: ty.clone(),
            },
            _ => Answer::Alias(ty.clone()),
        },
        None => Answer::Value(ty.clone()),
    }
}

/// An output must be owned and have a single type.
fn owned(ty: &Type, errors: &mut Errors) {
    if let Type::ImplTrait(_) = ty {
        report(messages::impl_answer(), ty, errors);
    } else if let Some(reference) = crate::validate::state::owned::borrowed(ty) {
        let owned = crate::validate::state::owned::owned_type(&reference.elem);
        report(messages::reference_answer(&owned), &reference, errors);
    }
}

/// Returns the output and error types, as far as they can be types of struct fields.
pub(super) fn types(output: &ReturnType) -> (Option<Type>, Option<Type>) {
    let ReturnType::Type(_, ty) = output else {
        return (None, None);
    };
    let nameable = |ty: &Type| {
        let is_named = crate::validate::state::owned::borrowed(ty).is_none()
            && !matches!(ty, Type::ImplTrait(_));
        is_named.then(|| ty.clone())
    };
    match result_arguments(ty).as_deref() {
        Some([ok, err]) => (nameable(ok), nameable(err)),
        Some(_) => (None, None),
        None => (nameable(ty), None),
    }
}

/// Returns the type arguments of a path that ends in `Result<…>`.
fn result_arguments(ty: &Type) -> Option<Vec<Type>> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    if last.ident != "Result" {
        return None;
    }
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    });
    Some(types.collect())
}

/// Returns whether the type is built into the language. Such a type cannot be an alias of a `Result`.
pub(crate) fn is_primitive(ty: &Type) -> bool {
    const PRIMITIVES: [&str; 16] = [
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16",
        "u32", "u64", "u128", "usize",
    ];
    !matches!(ty, Type::Path(_)) || PRIMITIVES.contains(&&*compact_text(ty))
}
