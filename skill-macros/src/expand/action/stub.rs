//! The stub of an action with mistakes. It prevents follow-up errors in the skill that lists the action, and in code that
//! constructs it.

use super::async_action::runs_on;
use crate::expand::constraints::literals::shown_at;
use crate::validate::action::Stub;
use proc_macro2::TokenStream;
use quote::quote;

pub(crate) fn stub(stub: &Stub) -> TokenStream {
    let Stub {
        paths: p,
        ident,
        vis,
        shown,
        is_taken,
        fields,
        output,
        error,
    } = stub;
    let (open, allow) = (p.open(), crate::expand::allow());
    let name = ident.to_string();
    let fields = fields.iter().map(|(name, ty)| quote!(#vis #name: #ty));
    // If another type of the module already has this name, the impls apply to that type.
    let structure = (!is_taken).then(|| {
        let structure = shown_at(shown.0, shown.1, vis, ident, quote!(#(#fields,)*));
        quote!(#[allow(dead_code)] #structure)
    });
    let output = output.as_ref().map_or_else(|| quote!(()), |ty| quote!(#ty));
    let error = error
        .as_ref()
        .map_or_else(|| quote!(#p::Infallible), |ty| quote!(#ty));
    let runs_on = runs_on(p, ident, &output, &error, TokenStream::new());
    quote! {
        #structure
        #[automatically_derived]
        #allow
        const _: () = {
            #open
            impl<S: #p::Skill> #p::ActionOf<S> for #ident {
                const __ENTRY: #p::ActionEntry<S> = #p::ActionEntry::__stub(#name);
            }
            impl<S: #p::Skill, R: #p::Resources> #p::RunsWith<S, R> for #ident {
                const ENTRY: #p::Option<#p::AsyncEntry<S, R>> = #p::None;
            }
            #runs_on
        };
    }
}
