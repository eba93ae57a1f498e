//! Generates the resources and async actions of an agent.

use super::super::skill::CHUNK;
use super::base;
use crate::conditions::all_of;
use crate::paths::end_of;
use crate::validate::agent::{Agent, ListedSkill};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};

/// Generates `impl AgentRunsWith`. The bounds are on tuples of skills: with a bound per skill, rustc takes a third longer for an
/// agent with a thousand skills.
pub(super) fn expand(agent: &Agent) -> TokenStream {
    let Agent {
        paths: p,
        ident,
        base,
        ..
    } = agent;
    let skills = agent.skills.iter().enumerate();
    let conditional = skills
        .clone()
        .map(|(index, skill)| conditional(agent, index, skill));
    let mut slots = vec![if base::is_needed(agent) {
        quote!(#p::SlotAt<#base, 0>)
    } else {
        quote!(#p::NoActions)
    }];
    slots.extend(skills.map(|(index, skill)| {
        if skill.cfg.is_empty() {
            slot(agent, skill)
        } else {
            let name = conditional_name(index);
            quote!(#name)
        }
    }));
    let chunks = slots.chunks(CHUNK).enumerate().map(|(index, slots)| {
        let name = chunk_name(index);
        quote!(type #name = (#(#slots,)*);)
    });
    let names = (0..slots.len().div_ceil(CHUNK)).map(chunk_name);
    let chunk_types = names.clone();
    // rustc shows the impl at the agent's name
    let spanned = p.at(ident.span());
    quote_spanned! {ident.span()=>
        #(#conditional)*
        #(#chunks)*
        impl<__R: #spanned::Resources> #spanned::AgentRunsWith<__R> for #ident
        where
            #(#names: #spanned::SlotsRunWith<#ident, __R>,)*
        {
            fn __async_actions() -> &'static [&'static [#spanned::Option<#spanned::SlotAsyncActions<Self, __R>>]] {
                const { &[#(<#chunk_types as #spanned::SlotsRunWith<Self, __R>>::ASYNC_ACTIONS),*] }
            }
        }
    }
}

/// Generates `SlotAt<Calculator, 0>` with the span that the skill has in the list.
fn slot(agent: &Agent, skill: &ListedSkill) -> TokenStream {
    let spanned = agent.paths.at(skill.span);
    let (path, number) = (&skill.path, skill.number);
    quote_spanned!(end_of(skill.span)=> #spanned::SlotAt<#path, #number>)
}

/// Generates a type alias for a skill with `#[cfg]`, and returns `None` for other skills. A type alias can have `#[cfg]`, but a
/// type in a tuple cannot.
fn conditional(agent: &Agent, index: usize, skill: &ListedSkill) -> Option<TokenStream> {
    let (p, cfg) = (&agent.paths, &skill.cfg);
    let (slot, name) = (slot(agent, skill), conditional_name(index));
    let condition = all_of(cfg);
    (!cfg.is_empty()).then(|| {
        quote! {
            #(#cfg)*
            type #name = #slot;
            #[cfg(not(#condition))]
            type #name = #p::Absent;
        }
    })
}

fn conditional_name(index: usize) -> Ident {
    format_ident!("__Skill{index}")
}

fn chunk_name(index: usize) -> Ident {
    format_ident!("__Skills{index}")
}
