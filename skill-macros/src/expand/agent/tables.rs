//! The tables of an agent and the checks over them, all in `static`s: a list that a thousand items mention is copied into
//! each of them when it is a `const`.

use super::super::literals::{set, set_list, type_path};
use super::instance;
use super::skills::prefixed_name;
use crate::validate::agent::{Agent, ListedSkill};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

pub(super) fn expand(agent: &Agent) -> TokenStream {
    let (skills, slots, actions) = (skills(agent), slots(agent), actions(agent));
    let (checks, anatomy) = (checks(agent), anatomy(agent));
    quote!(#skills #slots #actions #checks #anatomy)
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

fn actions(agent: &Agent) -> TokenStream {
    let p = &agent.paths;
    quote! {
        static __ACTIONS: [#p::ActionSpec; #p::action_count(__SKILLS)] = #p::actions(__SKILLS);
        static __ADDRESSES: [(u32, u32); #p::action_count(__SKILLS)] = #p::addresses(__SKILLS);
        static __TOOLS: [#p::Tool<'static>; #p::tool_count(&__ACTIONS)] = #p::tools(&__ACTIONS);
        static __TABLE: [u32; #p::capacity(#p::action_count(__SKILLS))] = #p::table(&__ACTIONS);
    }
}

/// What the macro cannot see: every skill is examined against the others, and told of at its own token.
fn checks(agent: &Agent) -> TokenStream {
    let p = &agent.paths;
    let keys = agent.fields.iter().map(|field| &field.arg.name);
    let told = agent.skills.iter().enumerate().filter(|_| !agent.is_broken);
    let tells = told.map(|(index, skill)| {
        let (cfg, at) = (&skill.cfg, p.at(skill.span));
        let index = place(agent, index, skill);
        quote_spanned! {skill.span=>
            #(#cfg)*
            const _: () = #at::report(__SKILLS, &__ACTIONS, &__FLAGS, __BASE, #index);
        }
    });
    quote! {
        static __BASE: &[&str] = &[#(#keys),*];
        static __FLAGS: [#p::Flags; __SKILLS.len()] = #p::examine::<
            { __SKILLS.len() },
            { #p::capacity(2 * __SKILLS.len()) },
            { #p::capacity(#p::action_count(__SKILLS)) },
            { #p::route_capacity(__SKILLS) },
        >(__SKILLS, &__ACTIONS, __BASE);
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

fn anatomy(agent: &Agent) -> TokenStream {
    let Agent {
        paths: p, ident, ..
    } = agent;
    quote! {
        static __TABLES: #p::AgentTables<#ident> =
            #p::AgentTables::new(__SKILLS, &__ACTIONS, &__ADDRESSES, &__TOOLS, &__TABLE, __SLOTS, __BASE);
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
