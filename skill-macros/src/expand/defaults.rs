//! The initial values of fields, and `impl Default`.

use crate::paths::Paths;
use crate::validate::defaults::{Defaults, Init};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

/// The parameter of `init`.
const CONFIG: &str = "__config";

/// The parameter of `init`, with the hygiene of `ident`, which [`value`] uses too.
pub(super) fn config_parameter(ident: &Ident) -> Ident {
    Ident::new(CONFIG, ident.span())
}

/// `Self { field: value }`.
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
            // Through a local, which reports a field of another type at that type.
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

/// `const __CONFIG_FIELDS`, if there are fields with `from_config`: the keys of those that keep a stored value, and a function that
/// takes the others over from the initial state. It does not name the configuration, so that a wrong type is one error.
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

/// `impl Default`, at the first default: this is where rustc reports a second impl by `#[derive(Default)]`.
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
