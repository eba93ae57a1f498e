//! The rules of a configuration.

use super::defaults::{self, Defaults, Init};
use super::{generic, named_fields};
use crate::errors::Errors;
use crate::messages;
use crate::parse::configuration::ConfigurationInput;
use crate::paths::{Paths, Root};
use proc_macro2::Ident;
use syn::Generics;

/// A configuration without mistakes, or what its stub needs.
pub(crate) struct Configuration {
    pub(crate) paths: Paths,
    pub(crate) ident: Ident,
    /// Of the stub alone: a configuration is not generic.
    pub(crate) generics: Generics,
    pub(crate) defaults: Defaults,
}

/// Checks every rule, and reports what is wrong.
pub(crate) fn check(input: ConfigurationInput, root: Root, errors: &mut Errors) -> Configuration {
    named_fields(&input.item, messages::CONFIGURATION, errors);
    generic(&input.item.generics, "a configuration", "a struct", errors);
    Configuration {
        paths: Paths::new(root, input.options.root.as_ref().map(|path| &path.0)),
        defaults: defaults(&input, errors),
        ident: input.item.ident,
        generics: input.item.generics,
    }
}

/// A field without an option begins with the default of its type.
fn defaults(input: &ConfigurationInput, errors: &mut Errors) -> Defaults {
    let options = input.fields.iter().map(|(_, options)| options);
    let first = options
        .filter_map(|options| options.default.as_ref())
        .next();
    if let Some(first) = first {
        let attrs = &input.item.attrs;
        defaults::require_serde_default(attrs, "`#[skill(default)]`", first.span, errors);
    }
    let fields = input.fields.iter().filter_map(|(field, options)| {
        let ident = field.ident.clone()?;
        let init = match &options.default {
            Some(default) => defaults::of_option(default),
            None => Init::TypeDefault(ident.span()),
        };
        Some((ident, init))
    });
    Defaults {
        fields: fields.collect(),
        span: first.map_or_else(|| input.item.ident.span(), |default| default.span),
    }
}
