//! Parses doc comments, which become descriptions.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The text of an item's doc comments.
#[derive(Clone)]
pub(crate) enum Docs {
    /// The text that is known now, trimmed.
    Text(String),
    /// The arguments of a `concat!` that only rustc can evaluate, because some are macros, as in `#[doc =
    /// include_str!("add.md")]`.
    Parts(Vec<TokenStream>),
}

impl Docs {
    pub(crate) const NONE: Self = Self::Text(String::new());

    /// Returns the text as the value of a `#[doc]`, which must be a literal or a macro.
    pub(crate) fn attribute_value(&self) -> TokenStream {
        match self {
            Self::Text(text) => text.to_token_stream(),
            Self::Parts(parts) => quote!(__p::concat!(#(#parts),*)),
        }
    }
}

/// Generates an expression of type `&'static str`, for code that imports the hidden module.
impl ToTokens for Docs {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let value = self.attribute_value();
        tokens.extend(match self {
            Self::Text(_) => value,
            Self::Parts(_) => quote!(__p::trimmed(#value)),
        });
    }
}

/// Returns the text of the doc comments, or `None` if it is empty.
pub(crate) fn text(attrs: &[Attribute]) -> Option<Docs> {
    let (mut parts, mut lines) = (Vec::new(), Vec::new());
    for value in attrs.iter().filter_map(value) {
        match literal(value) {
            Some(text) => lines.extend(text.split('\n').map(shown)),
            None => {
                let before = joined(&mut lines) + "\n";
                parts.extend([
                    before.to_token_stream(),
                    value.to_token_stream(),
                    quote!("\n"),
                ]);
            }
        }
    }
    let last = joined(&mut lines);
    if parts.is_empty() {
        let text = last.trim();
        return (!text.is_empty()).then(|| Docs::Text(text.to_owned()));
    }
    parts.push(last.to_token_stream());
    Some(Docs::Parts(parts))
}

/// Removes the space after `///` from a line.
fn shown(line: &str) -> String {
    line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()
}

fn joined(lines: &mut Vec<String>) -> String {
    std::mem::take(lines).join("\n")
}

/// Returns the doc comment attributes.
pub(crate) fn attributes(attrs: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attrs.iter().filter(|attr| value(attr).is_some())
}

/// Returns the value of `#[doc = …]` if it is a literal or a macro.
fn value(attr: &Attribute) -> Option<&Expr> {
    match &attr.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            value @ Expr::Macro(_) => Some(value),
            value => literal(value).map(|_| value),
        },
        _ => None,
    }
}

fn literal(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    }
}
