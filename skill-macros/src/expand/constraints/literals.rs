//! Generates code fragments that several items share.

use crate::paths::Paths;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::path::Path;
use syn::Visibility;

/// Generates a call such as `.title("…")`, or nothing if there is no value.
pub(crate) fn set(method: &str, value: &Option<impl ToTokens>) -> Option<TokenStream> {
    let method = Ident::new(method, proc_macro2::Span::mixed_site());
    value.as_ref().map(|value| quote!(.#method(#value)))
}

/// Generates a call such as `.tags(&["…"])`, or nothing if the list is empty.
pub(crate) fn set_list(method: &str, values: &[String]) -> Option<TokenStream> {
    let method = Ident::new(method, proc_macro2::Span::mixed_site());
    (!values.is_empty()).then(|| quote!(.#method(&[#(#values),*])))
}

/// Makes Cargo rebuild when the file changes or is removed. The path is absolute, because a relative path would start at the file
/// of an enclosing `macro_rules!`.
pub(crate) fn tracked(p: &Paths, file: &Path) -> TokenStream {
    let file = file.to_string_lossy();
    quote!(const _: &[u8] = #p::include_bytes!(#file);)
}

/// Generates `.type_path("crate::module::Type")`.
pub(crate) fn type_path(p: &Paths, ident: &Ident) -> TokenStream {
    let name = format!("::{ident}");
    quote!(.type_path(#p::concat!(#p::module_path!(), #name)))
}

/// Generates a struct that rustc shows at the user's keyword and name, instead of at the whole macro.
pub(crate) fn shown_at(
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
