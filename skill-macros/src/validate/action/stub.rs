//! The stub of an action with mistakes.

use super::super::answer;
use super::parameters::{is_context, misplaced};
use crate::names;
use crate::parse::action::ActionInput;
use crate::paths::{Paths, Root};
use crate::validate::state::owned::{borrowed, borrowed_cow};
use proc_macro2::{Ident, Span};
use syn::visit::{self, Visit};
use syn::{FnArg, Pat, Signature, Type, TypePath, Visibility};

/// The stub of an action with mistakes. Other code can list and construct the stub's struct.
pub(crate) struct Stub {
    pub(crate) paths: Paths,
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    /// The spans of `fn` and of the function's name. rustc shows the struct there.
    pub(crate) shown: (Span, Span),
    /// Whether the skill or a type in the signature already has the name. The stub then has no struct.
    pub(crate) is_taken: bool,
    pub(crate) fields: Vec<(Ident, Type)>,
    pub(crate) output: Option<Type>,
    pub(crate) error: Option<Type>,
}

/// Creates the stub from the parts that can be parsed. Returns `None` for a method, because an impl cannot contain a struct.
pub(crate) fn stub(input: &ActionInput, root: Root) -> Option<Stub> {
    let sig = &input.function.sig;
    if sig
        .inputs
        .iter()
        .any(|input| matches!(input, FnArg::Receiver(_)))
    {
        return None;
    }
    let is_generic = !sig.generics.params.is_empty();
    let fields = sig
        .inputs
        .iter()
        .skip(usize::from(misplaced(&sig.inputs).is_none()))
        .filter_map(|parameter| match parameter {
            FnArg::Typed(typed) if !is_generic && !is_context(parameter) => {
                match (&*typed.pat, &*typed.ty) {
                    (Pat::Ident(pat), ty)
                        if borrowed(ty).is_none()
                            && borrowed_cow(ty).is_none()
                            && !matches!(
                                ty,
                                Type::ImplTrait(_) | Type::Slice(_) | Type::TraitObject(_)
                            ) =>
                    {
                        Some((pat.ident.clone(), ty.clone()))
                    }
                    _ => None,
                }
            }
            _ => None,
        });
    let (output, error) = if is_generic {
        (None, None)
    } else {
        answer::types(&sig.output)
    };
    let written = input.options.struct_name.as_ref();
    let ident = written.and_then(|path| path.0.get_ident()).cloned();
    let ident = ident.unwrap_or_else(|| names::action_struct(&sig.ident));
    (ident != sig.ident && !names::hides_common_type(&ident)).then(|| Stub {
        paths: Paths::new(root, input.options.root.as_ref().map(|path| &path.0)),
        vis: input.function.vis.clone(),
        shown: (sig.fn_token.span, sig.ident.span()),
        is_taken: mentions(sig, &ident),
        ident,
        fields: fields.collect(),
        output,
        error,
    })
}

/// Returns whether a type in the signature has this name.
pub(super) fn mentions(sig: &Signature, name: &Ident) -> bool {
    struct Find<'a> {
        name: &'a Ident,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_type_path(&mut self, path: &'ast TypePath) {
            self.found |= path.path.is_ident(self.name);
            visit::visit_type_path(self, path);
        }
    }
    let mut find = Find { name, found: false };
    find.visit_signature(sig);
    find.found
}
