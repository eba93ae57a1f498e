//! The initial values of the fields in a skill or a configuration.

use crate::errors::Errors;
use crate::messages;
use crate::parse::values::DefaultValue;
use crate::validate::{report_at, serde_metas};
use proc_macro2::{Ident, Span};
use syn::{Attribute, Expr, Type};

/// The initial values of all fields.
pub(crate) struct Defaults {
    pub(crate) fields: Vec<(Ident, Init)>,
    /// The span of the first option that sets an initial value. rustc reports a second `impl Default` there.
    pub(crate) span: Span,
}

/// The initial value of a field.
pub(crate) enum Init {
    /// The default of the field's type. If the type has no `Default`, rustc reports this at the span.
    TypeDefault(Span),
    /// An expression.
    Expr(Expr),
    /// A clone of the configuration's field with the same name.
    FromConfig(FromConfig),
}

/// A field that starts with a value of the configuration.
pub(crate) struct FromConfig {
    /// The field's type. The configuration's field must have the same type.
    pub(crate) ty: Type,
    /// The field's key in the state's JSON.
    pub(crate) key: String,
    /// Whether the field takes the configuration's value at every start.
    pub(crate) is_always: bool,
}

/// Returns the initial value for `#[skill(default)]` or `#[skill(default = ...)]`.
pub(crate) fn of_option(default: &DefaultValue) -> Init {
    match &default.value {
        Some(value) => Init::Expr(value.clone()),
        None => Init::TypeDefault(default.span),
    }
}

/// A struct with field defaults must have `#[serde(default)]`. The message quotes `options`.
pub(crate) fn require_serde_default(
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
