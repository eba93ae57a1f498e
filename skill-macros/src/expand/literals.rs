//! Small pieces that several items are made of.

use crate::paths::Paths;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::path::Path;
use syn::Visibility;

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

/// Tells cargo to build again when a file changes or goes. By its whole path, since `include_bytes!` would take another one
/// where a `macro_rules!` of another file names it.
pub(super) fn tracked(p: &Paths, file: &Path) -> TokenStream {
    let file = file.to_string_lossy();
    quote!(const _: &[u8] = #p::include_bytes!(#file);)
}

/// `.type_path("crate::module::Type")`
pub(super) fn type_path(p: &Paths, ident: &Ident) -> TokenStream {
    let name = format!("::{ident}");
    quote!(.type_path(#p::concat!(#p::module_path!(), #name)))
}

/// A struct that rustc shows where the user wrote a keyword and a name, and not as the whole macro.
pub(super) fn shown_at(
    keyword: Span,
    name: Span,
    vis: &Visibility,
    ident: &Ident,
    fields: TokenStream,
) -> TokenStream {
    let keyword = quote_spanned!(keyword=> struct);
    let body = quote_spanned!(name=> { #fields });
    quote!(#vis #keyword #ident #body)
}
