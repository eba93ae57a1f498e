//! The macros of `skill-core` and `skill-agent`, which re-export them.
//!
//! Each macro has two entry points, which differ in the beginning of generated paths. The path is `::skill_agent::core` for entry
//! points with `__Agent` or `__agent_` in their name, and `::skill_core` for the others. `include_skill!` and `include_skills!`
//! have only one entry point, because only `skill-agent` has documents.
//!
//! Every macro works in three steps, each in its own folder. `parse` keeps the user's tokens. `validate` reports all mistakes of
//! an item and is the only constructor of the models. `expand` takes a model and cannot fail. `pipeline` connects the steps.
#![forbid(unsafe_code)]

mod conditions;
mod edition;
mod errors;
mod expand;
mod messages;
mod names;
mod parse;
mod paths;
mod pipeline;
#[cfg(test)]
mod tests;
mod validate;

use paths::Root;
use proc_macro::TokenStream;

#[doc = include_str!("docs/skill.md")]
#[proc_macro_derive(Skill, attributes(skill))]
pub fn derive_skill(input: TokenStream) -> TokenStream {
    pipeline::skill(input.into(), Root::Core).into()
}

#[doc = include_str!("docs/configuration.md")]
#[proc_macro_derive(SkillConfig, attributes(skill))]
pub fn derive_skill_config(input: TokenStream) -> TokenStream {
    pipeline::configuration(input.into(), Root::Core).into()
}

#[doc = include_str!("docs/action.md")]
#[proc_macro_attribute]
pub fn action(options: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::action(options.into(), item.into(), Root::Core).into()
}

#[doc = include_str!("docs/agent.md")]
#[proc_macro]
pub fn agent(input: TokenStream) -> TokenStream {
    pipeline::agent(input.into(), Root::Core).into()
}

#[doc = include_str!("docs/resources.md")]
#[proc_macro_derive(Resources, attributes(resources))]
pub fn derive_resources(input: TokenStream) -> TokenStream {
    pipeline::resources(input.into(), Root::Core).into()
}

#[doc = include_str!("docs/include_skill.md")]
#[cfg(feature = "manifest")]
#[proc_macro]
pub fn include_skill(input: TokenStream) -> TokenStream {
    pipeline::include(input.into(), parse::include::Kind::File).into()
}

#[doc = include_str!("docs/include_skills.md")]
#[cfg(feature = "manifest")]
#[proc_macro]
pub fn include_skills(input: TokenStream) -> TokenStream {
    pipeline::include(input.into(), parse::include::Kind::Folder).into()
}

#[doc = include_str!("docs/skill.md")]
#[proc_macro_derive(__AgentSkill, attributes(skill))]
pub fn agent_derive_skill(input: TokenStream) -> TokenStream {
    pipeline::skill(input.into(), Root::Agent).into()
}

#[doc = include_str!("docs/configuration.md")]
#[proc_macro_derive(__AgentSkillConfig, attributes(skill))]
pub fn agent_derive_skill_config(input: TokenStream) -> TokenStream {
    pipeline::configuration(input.into(), Root::Agent).into()
}

#[doc = include_str!("docs/action.md")]
#[proc_macro_attribute]
pub fn __agent_action(options: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::action(options.into(), item.into(), Root::Agent).into()
}

#[doc = include_str!("docs/agent.md")]
#[proc_macro]
pub fn __agent_agent(input: TokenStream) -> TokenStream {
    pipeline::agent(input.into(), Root::Agent).into()
}

#[doc = include_str!("docs/resources.md")]
#[proc_macro_derive(__AgentResources, attributes(resources))]
pub fn agent_derive_resources(input: TokenStream) -> TokenStream {
    pipeline::resources(input.into(), Root::Agent).into()
}
