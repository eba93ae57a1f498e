//! Small pieces that several items are made of.

use crate::paths::Paths;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// `.title("…")`, where there is one.
pub(super) fn set(method: &str, value: &Option<String>) -> Option<TokenStream> {
    let method = Ident::new(method, proc_macro2::Span::mixed_site());
    value.as_ref().map(|value| quote!(.#method(#value)))
}

/// `.tags(&["…"])`, where there are any.
pub(super) fn set_list(method: &str, values: &[String]) -> Option<TokenStream> {
    let method = Ident::new(method, proc_macro2::Span::mixed_site());
    (!values.is_empty()).then(|| quote!(.#method(&[#(#values),*])))
}

/// `.type_path("crate::module::Type")`
pub(super) fn type_path(p: &Paths, ident: &Ident) -> TokenStream {
    let name = format!("::{ident}");
    quote!(.type_path(#p::concat!(#p::module_path!(), #name)))
}
