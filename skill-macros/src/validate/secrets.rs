//! The secrets of a struct: their keys in the JSON, and what its `Debug` shows.

use super::{report_at, serde_metas};
use crate::errors::Errors;
use crate::messages;
use crate::names;
use proc_macro2::{Ident, Span};
use std::collections::BTreeSet;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Field, Lit, Meta, Token};

/// The secrets of a struct that has at least one.
pub(crate) struct Secrets {
    /// The first `secret`. A second `impl Debug` is reported there.
    pub(crate) span: Span,
    /// The paths of the secrets.
    pub(crate) paths: Vec<String>,
    /// All fields, for `Debug`.
    pub(crate) fields: Vec<Shown>,
}

/// A field in the output of `Debug`.
pub(crate) struct Shown {
    pub(crate) ident: Ident,
    /// The type, at which a missing `Debug` is reported.
    pub(crate) ty: Span,
    pub(crate) is_secret: bool,
}

/// The secrets of a struct with the attributes `attrs`. Each field comes with its option `secret`.
pub(super) fn of_fields<'a>(
    attrs: &[Attribute],
    fields: impl Iterator<Item = (&'a Field, Option<Span>)>,
) -> Option<Secrets> {
    let renaming = Renaming::of(attrs);
    let (mut first, mut paths, mut shown) = (None, Vec::new(), Vec::new());
    for (field, secret) in fields {
        let Some(ident) = field.ident.clone() else {
            continue;
        };
        if let Some(span) = secret {
            first.get_or_insert(span);
            let keys = keys(&ident, &field.attrs, &renaming).into_iter();
            paths.extend(keys.map(|key| path(&key)));
        }
        shown.push(Shown {
            ident,
            ty: field.ty.span(),
            is_secret: secret.is_some(),
        });
    }
    Some(Secrets {
        span: first?,
        paths,
        fields: shown,
    })
}

/// The path of the value under a key of the root.
pub(super) fn path(key: &str) -> String {
    skill_agent_grammar::join("", key)
}

/// A secret has a key of its own.
pub(super) fn not_flattened(field: &Field, secret: Option<Span>, errors: &mut Errors) {
    let metas = serde_metas(&field.attrs);
    if let Some(span) = secret
        && metas.iter().any(|meta| meta.path().is_ident("flatten"))
    {
        report_at(messages::flattened_secret(), span, errors);
    }
}

/// Every key under which serde writes or reads a field: the one that it writes comes first. A secret may be sent under any of
/// them.
fn keys(ident: &Ident, attrs: &[Attribute], renaming: &Renaming) -> Vec<String> {
    let name = names::plain(ident);
    let mut written = Some(apply(renaming.written.as_deref(), &name));
    let mut read = Some(apply(renaming.read.as_deref(), &name));
    let mut aliases = Vec::new();
    for meta in serde_metas(attrs) {
        if meta.path().is_ident("skip") {
            return Vec::new();
        } else if meta.path().is_ident("rename") {
            let names = Renaming::of_meta(&meta);
            written = names.written.or(written);
            read = names.read.or(read);
        } else if meta.path().is_ident("alias") {
            aliases.extend(text(&meta));
        }
    }
    let mut seen = BTreeSet::new();
    let keys = written.into_iter().chain(read).chain(aliases);
    keys.filter(|key| seen.insert(key.clone())).collect()
}

/// The values of `rename` or `rename_all`, which may differ between writing and reading.
#[derive(Default)]
struct Renaming {
    written: Option<String>,
    read: Option<String>,
}

impl Renaming {
    /// The `rename_all` of a struct.
    fn of(attrs: &[Attribute]) -> Self {
        let metas = serde_metas(attrs);
        let rename_all = metas.iter().find(|meta| meta.path().is_ident("rename_all"));
        rename_all.map_or_else(Self::default, Self::of_meta)
    }

    /// `rename = "a"` or `rename(serialize = "a", deserialize = "b")`
    fn of_meta(meta: &Meta) -> Self {
        if let Meta::List(list) = meta {
            let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            let parts = parts.unwrap_or_default();
            let part = |name: &str| parts.iter().find(|part| part.path().is_ident(name));
            return Self {
                written: part("serialize").and_then(text),
                read: part("deserialize").and_then(text),
            };
        }
        Self {
            written: text(meta),
            read: text(meta),
        }
    }
}

/// The text of `name = "text"`.
pub(super) fn text(meta: &Meta) -> Option<String> {
    match meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// A field name under a rule of `rename_all`, as serde applies it: the name is taken to be in snake case.
fn apply(rule: Option<&str>, name: &str) -> String {
    let pascal = || -> String {
        let words = name.split('_').map(|word| {
            let mut chars = word.chars();
            let first = chars.next().map(|first| first.to_ascii_uppercase());
            first.into_iter().chain(chars).collect::<String>()
        });
        words.collect()
    };
    match rule {
        Some("UPPERCASE" | "SCREAMING_SNAKE_CASE") => name.to_ascii_uppercase(),
        Some("PascalCase") => pascal(),
        Some("camelCase") => {
            let pascal = pascal();
            let mut chars = pascal.chars();
            let first = chars.next().map(|first| first.to_ascii_lowercase());
            first.into_iter().chain(chars).collect()
        }
        Some("kebab-case") => name.replace('_', "-"),
        Some("SCREAMING-KEBAB-CASE") => name.to_ascii_uppercase().replace('_', "-"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::format_ident;

    fn keys_of(name: &str, of_struct: &[Attribute], of_field: &[Attribute]) -> Vec<String> {
        keys(&format_ident!("{name}"), of_field, &Renaming::of(of_struct))
    }

    #[test]
    fn a_field_has_the_keys_that_serde_gives_it() {
        let rules = [
            ("lowercase", "api_key"),
            ("UPPERCASE", "API_KEY"),
            ("PascalCase", "ApiKey"),
            ("camelCase", "apiKey"),
            ("snake_case", "api_key"),
            ("SCREAMING_SNAKE_CASE", "API_KEY"),
            ("kebab-case", "api-key"),
            ("SCREAMING-KEBAB-CASE", "API-KEY"),
        ];
        for (rule, key) in rules {
            let all = [syn::parse_quote!(#[serde(rename_all = #rule)])];
            assert_eq!(keys_of("api_key", &all, &[]), [key], "{rule}");
        }
        let all = [syn::parse_quote!(#[serde(rename_all(serialize = "camelCase"))])];
        assert_eq!(keys_of("api_key", &all, &[]), ["apiKey", "api_key"]);
        let renamed = [syn::parse_quote!(#[serde(default, rename = "key", alias = "token")])];
        assert_eq!(keys_of("api_key", &all, &renamed), ["key", "token"]);
        let renamed = [syn::parse_quote!(#[serde(rename(deserialize = "key"))])];
        assert_eq!(keys_of("api_key", &all, &renamed), ["apiKey", "key"]);
        assert_eq!(keys_of("r#type", &[], &[]), ["type"]);
        let skipped = [syn::parse_quote!(#[serde(skip)])];
        assert!(keys_of("api_key", &[], &skipped).is_empty());
    }

    #[test]
    fn a_key_that_is_no_plain_name_is_quoted_in_the_path() {
        assert_eq!(path("api-key"), "api-key");
        assert_eq!(path("api.key"), "[\"api.key\"]");
    }
}
