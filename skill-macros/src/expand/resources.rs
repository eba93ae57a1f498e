//! Generates the code of `#[derive(Resources)]`.

use crate::validate::resources::{Provided, Resources};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

/// Generates `impl Provide` for each field, at its type, and a check at the struct's name that the struct can be shared between
/// threads.
pub(crate) fn expand(resources: &Resources) -> TokenStream {
    let Resources {
        paths,
        ident,
        provided,
        can_have_stub,
    } = resources;
    if !can_have_stub {
        return TokenStream::new();
    }
    let impls = provided.iter().map(|provided| {
        let Provided { field, ty, is_held } = provided;
        let p = paths.at(ty.span());
        let deref = is_held.then(|| quote!(*));
        // a trait object with a lifetime needs parentheses
        let answer = match ty {
            Type::TraitObject(_) => quote!((#ty)),
            ty => ty.to_token_stream(),
        };
        quote_spanned! {ty.span()=>
            impl #p::Provide<#ty> for #ident {
                fn provide(&self) -> &#answer {
                    &#deref self.#field
                }
            }
        }
    });
    let (open, allow, p) = (paths.open(), super::allow(), paths.at(ident.span()));
    let check = quote_spanned!(ident.span()=> const _: () = #p::report_resources::<#ident>(););
    quote! {
        #[automatically_derived]
        #allow
        const _: () = {
            #open
            #(#impls)*
            #check
        };
    }
}
