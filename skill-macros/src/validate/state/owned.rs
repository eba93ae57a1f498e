//! Checks that arguments and outputs are owned, because they are converted from and to JSON.

use crate::validate::compact_text;
use syn::visit::Visit;
use syn::{GenericArgument, PathArguments, Type, TypeReference};

/// Returns the first reference in a type that is not `'static`.
pub(crate) fn borrowed(ty: &Type) -> Option<TypeReference> {
    struct Find(Option<TypeReference>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_type_reference(&mut self, reference: &'ast TypeReference) {
            let is_static = reference
                .lifetime
                .as_ref()
                .is_some_and(|l| l.ident == "static");
            if !is_static && self.0.is_none() {
                self.0 = Some(reference.clone());
            }
        }
    }
    let mut find = Find(None);
    find.visit_type(ty);
    find.0
}

/// Returns the type if it is a `Cow<str>` that may borrow its text.
pub(crate) fn borrowed_cow(ty: &Type) -> Option<&Type> {
    let is_text = type_argument(ty, "Cow").is_some_and(|inner| compact_text(inner) == "str");
    (is_text && !compact_text(ty).contains("<'static,")).then_some(ty)
}

/// Returns the first type argument of a path that ends in `name<...>`.
pub(crate) fn type_argument<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.next().filter(|_| last.ident == name)
}

/// Returns the type to write instead of a reference to `ty`.
pub(crate) fn owned_type(ty: &Type) -> String {
    match ty {
        Type::Slice(slice) => format!("Vec<{}>", compact_text(&slice.elem)),
        ty => match &*compact_text(ty) {
            "str" => "String".to_owned(),
            "Path" | "std::path::Path" => "PathBuf".to_owned(),
            other => other.to_owned(),
        },
    }
}
