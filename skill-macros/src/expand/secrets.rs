//! Generates the code for a struct's secrets.

use crate::expand::constraints::literals::set_list;
use crate::paths::Paths;
use crate::validate::skill::Skill;
use crate::validate::state::defaults::Init;
use crate::validate::state::secrets::Secrets;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};

/// Generates `impl Debug` at the first `secret`, where rustc reports a conflicting `#[derive(Debug)]`.
pub(super) fn debug(p: &Paths, ident: &Ident, secrets: &Secrets) -> TokenStream {
    let at = p.at(secrets.span);
    let name = crate::names::plain(ident);
    // these have the default span, because the field and the option may come from a different macro
    let (this, f) = (format_ident!("self"), format_ident!("f"));
    let fields = secrets.fields.iter().map(|field| {
        let (ident, name) = (&field.ident, crate::names::plain(&field.ident));
        if field.is_secret {
            return quote!(.field(#name, &#p::Masked));
        }
        // All tokens have the type's span, because rustc shows the whole expression if the type lacks `Debug`.
        let at = |name: &Ident| {
            let mut name = name.clone();
            name.set_span(field.ty.resolved_at(name.span()));
            name
        };
        let (this, ident) = (at(&this), at(ident));
        let value = quote_spanned!(field.ty=> &#this.#ident);
        quote!(.field(#name, #value))
    });
    let body = quote!(#p::fmt::Formatter::debug_struct(#f, #name) #(#fields)* .finish());
    quote_spanned! {secrets.span=>
        #[automatically_derived]
        impl #at::fmt::Debug for #ident {
            fn fmt(&#this, #f: &mut #at::fmt::Formatter<'_>) -> #at::fmt::Result {
                #body
            }
        }
    }
}

/// Generates `.state_secrets(&["token"])`, or nothing if there are no secrets.
pub(super) fn of_state(secrets: Option<&Secrets>) -> Option<TokenStream> {
    set_list("state_secrets", &secrets?.paths)
}

/// Generates `.config_secrets(…)` for a skill with a configuration. Only rustc knows whether the configuration has secrets.
pub(super) fn of_config(p: &Paths) -> TokenStream {
    quote! {
        .config_secrets({
            use #p::probe::AssumeUnsafe as _;
            #p::probe::Probe::<<Self as #p::Skill>::Config>::SECRETS
        })
    }
}

/// Generates a check for each field that is not a secret but starts with a value of the configuration. This value must not be a
/// secret either.
pub(super) fn copies(p: &Paths, skill: &Skill) -> TokenStream {
    let ident = &skill.ident;
    let is_secret = |name: &Ident| {
        let fields = skill.secrets.iter().flat_map(|found| &found.fields);
        fields
            .into_iter()
            .any(|field| field.ident == *name && field.is_secret)
    };
    let fields = skill.init.iter().flat_map(|init| &init.fields);
    let copies =
        fields.filter(|(name, init)| matches!(init, Init::FromConfig(_)) && !is_secret(name));
    let checks = copies.map(|(name, _)| {
        let (at, text) = (p.at(name.span()), crate::names::plain(name));
        quote_spanned! {name.span()=>
            const _: () = {
                use #p::probe::AssumeUnsafe as _;
                #at::probe::report_copy_of_secret(
                    #p::probe::Probe::<<#ident as #p::Skill>::Config>::SECRET_FIELDS,
                    #text,
                )
            };
        }
    });
    checks.collect()
}

/// Generates `impl SecretPaths` for a configuration.
pub(super) fn paths(p: &Paths, ident: &Ident, secrets: &Secrets) -> TokenStream {
    let paths = &secrets.paths;
    let fields = secrets.fields.iter().filter(|field| field.is_secret);
    let fields = fields.map(|field| crate::names::plain(&field.ident));
    quote! {
        impl #p::probe::SecretPaths for #ident {
            const PATHS: &'static [&'static str] = &[#(#paths),*];
            const FIELDS: &'static [&'static str] = &[#(#fields),*];
        }
    }
}
