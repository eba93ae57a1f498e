//! The code of `#[derive(SkillConfig)]`.

use super::defaults;
use crate::validate::configuration::Configuration;
use proc_macro2::TokenStream;
use quote::quote;

/// `impl Default`.
pub(crate) fn expand(configuration: &Configuration) -> TokenStream {
    let Configuration {
        paths: p,
        ident,
        defaults,
        ..
    } = configuration;
    let (open, allow) = (p.open(), super::allow());
    let value = defaults::value(p, ident, defaults);
    let default = defaults::impl_default(p, ident, defaults.span, &value);
    quote! {
        #[automatically_derived]
        #allow
        const _: () = {
            #open
            #default
        };
    }
}

/// An `impl Default` that is never called.
pub(crate) fn stub(configuration: &Configuration) -> TokenStream {
    let Configuration {
        paths: p,
        ident,
        generics,
        ..
    } = configuration;
    let (open, allow) = (p.open(), super::allow());
    let (params, arguments, bounds) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        #allow
        const _: () = {
            #open
            impl #params #p::Default for #ident #arguments #bounds {
                fn default() -> Self {
                    loop {}
                }
            }
        };
    }
}
