//! Generates the code of `#[derive(SkillConfig)]`.

use super::{constraints, defaults, secrets};
use crate::validate::configuration::Configuration;
use proc_macro2::TokenStream;
use quote::quote;

/// Generates `impl Default`, an `impl Debug` if there are secrets, and the table of constraints.
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
    let debug = configuration.secrets.as_ref().map(|found| {
        let (debug, paths) = (
            secrets::debug(p, ident, found),
            secrets::paths(p, ident, found),
        );
        quote!(#debug #paths)
    });
    let constraints = constraints::expand(p, ident, &configuration.constraints);
    quote! {
        #[automatically_derived]
        #allow
        const _: () = {
            #open
            #default
            #debug
            #constraints
        };
    }
}

/// Generates an `impl Default` and, if there are secrets, an `impl Debug`. Neither is ever called.
pub(crate) fn stub(configuration: &Configuration) -> TokenStream {
    let Configuration {
        paths: p,
        ident,
        generics,
        ..
    } = configuration;
    let (open, allow) = (p.open(), super::allow());
    let (params, arguments, bounds) = generics.split_for_impl();
    let debug = configuration.secrets.as_ref().map(|_| {
        quote! {
            impl #params #p::fmt::Debug for #ident #arguments #bounds {
                fn fmt(&self, _: &mut #p::fmt::Formatter<'_>) -> #p::fmt::Result {
                    loop {}
                }
            }
        }
    });
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
            #debug
        };
    }
}
