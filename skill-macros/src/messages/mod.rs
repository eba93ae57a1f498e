//! All messages of the macros, in one style: in lower case, without a full stop, with the mistake and a suggested fix.

mod action;
mod agent;
#[cfg(feature = "manifest")]
mod document;
#[cfg(feature = "manifest")]
mod document_path;
mod grammar;
mod options;
mod resources;
mod skill;
mod skill_manifest;
mod structs;

pub(crate) use action::*;
pub(crate) use agent::*;
#[cfg(feature = "manifest")]
pub(crate) use document::*;
#[cfg(feature = "manifest")]
pub(crate) use document_path::*;
pub(crate) use grammar::*;
pub(crate) use options::*;
pub(crate) use resources::*;
pub(crate) use skill::*;
pub(crate) use skill_manifest::*;
pub(crate) use structs::*;

/// Formats a type without unnecessary spaces, such as `dyn Api + Sync`.
pub(crate) fn written(ty: &impl quote::ToTokens) -> String {
    let text = ty.to_token_stream().to_string();
    text.replace(" :: ", "::")
        .replace(" <", "<")
        .replace("< ", "<")
        .replace(" >", ">")
        .replace(" ,", ",")
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// Returns the most similar known name, or `None` if no name is similar.
pub(crate) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    skill_agent_grammar::nearest(name, known.iter().copied())
}
