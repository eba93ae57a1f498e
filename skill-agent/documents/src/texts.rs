//! Checks tool names in an agent's documents and in the instructions of its skills.

use super::catalog::{emit, reports_warnings};
use super::{Diagnostic, Documents, SkillDoc, misspelled_tools};
use crate::tool::names::CATALOG_TOOLS;
use skill_core::{ActionSpec, SkillSpec};
use skill_core::{Agent, Mountable};
use std::collections::BTreeSet;

/// Returns a warning for each word in backticks that looks like a misspelled tool name. Considers the tools of the agent, of its
/// mountable skills, and of a catalog. The diagnostic's path is the document's id or the skill's name.
pub fn misspelled_tools_of<G: Agent>() -> Vec<Diagnostic> {
    Texts::of::<G>().misspelled_tools()
}

/// Emits the warnings of [`misspelled_tools_of`] as events. A server calls this when it starts.
pub fn warn_of_misspelled_tools<G: Agent>() {
    if reports_warnings() {
        emit(&misspelled_tools_of::<G>());
    }
}

/// An agent's documents, skills and actions. The type is not generic, so that the code that reads it is compiled once.
struct Texts {
    docs: Vec<&'static SkillDoc>,
    skills: &'static [SkillSpec],
    mountable: Vec<&'static SkillSpec>,
    actions: &'static [ActionSpec],
}

impl Texts {
    fn of<G: Agent>() -> Self {
        let mountable = G::__mountable().unwrap_or_default();
        Self {
            docs: G::documents().collect(),
            skills: G::skills(),
            mountable: mountable.iter().map(Mountable::spec).collect(),
            actions: G::actions(),
        }
    }

    fn misspelled_tools(&self) -> Vec<Diagnostic> {
        // The listed documents and the skills' instructions, with their names.
        let docs = self.docs.iter().map(|doc| (&*doc.id, &*doc.body));
        let skills = self.skills.iter();
        let instructions = skills.filter_map(|spec| Some((spec.name, spec.instructions?)));
        let texts: Vec<_> = docs.chain(instructions).collect();
        if texts.is_empty() {
            return Vec::new();
        }
        let names = self.names_of_skills();
        let mut tools: Vec<&str> = self.tools().map(|action| action.name).collect();
        tools.extend(CATALOG_TOOLS);
        let check = |known: &[&str]| -> Vec<Diagnostic> {
            let found = texts.iter().flat_map(|(path, text)| {
                let found = misspelled_tools(text, &tools, known).into_iter();
                found.map(|mut found| {
                    // a position in the text is not a position in the file
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
        // only words that look misspelled need the schemas, which are created on first use
        let arguments = self.tools().flat_map(argument_names);
        let known: Vec<&str> = names.into_iter().chain(arguments).collect();
        check(&known)
    }

    /// Returns the actions that are tools, of the agent and of the skills that it may mount.
    fn tools(&self) -> impl Iterator<Item = &'static ActionSpec> {
        let mountable = self.mountable.iter().flat_map(|spec| spec.actions);
        let actions = self.actions.iter().chain(mountable);
        actions.filter(|action| !action.internal)
    }

    /// Returns the names of skills and documents. They often resemble the names of tools.
    fn names_of_skills(&self) -> Vec<&'static str> {
        let skills = self.skills.iter().chain(self.mountable.iter().copied());
        let names = skills.flat_map(|spec| [spec.name, spec.declared_name(), spec.state_key]);
        let docs = self.docs.iter().map(|doc| &*doc.id);
        let names: BTreeSet<&str> = names.chain(docs).collect();
        names.into_iter().collect()
    }
}

fn argument_names(action: &'static ActionSpec) -> impl Iterator<Item = &'static str> {
    let properties = action.input_schema()["properties"].as_object();
    properties
        .into_iter()
        .flat_map(|properties| properties.keys().map(String::as_str))
}
