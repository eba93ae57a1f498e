//! Generates the code of an agent.

mod async_actions;
mod base;
mod documents;
mod effects;
mod instructions;
mod listed_in;
mod literals;
mod mounted;
mod skills;
mod state;
mod tables;

use crate::expand::constraints::literals::shown_at;
use crate::paths::end_of;
use crate::validate::agent::{Agent, ListedSkill};
use proc_macro2::TokenStream;
use quote::quote;

/// Generates the agent, its state and its base, and the impls in an anonymous constant.
pub(crate) fn expand(agent: &Agent) -> TokenStream {
    let (open, allow) = (agent.paths.open(), super::allow());
    let structures = structures(agent);
    let (base, state, skills) = (
        base::expand(agent),
        state::expand(agent),
        skills::expand(agent),
    );
    let (tables, implementation) = (tables::expand(agent), implementation(agent));
    let (accessors, async_actions) = (skills::accessors(agent), async_actions::expand(agent));
    let (mounted, documents) = (mounted::expand(agent), documents::expand(agent));
    let (listed_in, literals) = (listed_in::expand(agent), literals::expand(agent));
    let (effects, schedules) = (effects::checks(agent), effects::schedules(agent));
    let cfg = &agent.cfg;
    quote! {
        #structures
        #cfg
        #[automatically_derived]
        #allow
        const _: () = {
            #open
            #base
            #state
            #skills
            #listed_in
            #literals
            #accessors
            #tables
            #effects
            #schedules
            #mounted
            #documents
            #implementation
            #async_actions
        };
    }
}

fn structures(agent: &Agent) -> TokenStream {
    let Agent {
        cfg,
        docs,
        attrs,
        vis,
        struct_token,
        ident,
        state,
        ..
    } = agent;
    let p = agent.paths.outside();
    let fields = quote!(parts: #p::AgentParts<#state>);
    let structure = shown_at(struct_token.span, ident.span(), vis, ident, fields);
    let (base, state_struct) = (base::structure(agent), state::structure(agent));
    quote! {
        #cfg
        #(#docs)*
        #(#attrs)*
        #structure
        #cfg
        #base
        #cfg
        #state_struct
    }
}

fn implementation(agent: &Agent) -> TokenStream {
    let Agent {
        paths: p,
        ident,
        state,
        base,
        ..
    } = agent;
    let spec = tables::agent_spec(agent);
    let mounted = mounted::methods(agent);
    quote! {
        impl #p::Agent for #ident {
            type State = #state;
            type Base = #base;
            const SPEC: #p::AgentSpec = #spec;
            fn __tables() -> &'static #p::AgentTables {
                &__TABLES
            }
            fn __slots() -> &'static [#p::Slot<Self>] {
                __SLOTS
            }
            fn __from_env(env: #p::AgentEnv) -> Self {
                Self { parts: #p::AgentParts::new(__fresh(&env), env) }
            }
            fn __parts(&self) -> (&#state, &#p::AgentEnv) {
                self.parts.split()
            }
            fn __parts_mut(&mut self) -> (&mut #state, &mut #p::AgentEnv) {
                self.parts.split_mut()
            }
            #mounted
        }
        impl #p::Clone for #ident {
            fn clone(&self) -> Self {
                Self { parts: #p::Clone::clone(&self.parts) }
            }
        }
        impl #p::Default for #ident {
            fn default() -> Self {
                <Self as #p::Agent>::new()
            }
        }
    }
}

/// Generates `Agent, Calculator, 0`: the generic arguments that identify an instance, at the skill's token.
fn instance(agent: &Agent, skill: &ListedSkill) -> TokenStream {
    let (ident, path, number) = (&agent.ident, &skill.path, skill.number);
    quote::quote_spanned!(end_of(skill.span)=> #ident, #path, #number)
}
