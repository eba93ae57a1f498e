//! What an action answers.

use super::{report, spelled};
use crate::errors::Errors;
use crate::messages;
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments, ReturnType, Type};

/// The return type, taken apart.
pub(crate) enum Answer {
    /// `()`: nothing is written.
    Nothing(Span),
    /// A value; it cannot fail.
    Value(Box<Type>),
    /// `Result<Answer, Error>`, as written.
    Result {
        ok: Box<Type>,
        err: Box<Type>,
        whole: Box<Type>,
    },
    /// `io::Result<Answer>`: an alias, taken apart by rustc.
    Alias(Box<Type>),
}

/// Takes the return type apart. Only the name `Result` with arguments is taken for one; rustc then has the last word.
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

/// An answer is owned, and has one type.
fn owned(ty: &Type, errors: &mut Errors) {
    if let Type::ImplTrait(_) = ty {
        report(messages::impl_answer(), ty, errors);
    } else if let Some(reference) = super::owned::borrowed(ty) {
        let owned = super::owned::owned_type(&reference.elem);
        report(messages::reference_answer(&owned), &reference, errors);
    }
}

/// The types of output and error, as far as they can be named.
pub(super) fn types(output: &ReturnType) -> (Option<Type>, Option<Type>) {
    let ReturnType::Type(_, ty) = output else {
        return (None, None);
    };
    let nameable = |ty: &Type| {
        let is_named = super::owned::borrowed(ty).is_none() && !matches!(ty, Type::ImplTrait(_));
        is_named.then(|| ty.clone())
    };
    match result_arguments(ty).as_deref() {
        Some([ok, err]) => (nameable(ok), nameable(err)),
        Some(_) => (None, None),
        None => (nameable(ty), None),
    }
}

/// The type arguments of a path that ends in `Result<…>`.
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

/// Types of the language, which are no `Result` under another name.
pub(crate) fn is_primitive(ty: &Type) -> bool {
    const PRIMITIVES: [&str; 16] = [
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16",
        "u32", "u64", "u128", "usize",
    ];
    !matches!(ty, Type::Path(_)) || PRIMITIVES.contains(&&*spelled(ty))
}
