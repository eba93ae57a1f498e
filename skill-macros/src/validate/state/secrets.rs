//! The secrets of a struct: their keys in the JSON, and the output of `Debug`.

use crate::errors::Errors;
use crate::messages;
use crate::validate::state::serde_names::{Keys, Renaming};
use crate::validate::{report_at, serde_metas};
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Attribute, Field, Meta};

/// The secrets of a struct, at least one.
pub(crate) struct Secrets {
    /// The span of the first `secret`. rustc reports a second `impl Debug` there.
    pub(crate) span: Span,
    /// The paths of the secrets in the JSON.
    pub(crate) paths: Vec<String>,
    /// All fields, for `Debug`.
    pub(crate) fields: Vec<Shown>,
}

/// A field in the output of `Debug`.
pub(crate) struct Shown {
    pub(crate) ident: Ident,
    /// The type's span. rustc reports a missing `Debug` there.
    pub(crate) ty: Span,
    pub(crate) is_secret: bool,
}

/// Returns the secrets of a struct with the attributes `attrs`. Each field comes with the span of its option `secret`.
pub(crate) fn of_fields<'a>(
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
            let keys = keys(field, &ident, &renaming).into_iter();
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

/// Returns the path of a key at the root.
pub(crate) fn path(key: &str) -> String {
    skill_agent_grammar::join("", key)
}

/// A secret must have its own key.
pub(crate) fn not_flattened(field: &Field, secret: Option<Span>, errors: &mut Errors) {
    let metas = serde_metas(&field.attrs);
    if let Some(span) = secret
        && metas.iter().any(|meta| meta.path().is_ident("flatten"))
    {
        report_at(messages::flattened_secret(), span, errors);
    }
}

/// Returns a field's keys. A secret may be sent under any of them.
fn keys(field: &Field, ident: &Ident, renaming: &Renaming) -> Vec<String> {
    let is_skipped = |meta: &Meta| meta.path().is_ident("skip");
    if serde_metas(&field.attrs).iter().any(is_skipped) {
        return Vec::new();
    }
    Keys::of(ident, &field.attrs, renaming).into_distinct()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_is_no_plain_name_is_quoted_in_the_path() {
        assert_eq!(path("api-key"), "api-key");
        assert_eq!(path("api.key"), "[\"api.key\"]");
    }
}
