//! Checks that serde reads what it writes. A skill's state is stored, and a state that cannot be read back is lost.
//!
//! These rules check only the skill's own fields. Nested types are checked when a state is written.

use crate::errors::Errors;
use crate::messages;
use crate::parse::skill::SkillInput;
use crate::validate::state::serde_names::{Keys, Renaming, text};
use crate::validate::{compact_text, report, serde_metas};
use syn::visit::{self, Visit};
use syn::{Attribute, Field, GenericArgument, Meta, PathArguments, Type, TypePath};

/// The serde attributes that keep a field out of the JSON, in one or both directions.
const SKIPS: [&str; 3] = ["skip", "skip_serializing", "skip_deserializing"];

/// The serde attributes that make a struct read or write a different type.
const CONVERSIONS: [&str; 3] = ["from", "into", "try_from"];

/// Every field of a skill must be read as it was written.
pub(crate) fn check(input: &SkillInput, errors: &mut Errors) {
    let attrs = &input.item.attrs;
    let is_converted = CONVERSIONS.iter().any(|name| has(attrs, name));
    for (field, _) in &input.fields {
        if !skipped(field, errors) && !is_converted {
            left_out(field, has(attrs, "default"), errors);
            nested_options(field, errors);
        }
    }
    if !is_converted {
        one_way_names(input, errors);
    }
}

/// An `Option` must not contain an `Option`, because both are `null` in JSON.
pub(crate) fn option_of_option(ty: &Type, errors: &mut Errors) {
    struct Find<'e>(&'e mut Errors);
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_type_path(&mut self, path: &'ast TypePath) {
            match content_of_option(path).filter(|content| is_option(content)) {
                Some(content) => {
                    let message = messages::option_of_option(&compact_text(content));
                    report(message, path, self.0);
                }
                None => visit::visit_type_path(self, path),
            }
        }
    }
    Find(errors).visit_type(ty);
}

/// A field must not be skipped. Returns whether this field is skipped.
fn skipped(field: &Field, errors: &mut Errors) -> bool {
    let metas = serde_metas(&field.attrs);
    let is_skip = |meta: &&Meta| SKIPS.iter().any(|skip| meta.path().is_ident(skip));
    let skip = metas.iter().find(is_skip);
    if let Some(skip) = skip {
        report(messages::skipped(), skip.path(), errors);
    }
    skip.is_some()
}

/// A field that may be left out must have a default.
fn left_out(field: &Field, struct_has_default: bool, errors: &mut Errors) {
    let metas = serde_metas(&field.attrs);
    let is_condition = |meta: &&Meta| meta.path().is_ident("skip_serializing_if");
    let Some(condition) = metas.iter().find(is_condition) else {
        return;
    };
    // serde's derive reads a missing `Option` as `None`
    let is_none = text(condition).is_some_and(|condition| condition.ends_with("Option::is_none"));
    let is_read_as_none = is_none && is_option(&field.ty) && !has_reader(field);
    if !struct_has_default && !has(&field.attrs, "default") && !is_read_as_none {
        let name = field.ident.as_ref().map(ToString::to_string);
        let message = messages::left_out(&name.unwrap_or_default());
        report(message, condition.path(), errors);
    }
}

/// An `Option` of an `Option` must have a custom reader.
fn nested_options(field: &Field, errors: &mut Errors) {
    if !has_reader(field) {
        option_of_option(&field.ty, errors);
    }
}

/// A field must be read under the name that it is written under. An alias for the written name is not enough, because the schema
/// contains only the name for reading.
fn one_way_names(input: &SkillInput, errors: &mut Errors) {
    let attrs = &input.item.attrs;
    let renaming = Renaming::of(attrs);
    let mut of_struct = metas_named(attrs, "rename_all").into_iter().next();
    for (field, _) in &input.fields {
        let Some(ident) = &field.ident else {
            continue;
        };
        let keys = Keys::of(ident, &field.attrs, &renaming);
        if keys.written == keys.read {
            continue;
        }
        let (name, Keys { written, read, .. }) = (ident.to_string(), &keys);
        if let Some(meta) = metas_named(&field.attrs, "rename").first() {
            let message = messages::one_way_name(&name, written, read);
            report(message, meta.path(), errors);
        } else if let Some(meta) = of_struct.take() {
            // a single mistake on the struct affects many fields
            let rule = renaming.rule().unwrap_or_default();
            let message = messages::one_way_rule(&name, written, read, rule);
            report(message, meta.path(), errors);
        }
    }
}

/// Returns whether the user's function reads the field.
fn has_reader(field: &Field) -> bool {
    has(&field.attrs, "with") || has(&field.attrs, "deserialize_with")
}

fn has(attrs: &[Attribute], name: &str) -> bool {
    !metas_named(attrs, name).is_empty()
}

/// Returns the serde metas with the given name.
fn metas_named(attrs: &[Attribute], name: &str) -> Vec<Meta> {
    let mut metas = serde_metas(attrs);
    metas.retain(|meta| meta.path().is_ident(name));
    metas
}

fn is_option(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => content_of_option(path).is_some(),
        Type::Group(group) => is_option(&group.elem),
        Type::Paren(paren) => is_option(&paren.elem),
        _ => false,
    }
}

/// Returns the `T` of an `Option<T>`. A user's type named `Option` without a parameter is ignored, and aliases are not
/// recognized.
fn content_of_option(path: &TypePath) -> Option<&Type> {
    let segments = &path.path.segments;
    let names: Vec<String> = segments.iter().map(|one| one.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    if !matches!(names[..], ["Option"] | ["std" | "core", "option", "Option"]) {
        return None;
    }
    let PathArguments::AngleBracketed(list) = &segments.last()?.arguments else {
        return None;
    };
    match list.args.first()? {
        GenericArgument::Type(content) => Some(content),
        _ => None,
    }
}
