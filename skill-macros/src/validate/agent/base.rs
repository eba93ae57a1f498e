//! The rules for base fields.

use super::super::action::Arg;
use super::super::{report, report_at, serde_metas};
use super::Base;
use crate::errors::Errors;
use crate::messages;
use crate::names;
use crate::parse::agent::{BaseField, BaseFieldOptions};
use crate::parse::docs::{self, Docs};
use crate::parse::options::{self, Read};
use crate::parse::values::metas_of;
use crate::validate::state::secrets;
use crate::validate::state::secrets::{Secrets, Shown};
use crate::validate::state::serde_names;
use crate::validate::state::{read_back, shared};
use proc_macro2::Span;
use std::collections::BTreeMap;
use syn::spanned::Spanned;
use syn::{Attribute, Meta};

/// Base fields must have different keys. Their only serde attribute may be `rename`, because the macro must know the key.
pub(super) fn base_fields(fields: Vec<BaseField>, errors: &mut Errors) -> Vec<Base> {
    let mut keys: BTreeMap<String, Span> = BTreeMap::new();
    let mut list = Vec::new();
    for field in fields {
        let mut key = names::plain(&field.ident);
        let secret = secret(&field, errors);
        read_back::option_of_option(&field.ty, errors);
        shared::check(&field.ty, errors);
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
            list.push(base_field(field, key, secret));
        }
    }
    list
}

fn base_field(field: BaseField, key: String, secret: Option<Span>) -> Base {
    let ours = ["doc", "serde", "skill"];
    let is_ours = |attr: &Attribute| ours.iter().any(|name| attr.path().is_ident(name));
    Base {
        arg: Arg {
            docs: docs::attributes(&field.attrs).cloned().collect(),
            description: docs::text(&field.attrs).unwrap_or(Docs::NONE),
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
        secret,
        attrs: field
            .attrs
            .into_iter()
            .filter(|attr| !is_ours(attr))
            .collect(),
    }
}

/// Returns the span of a base field's option `secret`, even if it could not be parsed.
fn secret(field: &BaseField, errors: &mut Errors) -> Option<Span> {
    let metas = metas_of("skill", &field.attrs, errors).0;
    let options: Read<BaseFieldOptions> = options::read(metas, errors);
    let attempted = options.attempts("secret").then(|| field.ident.span());
    options.secret.map(|word| word.0).or(attempted)
}

/// Returns the secrets among the base fields.
pub(super) fn secrets(fields: &[Base]) -> Option<Secrets> {
    let span = fields.iter().find_map(|field| field.secret)?;
    let secret = fields.iter().filter(|field| field.secret.is_some());
    Some(Secrets {
        span,
        paths: secret.map(|field| secrets::path(&field.arg.name)).collect(),
        fields: fields
            .iter()
            .map(|field| Shown {
                ident: field.arg.ident.clone(),
                ty: field.arg.ty.span(),
                is_secret: field.secret.is_some(),
            })
            .collect(),
    })
}

fn renamed(meta: &Meta) -> Option<String> {
    serde_names::text(meta).filter(|_| meta.path().is_ident("rename"))
}
