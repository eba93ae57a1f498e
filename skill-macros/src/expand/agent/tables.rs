//! The tables of an agent and the checks over them, all in `static`s: a list that a thousand items mention is copied into
//! each of them when it is a `const`.

use super::super::literals::{set, set_list, type_path};
use super::instance;
use super::skills::prefixed_name;
use crate::validate::agent::{Agent, ListedSkill};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

pub(super) fn expand(agent: &Agent) -> TokenStream {
    let (skills, slots) = (skills(agent), slots(agent));
    let (tables, checks) = (tables(agent), checks(agent));
    quote!(#skills #slots #tables #checks)
}

/// The specs; the agent itself stands first.
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
        quote_spanned!(skill.span=> #(#cfg)* #at::listed_spec::<#instance>(#names))
    });
    quote! {
        static __SKILLS: &[#p::SkillSpec] = &[
            #p::listed_spec::<#ident, #base, 0>(""),
            #(#specs,)*
        ];
    }
}

/// The functions of each skill, in the same order.
fn slots(agent: &Agent) -> TokenStream {
    let Agent {
        paths: p,
        ident,
        base,
        ..
    } = agent;
    let slots = agent.skills.iter().map(|skill| {
        let (cfg, at, instance) = (&skill.cfg, p.at(skill.span), instance(agent, skill));
        quote_spanned!(skill.span=> #(#cfg)* #at::slot::<#instance>())
    });
    quote! {
        static __SLOTS: &[#p::SlotVtable<#ident>] = &[
            #p::base_slot::<#ident, #base>(),
            #(#slots,)*
        ];
    }
}

/// What the macro cannot see: every skill is examined against the others, and told of at its own token.
fn checks(agent: &Agent) -> TokenStream {
    let p = &agent.paths;
    let told = agent.skills.iter().enumerate().filter(|_| !agent.is_broken);
    let tells = told.map(|(index, skill)| {
        let (cfg, at) = (&skill.cfg, p.at(skill.span));
        let index = place(agent, index, skill);
        quote_spanned! {skill.span=>
            #(#cfg)*
            const _: () = #at::report(&__TABLES, &__FLAGS, #index);
        }
    });
    quote! {
        static __FLAGS: [#p::Flags; __SKILLS.len()] = #p::examine::<
            { __SKILLS.len() },
            { #p::capacity(2 * __SKILLS.len()) },
            { #p::capacity(#p::action_count(__SKILLS)) },
            { #p::route_capacity(__SKILLS) },
        >(&__TABLES);
        #(#tells)*
    }
}

/// The place in the list; rustc counts where `#[cfg]` decides who is in it.
fn place(agent: &Agent, index: usize, skill: &ListedSkill) -> TokenStream {
    if agent.skills.iter().all(|skill| skill.cfg.is_empty()) {
        let place = index + 1;
        return quote!(#place);
    }
    let (at, instance) = (agent.paths.at(skill.span), instance(agent, skill));
    quote_spanned!(skill.span=> #at::index_of::<#instance>(__SKILLS))
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
    quote! {
        static __STORAGE: #p::TableStorage<
            { #p::action_count(__SKILLS) },
            { #p::tool_count(__SKILLS) },
            { #p::capacity(#p::action_count(__SKILLS)) },
        > = #p::TableStorage::new(__SKILLS);
        static __SCHEMA: #p::OnceLock<#p::schemars::Schema> = #p::OnceLock::new();
        static __TABLES: #p::AgentTables =
            __STORAGE.tables(__SKILLS, &[#(#keys),*], &__SCHEMA) #mountable #documents;
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
    quote!(#p::AgentSpec::new(#name) #type_path #(#texts)*)
}
