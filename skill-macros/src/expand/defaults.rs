//! Generates initial values of fields, and `impl Default`.

use crate::paths::Paths;
use crate::validate::state::defaults::{Defaults, Init};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

/// The name of `init`'s parameter.
const CONFIG: &str = "__config";

/// Returns the parameter of `init` with the hygiene of `ident`, as [`value`] uses it.
pub(super) fn config_parameter(ident: &Ident) -> Ident {
    Ident::new(CONFIG, ident.span())
}

/// Generates `Self { field: value }`.
pub(super) fn value(p: &Paths, ident: &Ident, defaults: &Defaults) -> TokenStream {
    let fields = defaults.fields.iter().map(|(field, init)| match init {
        Init::Expr(value) => quote!(#field: #value),
        Init::TypeDefault(span) => {
            let at = p.at(*span);
            quote_spanned!(*span=> #field: #at::Default::default())
        }
        Init::FromConfig(from) => {
            let ty = &from.ty;
            let here = field.span().resolved_at(ident.span());
            let (at, config) = (p.at(field.span()), Ident::new(CONFIG, here));
            // The value goes through a local variable, so that rustc reports a mismatch at the field's type.
            let wanted = quote_spanned!(ty.span()=> &#ty);
            quote_spanned! {field.span()=>
                #field: {
                    let value: #wanted = &#config.#field;
                    #at::Clone::clone(value)
                }
            }
        }
    });
    quote!(Self { #(#fields),* })
}

/// Generates `const __CONFIG_FIELDS` if there are fields with `from_config`. The constant contains the keys of the fields that
/// keep a stored value, and a function that copies the other fields from the initial state. It does not mention the
/// configuration, so that a wrong type causes a single error.
pub(super) fn config_fields(p: &Paths, defaults: &Defaults) -> Option<TokenStream> {
    let (mut kept, mut always) = (Vec::new(), Vec::new());
    for (ident, init) in &defaults.fields {
        match init {
            Init::FromConfig(from) if from.is_always => always.push(ident),
            Init::FromConfig(from) => kept.push(&from.key),
            Init::Expr(_) | Init::TypeDefault(_) => {}
        }
    }
    if kept.is_empty() && always.is_empty() {
        return None;
    }
    let taken = (!always.is_empty()).then(|| {
        quote! {
            .always(|state, initial| {
                #(#p::swap(&mut state.#always, &mut initial.#always);)*
            })
        }
    });
    Some(quote! {
        const __CONFIG_FIELDS: #p::ConfigFields<Self> = #p::ConfigFields::<Self>::kept(&[#(#kept),*]) #taken;
    })
}

/// Generates `impl Default` at the first default, where rustc reports a conflicting `#[derive(Default)]`.
pub(super) fn impl_default(
    p: &Paths,
    ident: &Ident,
    span: Span,
    value: &TokenStream,
) -> TokenStream {
    let at = p.at(span);
    quote_spanned! {span=>
        impl #at::Default for #ident {
            fn default() -> Self {
                #value
            }
        }
    }
}
