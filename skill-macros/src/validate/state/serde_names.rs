//! Computes the keys that serde uses to write and read a struct's fields.

use crate::names;
use crate::validate::serde_metas;
use proc_macro2::Ident;
use std::collections::BTreeSet;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Lit, Meta, Token};

/// The keys of one field.
pub(crate) struct Keys {
    pub(crate) written: String,
    pub(crate) read: String,
    /// The other keys under which the field is read.
    pub(crate) aliases: Vec<String>,
}

impl Keys {
    /// Returns the keys of a field with the attributes `attrs`, in a struct with this renaming.
    pub(crate) fn of(ident: &Ident, attrs: &[Attribute], renaming: &Renaming) -> Self {
        let name = names::plain(ident);
        let mut keys = Self {
            written: apply(renaming.written.as_deref(), &name),
            read: apply(renaming.read.as_deref(), &name),
            aliases: Vec::new(),
        };
        for meta in serde_metas(attrs) {
            if meta.path().is_ident("rename") {
                let names = Renaming::of_meta(&meta);
                keys.written = names.written.unwrap_or(keys.written);
                keys.read = names.read.unwrap_or(keys.read);
            } else if meta.path().is_ident("alias") {
                keys.aliases.extend(text(&meta));
            }
        }
        keys
    }

    /// Returns each key once. The key that is written comes first.
    pub(crate) fn into_distinct(self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let keys = [self.written, self.read].into_iter().chain(self.aliases);
        keys.filter(|key| seen.insert(key.clone())).collect()
    }
}

/// The values of `rename` or `rename_all`, which may differ for writing and reading.
#[derive(Default)]
pub(crate) struct Renaming {
    written: Option<String>,
    read: Option<String>,
}

impl Renaming {
    /// Returns the text of the renaming. If there are two, returns the one for writing.
    pub(crate) fn rule(&self) -> Option<&str> {
        self.written.as_deref().or(self.read.as_deref())
    }

    /// Returns the struct's `rename_all`.
    pub(crate) fn of(attrs: &[Attribute]) -> Self {
        let metas = serde_metas(attrs);
        let rename_all = metas.iter().find(|meta| meta.path().is_ident("rename_all"));
        rename_all.map_or_else(Self::default, Self::of_meta)
    }

    /// Parses `rename = "a"` or `rename(serialize = "a", deserialize = "b")`.
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

/// Returns the text of `name = "text"`.
pub(crate) fn text(meta: &Meta) -> Option<String> {
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

/// The rules of `rename_all`.
pub(crate) const RULES: [&str; 8] = [
    "lowercase",
    "UPPERCASE",
    "PascalCase",
    "camelCase",
    "snake_case",
    "SCREAMING_SNAKE_CASE",
    "kebab-case",
    "SCREAMING-KEBAB-CASE",
];

/// Applies a rule of `rename_all` to a field name. Like serde, this assumes that the name is in snake case.
pub(crate) fn apply(rule: Option<&str>, name: &str) -> String {
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
        let renaming = Renaming::of(of_struct);
        Keys::of(&format_ident!("{name}"), of_field, &renaming).into_distinct()
    }

    #[test]
    fn a_field_has_the_keys_that_serde_gives_it() {
        let keys = [
            "api_key", "API_KEY", "ApiKey", "apiKey", "api_key", "API_KEY", "api-key", "API-KEY",
        ];
        for (rule, key) in RULES.into_iter().zip(keys) {
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
    }
}
