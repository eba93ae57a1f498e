//! Generates the code for each skill of an agent.

use super::base::configure;
use super::instance;
use crate::paths::{end_of, start_of};
use crate::validate::agent::{Agent, ListedSkill};
use crate::validate::compact_text;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

pub(super) fn expand(agent: &Agent) -> TokenStream {
    let impls = agent.skills.iter().map(|skill| skill_of(agent, skill));
    let names = agent
        .skills
        .iter()
        .enumerate()
        .map(|(index, skill)| prefixed(agent, index, skill));
    quote!(#(#impls)* #(#names)*)
}

/// Generates `impl SkillOf`. The skill's type is used only there, so an error in the type is reported once.
fn skill_of(agent: &Agent, skill: &ListedSkill) -> TokenStream {
    let Agent {
        paths: p,
        ident,
        state,
        ..
    } = agent;
    let ListedSkill {
        cfg,
        path,
        field,
        number,
        span,
        ..
    } = skill;
    let here = p.at(*span);
    let alias = skill.alias.as_ref().map(|alias| {
        let alias = crate::names::plain(alias);
        quote_spanned!(end_of(*span)=> const ALIAS: #here::Option<&'static str> = #here::Some(#alias);)
    });
    let configure = configure(p, &skill.config, *span);
    let keyword = quote_spanned!(start_of(*span)=> impl);
    quote_spanned! {end_of(*span)=>
        #(#cfg)*
        #keyword #here::SkillOf<#ident, #number> for #path {
            #alias
            fn of(state: &#state) -> &Self {
                &state.#field
            }
            fn of_mut(state: &mut #state) -> &mut Self {
                &mut state.#field
            }
            fn cell() -> &'static #here::ConfigCell {
                static CELL: #here::ConfigCell = #here::ConfigCell::new();
                &CELL
            }
            #configure
        }
    }
}

/// Generates the prefixed tool names of an aliased instance.
fn prefixed(agent: &Agent, index: usize, skill: &ListedSkill) -> Option<TokenStream> {
    skill.alias.as_ref()?;
    let here = agent.paths.at(skill.span);
    let (cfg, name, instance) = (&skill.cfg, prefixed_name(index), instance(agent, skill));
    Some(quote_spanned! {end_of(skill.span)=>
        #(#cfg)*
        static #name: [u8; #here::prefixed_length::<#instance>()] =
            #here::prefixed::<#instance, { #here::prefixed_length::<#instance>() }>();
    })
}

pub(super) fn prefixed_name(index: usize) -> proc_macro2::Ident {
    quote::format_ident!("__PREFIXED_{index}")
}

/// Generates a method such as `agent.calc()` for every skill with an alias.
pub(super) fn accessors(agent: &Agent) -> Option<TokenStream> {
    let Agent {
        paths: p,
        ident,
        vis,
        ..
    } = agent;
    let mut methods = agent
        .skills
        .iter()
        .filter(|skill| skill.alias.is_some())
        .map(|skill| {
            let ListedSkill {
                cfg,
                path,
                field,
                number,
                span,
                ..
            } = skill;
            let here = p.at(*span);
            let text = format!(
                "The skill `{}` under the name `{field}`.",
                compact_text(path)
            );
            quote_spanned! {end_of(*span)=>
                #(#cfg)*
                #[doc = #text]
                #vis fn #field(&mut self) -> #here::Instance<'_, Self, #path, #number> {
                    #here::Instance::__new(self)
                }
            }
        })
        .peekable();
    methods.peek()?;
    Some(quote! {
        #[allow(dead_code)]
        impl #ident {
            #(#methods)*
        }
    })
}
