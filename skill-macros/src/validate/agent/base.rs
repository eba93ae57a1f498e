//! The rules of the base fields.

use super::super::action::Arg;
use super::super::{report, report_at, serde_metas};
use super::Base;
use crate::errors::Errors;
use crate::messages;
use crate::names;
use crate::parse::agent::BaseField;
use crate::parse::docs;
use proc_macro2::Span;
use std::collections::BTreeMap;
use syn::{Attribute, Expr, Lit, Meta};

/// Base fields have different keys. Their only attribute of serde is `rename`, since the macro has to know the key.
pub(super) fn base_fields(fields: Vec<BaseField>, errors: &mut Errors) -> Vec<Base> {
    let mut keys: BTreeMap<String, Span> = BTreeMap::new();
    let mut list = Vec::new();
    for field in fields {
        let mut key = names::plain(&field.ident);
        for meta in serde_metas(&field.attrs) {
            match renamed(&meta) {
                Some(name) => key = name,
                None if meta.path().is_ident("flatten") => {
                    report(messages::flattened("the state"), meta.path(), errors);
                }
                None => report(messages::base_field_attribute(), meta.path(), errors),
            }
        }
        let same_ident = list
            .iter()
            .any(|other: &Base| other.arg.ident == field.ident);
        if let Some(first) = keys.insert(key.clone(), field.ident.span()) {
            report_at(messages::listed_here(&key), first, errors);
            report(messages::base_field_twice(&key), &field.ident, errors);
        } else if same_ident {
            report(
                messages::base_field_twice(&field.ident.to_string()),
                &field.ident,
                errors,
            );
        } else {
            list.push(base_field(field, key));
        }
    }
    list
}

fn base_field(field: BaseField, key: String) -> Base {
    let is_ours = |attr: &Attribute| attr.path().is_ident("doc") || attr.path().is_ident("serde");
    Base {
        arg: Arg {
            docs: docs::attributes(&field.attrs).cloned().collect(),
            description: docs::text(&field.attrs).unwrap_or_default(),
            ident: field.ident,
            ty: field.ty,
            name: key,
            default: Some(field.default),
            range: None,
            length: None,
            pattern: None,
            examples: Vec::new(),
            serde: Vec::new(),
        },
        vis: field.vis,
        attrs: field
            .attrs
            .into_iter()
            .filter(|attr| !is_ours(attr))
            .collect(),
    }
}

fn renamed(meta: &Meta) -> Option<String> {
    match meta {
        Meta::NameValue(pair) if pair.path.is_ident("rename") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
