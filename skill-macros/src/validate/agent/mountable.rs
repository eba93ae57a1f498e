//! The rules for the list `mounted`: the skills that may be mounted at run time.

use super::super::{compact_text, report, report_at};
use super::Base;
use super::skills::{module, names_dyn};
use crate::conditions::is_cfg;
use crate::errors::Errors;
use crate::messages;
use crate::names;
use crate::parse::agent::SkillEntry;
use proc_macro2::Span;
use std::collections::BTreeMap;
use syn::{Attribute, Path};

/// A skill in the list `mounted`.
pub(crate) struct Mountable {
    pub(crate) cfg: Vec<Attribute>,
    pub(crate) path: Path,
    pub(crate) span: Span,
}

/// A mountable skill must be listed once, without an alias and without a configuration.
pub(super) fn mountable(
    entries: Option<Vec<SkillEntry>>,
    fields: &[Base],
    errors: &mut Errors,
) -> Option<Vec<Mountable>> {
    let entries = entries?;
    no_such_field(fields, errors);
    let mut seen: BTreeMap<String, Path> = BTreeMap::new();
    let mut list = Vec::new();
    for mut entry in entries {
        let path = compact_text(&entry.path);
        if let Some(alias) = &entry.alias {
            report(messages::mounted_alias(&path), alias, errors);
        }
        if let Some(field) = entry.config.first() {
            report(messages::mounted_config(&path), &field.ident, errors);
        }
        entry.attrs.retain(|attr| {
            let is_cfg = is_cfg(attr);
            if !is_cfg {
                report(messages::entry_attribute(), attr.path(), errors);
            }
            is_cfg
        });
        if names_dyn(&entry.path) {
            report(messages::dyn_skill(), &entry.path, errors);
        } else if let Some(word) = module(&entry.path) {
            report(messages::module_as_skill(&word), &entry.path, errors);
        } else if let Some(first) = seen.get(&path).filter(|_| entry.attrs.is_empty()) {
            report(messages::skill_here(&path), first, errors);
            report(messages::mounted_twice(&path), &entry.path, errors);
        } else if let Some(last) = entry.path.segments.last() {
            let span = last.ident.span();
            if entry.attrs.is_empty() {
                seen.insert(path, entry.path.clone());
            }
            list.push(Mountable {
                cfg: entry.attrs,
                path: entry.path,
                span,
            });
        }
    }
    Some(list)
}

/// No base field may have the key of the mounted skills.
fn no_such_field(fields: &[Base], errors: &mut Errors) {
    for field in fields {
        let ident = &field.arg.ident;
        if field.arg.name == "skills" || names::plain(ident) == "skills" {
            report_at(messages::field_is_mounted("skills"), ident.span(), errors);
        }
    }
}
