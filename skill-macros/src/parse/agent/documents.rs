//! Parses an agent's documents: `documents: [PLAN, other::DOC, ..FOLDER]`, and `allow_skills: true`.

use super::entries::skip_value;
use crate::errors::Errors;
use crate::messages;
use proc_macro2::Span;
use syn::parse::{Parse, ParseStream, discouraged::Speculative};
use syn::{Attribute, LitBool, LitStr, Path, Token, bracketed, token};

/// An entry of the list: `PLAN` or `..FOLDER`.
pub(crate) struct DocumentEntry {
    pub(crate) attrs: Vec<Attribute>,
    /// Whether the entry is a list of documents, written with `..`.
    pub(crate) is_list: bool,
    pub(crate) path: Path,
}

/// `true` or `false`, with the spans of the key and the value.
#[derive(Clone, Copy)]
pub(crate) struct Switch {
    pub(crate) is_on: bool,
    pub(crate) key: Span,
    pub(crate) value: Span,
}

/// Parses the entries. After an invalid entry, parsing continues.
pub(super) fn entries(
    input: ParseStream<'_>,
    errors: &mut Errors,
) -> syn::Result<Vec<DocumentEntry>> {
    if !input.peek(token::Bracket) {
        return Err(input.error(messages::DOCUMENTS_FORM));
    }
    let content;
    bracketed!(content in input);
    let mut entries = Vec::new();
    while !content.is_empty() {
        let ahead = content.fork();
        match ahead.parse::<DocumentEntry>() {
            Ok(entry) if ahead.is_empty() || ahead.peek(Token![,]) => {
                content.advance_to(&ahead);
                entries.push(entry);
            }
            Ok(entry) => {
                errors.report(after_path(&ahead), &entry.path);
                skip_value(&content)?;
            }
            Err(error) => {
                errors.push(error);
                skip_value(&content)?;
            }
        }
        let _ = content.parse::<Option<Token![,]>>()?;
    }
    Ok(entries)
}

/// Returns the message for a path that is followed by other tokens. The user most likely wrote `include_skill!(…)`.
fn after_path(rest: ParseStream<'_>) -> &'static str {
    if rest.peek(Token![!]) {
        messages::DOCUMENT_MACRO
    } else {
        messages::DOCUMENT_FORM
    }
}

pub(super) fn switch(input: ParseStream<'_>, key: Span) -> syn::Result<Switch> {
    let value: LitBool = input
        .parse()
        .map_err(|error| syn::Error::new(error.span(), messages::ALLOW_SKILLS_FORM))?;
    Ok(Switch {
        is_on: value.value,
        key,
        value: value.span,
    })
}

impl Parse for DocumentEntry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let is_list = input.parse::<Option<Token![..]>>()?.is_some();
        let form = if input.peek(LitStr) {
            messages::DOCUMENT_FILE
        } else {
            messages::DOCUMENT_FORM
        };
        let path = input
            .parse()
            .map_err(|error: syn::Error| syn::Error::new(error.span(), form))?;
        Ok(Self {
            attrs,
            is_list,
            path,
        })
    }
}
