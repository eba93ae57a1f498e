//! The rules for attributes on an agent.

use super::super::report;
use crate::errors::Errors;
use crate::messages;
use syn::punctuated::Punctuated;
use syn::{Attribute, Path, Token};

/// The derives that `agent!` writes itself, or that make no sense on an agent.
const OWN_DERIVES: &[&str] = &[
    "Default",
    "Serialize",
    "Deserialize",
    "JsonSchema",
    "Copy",
    "Skill",
];

/// Splits the attributes into two groups: attributes only for the agent, and attributes for both the agent and its state. Removes
/// `Clone` from the derives, because the macro always writes it.
pub(super) fn attributes(
    attrs: &[Attribute],
    errors: &mut Errors,
) -> (Vec<Attribute>, Vec<Attribute>) {
    let (docs, rest): (Vec<_>, Vec<_>) = attrs
        .iter()
        .cloned()
        .partition(|attr| attr.path().is_ident("doc"));
    let mut shared = Vec::new();
    for attr in rest {
        if attr.path().is_ident("serde") || attr.path().is_ident("schemars") {
            report(messages::agent_serde(), attr.path(), errors);
        } else if attr.path().is_ident("skill") {
            report(messages::agent_skill(), attr.path(), errors);
        } else if attr.path().is_ident("derive") {
            shared.extend(derives(&attr, errors));
        } else {
            shared.push(attr);
        }
    }
    (docs, shared)
}

type Paths = Punctuated<Path, Token![,]>;

/// Removes `Debug` from the derives, for a struct whose `Debug` the macro implements.
pub(super) fn without_debug(attrs: &[Attribute]) -> Vec<Attribute> {
    let kept = attrs.iter().filter_map(|attr| {
        if !attr.path().is_ident("derive") {
            return Some(attr.clone());
        }
        let paths = attr.parse_args_with(Paths::parse_terminated).ok()?;
        let is_debug = |path: &Path| {
            path.segments
                .last()
                .is_some_and(|last| last.ident == "Debug")
        };
        derive_of(paths.into_iter().filter(|path| !is_debug(path)))
    });
    kept.collect()
}

/// Creates a derive of these traits, or returns `None` if there are no traits.
fn derive_of(paths: impl Iterator<Item = Path>) -> Option<Attribute> {
    let paths: Vec<Path> = paths.collect();
    (!paths.is_empty()).then(|| syn::parse_quote!(#[derive(#(#paths),*)]))
}

fn derives(attr: &Attribute, errors: &mut Errors) -> Option<Attribute> {
    let paths = match attr.parse_args_with(Paths::parse_terminated) {
        Ok(paths) => paths,
        Err(error) => {
            errors.push(error);
            return None;
        }
    };
    let mut kept = Vec::new();
    for path in paths {
        let Some(last) = path.segments.last() else {
            continue;
        };
        if OWN_DERIVES.iter().any(|own| last.ident == own) {
            report(
                messages::agent_derives(&last.ident.to_string()),
                &path,
                errors,
            );
        } else if last.ident != "Clone" {
            kept.push(path);
        }
    }
    derive_of(kept.into_iter())
}
