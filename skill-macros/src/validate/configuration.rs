//! The rules for configurations.

use super::constraints::{self, FieldConstraints};
use super::{generic, named_fields};
use crate::errors::Errors;
use crate::messages;
use crate::parse::configuration::ConfigurationInput;
use crate::paths::{Paths, Root};
use crate::validate::state::defaults;
use crate::validate::state::defaults::{Defaults, Init};
use crate::validate::state::secrets;
use crate::validate::state::secrets::Secrets;
use proc_macro2::Ident;
use syn::Generics;
use syn::spanned::Spanned;

/// A valid configuration, or the data for its stub.
pub(crate) struct Configuration {
    pub(crate) paths: Paths,
    pub(crate) ident: Ident,
    /// The generic parameters. Only the stub uses them, because a configuration must not be generic.
    pub(crate) generics: Generics,
    pub(crate) defaults: Defaults,
    pub(crate) secrets: Option<Secrets>,
    pub(crate) constraints: Vec<FieldConstraints>,
}

/// Checks all rules and reports mistakes.
pub(crate) fn check(input: ConfigurationInput, root: Root, errors: &mut Errors) -> Configuration {
    named_fields(&input.item, messages::CONFIGURATION, errors);
    generic(&input.item.generics, "a configuration", "a struct", errors);
    Configuration {
        paths: Paths::new(root, input.options.root.as_ref().map(|path| &path.0)),
        defaults: defaults(&input, errors),
        secrets: secrets(&input, errors),
        constraints: constraints::of_fields(
            &input.item.attrs,
            input.fields.iter().map(|(field, _)| field),
        ),
        ident: input.item.ident,
        generics: input.item.generics,
    }
}

/// Returns the fields with the option `secret`, even if it could not be parsed.
fn secrets(input: &ConfigurationInput, errors: &mut Errors) -> Option<Secrets> {
    for (field, options) in &input.fields {
        secrets::not_flattened(field, options.secret.map(|word| word.0), errors);
    }
    let fields = input.fields.iter().map(|(field, options)| {
        let attempted = options.attempts("secret").then(|| field.span());
        (field, options.secret.map(|word| word.0).or(attempted))
    });
    secrets::of_fields(&input.item.attrs, fields)
}

/// Returns the initial values. A field without an option starts with its type's default.
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
