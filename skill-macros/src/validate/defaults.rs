//! The initial values of the fields of a skill or a configuration.

use super::{report_at, serde_metas};
use crate::errors::Errors;
use crate::messages;
use crate::parse::values::DefaultValue;
use proc_macro2::{Ident, Span};
use syn::{Attribute, Expr, Type};

/// The initial values of all fields.
pub(crate) struct Defaults {
    pub(crate) fields: Vec<(Ident, Init)>,
    /// The first option that sets an initial value. A second `impl Default` is reported there.
    pub(crate) span: Span,
}

/// The initial value of a field.
pub(crate) enum Init {
    /// The default of the field's type. A type that is not `Default` is reported at the span.
    TypeDefault(Span),
    /// An expression.
    Expr(Expr),
    /// A clone of the configuration field of the same name.
    FromConfig(FromConfig),
}

/// A field that begins with a value of the configuration.
pub(crate) struct FromConfig {
    /// The type of the field, which the configuration's must have too.
    pub(crate) ty: Type,
    /// The key of the field in the JSON of the state.
    pub(crate) key: String,
    /// Whether it takes the configuration's value at every start.
    pub(crate) is_always: bool,
}

/// `#[skill(default)]` or `#[skill(default = ...)]`
pub(super) fn of_option(default: &DefaultValue) -> Init {
    match &default.value {
        Some(value) => Init::Expr(value.clone()),
        None => Init::TypeDefault(default.span),
    }
}

/// Reports a struct that has field defaults but no `#[serde(default)]`. The message quotes `options`.
pub(super) fn require_serde_default(
    attrs: &[Attribute],
    options: &str,
    span: Span,
    errors: &mut Errors,
) {
    let metas = serde_metas(attrs);
    if !metas.iter().any(|meta| meta.path().is_ident("default")) {
        report_at(messages::default_without_serde(options), span, errors);
    }
}
