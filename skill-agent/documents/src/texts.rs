//! Checks tool names in an agent's documents and in its skills' instructions.

use super::catalog::{emit, reports_warnings};
use super::{Diagnostic, Documents, misspelled_tools};
use crate::tool::names::CATALOG_TOOLS;
use skill_core::Agent;
use skill_core::{ActionSpec, SkillSpec};
use std::collections::BTreeSet;

/// Returns a warning for each word in backticks that looks like a misspelled name of a tool: a tool of the agent, of a mountable
/// skill, or of a catalog. The diagnostic's path is the document's id or the skill's name.
pub fn misspelled_tools_of<G: Agent>() -> Vec<Diagnostic> {
    let texts: Vec<_> = texts_of::<G>().collect();
    if texts.is_empty() {
        return Vec::new();
    }
    let names = names_of_skills::<G>();
    let mut tools: Vec<&str> = tools_of::<G>().map(|action| action.name).collect();
    tools.extend(CATALOG_TOOLS);
    let check = |known: &[&str]| -> Vec<Diagnostic> {
        let found = texts.iter().flat_map(|(path, text)| {
            let found = misspelled_tools(text, &tools, known).into_iter();
            found.map(|mut found| {
                // the text is only part of the file
                (found.line, found.column) = (None, None);
                found.with_path(*path)
            })
        });
        found.collect()
    };
    let found = check(&names);
    if found.is_empty() {
        return found;
    }
    // schemas are created on first use, which most agents do not need
    let arguments = tools_of::<G>().flat_map(argument_names);
    let known: Vec<&str> = names.into_iter().chain(arguments).collect();
    check(&known)
}

/// Emits these warnings as events when a server starts.
pub fn warn_of_misspelled_tools<G: Agent>() {
    if reports_warnings() {
        emit(&misspelled_tools_of::<G>());
    }
}

/// Returns the agent's listed documents and its skills' instructions, with their names.
fn texts_of<G: Agent>() -> impl Iterator<Item = (&'static str, &'static str)> {
    let docs = G::documents().map(|doc| (&*doc.id, &*doc.body));
    let skills = G::skills().iter();
    docs.chain(skills.filter_map(|spec| Some((spec.name, spec.instructions?))))
}

/// Returns the actions that are tools, of the agent and of the skills that it may mount.
fn tools_of<G: Agent>() -> impl Iterator<Item = &'static ActionSpec> {
    let actions = G::actions()
        .iter()
        .chain(mountable::<G>().flat_map(|spec| spec.actions));
    actions.filter(|action| !action.internal)
}

fn mountable<G: Agent>() -> impl Iterator<Item = &'static SkillSpec> {
    let mountable = G::__mountable().unwrap_or_default().iter();
    mountable.map(|entry| entry.spec())
}

/// Returns the names of skills, which often resemble their tools.
fn names_of_skills<G: Agent>() -> Vec<&'static str> {
    let skills = G::skills().iter().chain(mountable::<G>());
    let names = skills.flat_map(|spec| [spec.name, spec.declared_name(), spec.state_key]);
    let docs = G::documents().map(|doc| &*doc.id);
    let names: BTreeSet<&str> = names.chain(docs).collect();
    names.into_iter().collect()
}

fn argument_names(action: &'static ActionSpec) -> impl Iterator<Item = &'static str> {
    let properties = action.input_schema()["properties"].as_object();
    properties
        .into_iter()
        .flat_map(|properties| properties.keys().map(String::as_str))
}
