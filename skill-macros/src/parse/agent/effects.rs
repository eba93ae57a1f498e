//! Parses an agent's forbidden hints and allowed data flow: `forbid: [destructive]`, and `allow_data_flow: "reason"`.

use crate::messages;
use crate::parse::values::Text;
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, Token, bracketed, token};

/// The value of `allow_data_flow: "reason"`.
pub(crate) struct AllowDataFlow {
    pub(crate) reason: Text,
    /// The span of the key.
    pub(crate) key: Span,
}

/// Parses the words. Validation compares them with the known ones.
pub(super) fn forbid(input: ParseStream<'_>) -> syn::Result<Vec<Ident>> {
    if !input.peek(token::Bracket) {
        return Err(input.error(messages::FORBID_FORM));
    }
    let content;
    bracketed!(content in input);
    let words = content.parse_terminated(Ident::parse_any, Token![,]);
    let words = words.map_err(|error| syn::Error::new(error.span(), messages::FORBID_FORM))?;
    Ok(words.into_iter().collect())
}
