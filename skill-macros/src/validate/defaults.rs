//! The values that the fields of a skill or a configuration begin with.

use super::{report_at, serde_metas};
use crate::errors::Errors;
use crate::messages;
use crate::parse::values::DefaultValue;
use proc_macro2::{Ident, Span};
use syn::{Attribute, Expr, Type};

/// The values of all fields.
pub(crate) struct Defaults {
    pub(crate) fields: Vec<(Ident, Init)>,
    /// The first option that gives one, where a second `impl Default` is reported.
    pub(crate) span: Span,
}

/// The value that a field begins with.
pub(crate) enum Init {
    /// The default of its type, with the span for a type that has none.
    Type(Span),
    /// An expression.
    Value(Expr),
    /// A clone of the field of the configuration that has the same name and this type, the type of the field.
    Config(Type),
}

/// `#[skill(default)]` or `#[skill(default = ...)]`
pub(super) fn of_option(default: &DefaultValue) -> Init {
    match &default.value {
        Some(value) => Init::Value(value.clone()),
        None => Init::Type(default.span),
    }
}

/// A struct whose fields have defaults has `#[serde(default)]`; `options` are the options of its fields, for the message.
pub(super) fn known_to_serde(attrs: &[Attribute], options: &str, span: Span, errors: &mut Errors) {
    let metas = serde_metas(attrs);
    if !metas.iter().any(|meta| meta.path().is_ident("default")) {
        report_at(messages::default_without_serde(options), span, errors);
    }
}
