//! Generates an agent's tables and their checks, all in `static`s. A `const` list would be copied into each item that mentions
//! it, and there can be a thousand such items.

use super::skills::prefixed_name;
use super::{effects, instance};
use crate::expand::constraints::literals::{set, set_list, type_path};
use crate::paths::end_of;
use crate::validate::agent::{Agent, ListedSkill};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

pub(super) fn expand(agent: &Agent) -> TokenStream {
    let (skills, slots) = (skills(agent), slots(agent));
    let (tables, checks) = (tables(agent), checks(agent));
    let instructions = super::instructions::expand(agent);
    quote!(#skills #instructions #slots #tables #checks)
}

/// Generates the specs of the agent and of its skills, in this order. `__SKILLS` contains the same specs, but with the agent's
/// rendered instructions.
fn skills(agent: &Agent) -> TokenStream {
    let Agent {
        paths: p,
        ident,
        base,
        ..
    } = agent;
    let specs = agent.skills.iter().enumerate().map(|(index, skill)| {
        let (cfg, at, instance) = (&skill.cfg, p.at(skill.span), instance(agent, skill));
        let names = match skill.alias {
            Some(_) => {
                let name = prefixed_name(index);
                quote!(#at::text(&#name))
            }
            None => quote!(""),
        };
        let deferred = skill.is_deferred.then(|| quote!(.__deferred()));
        quote_spanned!(end_of(skill.span)=> #(#cfg)* #at::listed_spec::<#instance>(#names) #deferred)
    });
    quote! {
        static __WRITTEN: &[#p::SkillSpec] = &[
            #p::listed_spec::<#ident, #base, 0>(""),
            #(#specs,)*
        ];
    }
}

/// Generates the slots, in the same order.
fn slots(agent: &Agent) -> TokenStream {
    let Agent {
        paths: p,
        ident,
        base,
        ..
    } = agent;
    let slots = agent.skills.iter().map(|skill| {
        let (cfg, at, instance) = (&skill.cfg, p.at(skill.span), instance(agent, skill));
        quote_spanned!(end_of(skill.span)=> #(#cfg)* #at::slot::<#instance>())
    });
    quote! {
        static __SLOTS: &[#p::Slot<#ident>] = &[
            #p::slot::<#ident, #base, 0>(),
            #(#slots,)*
        ];
    }
}

/// Generates the composition checks that the macro cannot do itself. The checks compare each skill with the others, and report
/// errors at the skill's token.
fn checks(agent: &Agent) -> TokenStream {
    let p = &agent.paths;
    let checked = agent.skills.iter().enumerate().filter(|_| !agent.is_broken);
    let reports = checked.map(|(index, skill)| {
        let (cfg, at) = (&skill.cfg, p.at(skill.span));
        let index = spec_index(agent, index, skill);
        quote_spanned! {end_of(skill.span)=>
            #(#cfg)*
            const _: () = #at::report(&__TABLES, &__CHECKED, #index);
        }
    });
    quote! {
        static __CHECKED: #p::CheckedSkills<
            { __TABLES.members() },
            { #p::route_capacity(__SKILLS) },
        > = #p::examine::<_, { #p::capacity(__TABLES.members()) }, _>(&__TABLES);
        #(#reports)*
    }
}

/// Generates a skill's index in `__SKILLS`. If any skill has a `#[cfg]`, rustc must find the index.
fn spec_index(agent: &Agent, index: usize, skill: &ListedSkill) -> TokenStream {
    if agent.skills.iter().all(|skill| skill.cfg.is_empty()) {
        let index = index + 1;
        return quote!(#index);
    }
    let (at, instance) = (agent.paths.at(skill.span), instance(agent, skill));
    quote_spanned!(end_of(skill.span)=> #at::index_of::<#instance>(__SKILLS))
}

fn tables(agent: &Agent) -> TokenStream {
    let p = &agent.paths;
    let keys = agent.fields.iter().map(|field| &field.arg.name);
    let mountable = agent
        .mountable
        .as_ref()
        .map(|_| quote!(.mountable(&__MOUNTABLE_SPECS)));
    let documents = agent
        .documents
        .as_ref()
        .map(|_| quote!(.documents(&__DOCUMENTS)));
    let spec = effects::table_spec(agent);
    quote! {
        static __STORAGE: #p::TableStorage<
            { #p::action_count(__SKILLS) },
            { #p::tool_count(__SKILLS) },
            { #p::capacity(#p::action_count(__SKILLS)) },
        > = #p::TableStorage::new(__SKILLS);
        static __SCHEMA: #p::OnceLock<#p::schemars::Schema> = #p::OnceLock::new();
        static __TABLES: #p::AgentTables =
            __STORAGE.tables(__SKILLS, &[#(#keys),*], &__SCHEMA) #spec #mountable #documents;
    }
}

pub(super) fn agent_spec(agent: &Agent) -> TokenStream {
    let Agent {
        paths: p,
        ident,
        name,
        ..
    } = agent;
    let type_path = type_path(p, ident);
    let texts = [
        set("description", &agent.description),
        set("version", &agent.version),
        set("category", &agent.category),
        set_list("tags", &agent.tags),
    ];
    let texts = texts.iter().flatten();
    let rules = effects::rules(agent);
    quote!(#p::AgentSpec::new(#name) #type_path #(#texts)* #rules)
}
