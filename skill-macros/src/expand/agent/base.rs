//! Generates the struct of the base fields. It is the skill of the agent's own actions.

use super::super::action::argument_helpers::{Record, default_name};
use super::super::action::arguments;
use super::super::skill::{entries, hook_entry, no_hooks, runs_with, schemas};
use super::super::{constraints, secrets};
use crate::expand::constraints::literals::{shown_at, type_path};
use crate::parse::agent::ConfigField;
use crate::parse::docs::Docs;
use crate::paths::{Paths, end_of};
use crate::validate::action::Arg;
use crate::validate::agent::Agent;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Visibility;
use syn::spanned::Spanned;

/// Returns whether the agent has base fields, actions, hooks or its own configuration. Otherwise its base is core's
/// `BaseWithoutHooks`.
pub(super) fn is_needed(agent: &Agent) -> bool {
    !agent.fields.is_empty()
        || !agent.actions.is_empty()
        || agent.hooks.is_some()
        || agent.config.is_some()
        || agent.is_broken
}

pub(super) fn structure(agent: &Agent) -> TokenStream {
    let Agent {
        base_attrs: attrs,
        vis,
        struct_token,
        base,
        ..
    } = agent;
    if !is_needed(agent) {
        let (p, ident) = (agent.paths.outside(), &agent.ident);
        let text = format!(
            "The base of [`{ident}`], which has no base fields. To implement `Hooks` for it, write `hooks` in `agent!`."
        );
        return quote!(#[doc = #text] #vis type #base = #p::BaseWithoutHooks<#ident>;);
    }
    let text = format!("The base fields of the state of [`{}`].", agent.ident);
    let fields = agent.fields.iter().map(|field| {
        let (docs, attrs) = (&field.arg.docs, &field.attrs);
        let (name, ty) = (&field.arg.ident, &field.arg.ty);
        let vis = match &field.vis {
            Visibility::Inherited => vis,
            written => written,
        };
        quote!(#(#docs)* #(#attrs)* #vis #name: #ty)
    });
    let structure = shown_at(
        struct_token.span,
        base.span(),
        vis,
        base,
        quote!(#(#fields,)*),
    );
    quote! {
        #[doc = #text]
        #(#attrs)*
        #structure
    }
}

pub(super) fn expand(agent: &Agent) -> TokenStream {
    if !is_needed(agent) {
        return TokenStream::new();
    }
    let args: Vec<Arg> = agent.fields.iter().map(|field| field.arg.clone()).collect();
    let json = arguments::expand(&Record {
        paths: &agent.paths,
        ident: &agent.base,
        description: agent.description.as_ref().unwrap_or(&Docs::NONE),
        args: &args,
    });
    let (values, skill, hooks) = (values(agent), skill(agent), hooks(agent));
    let debug = agent.secrets.as_ref();
    let debug = debug.map(|found| secrets::debug(&agent.paths, &agent.base, found));
    let skill_of = skill_of(agent);
    let runs_with = runs_with(&agent.paths, &agent.base, &agent.actions);
    quote!(#json #values #debug #skill #hooks #skill_of #runs_with)
}

/// Generates `impl Default`, from the fields' defaults, and `impl Clone`.
fn values(agent: &Agent) -> TokenStream {
    let Agent { paths: p, base, .. } = agent;
    let defaults = agent.fields.iter().enumerate().map(|(index, field)| {
        let (name, default) = (&field.arg.ident, default_name(index));
        quote!(#name: #default())
    });
    let clones = agent.fields.iter().map(|field| {
        let (name, span) = (&field.arg.ident, field.arg.ty.span());
        let at = p.at(span);
        quote_spanned!(span=> #name: #at::Clone::clone(&self.#name))
    });
    quote! {
        impl #p::Default for #base {
            fn default() -> Self {
                Self { #(#defaults),* }
            }
        }
        impl #p::Clone for #base {
            fn clone(&self) -> Self {
                Self { #(#clones),* }
            }
        }
    }
}

/// Generates `impl Skill` for the base, so that it can own the agent's actions.
fn skill(agent: &Agent) -> TokenStream {
    let Agent {
        paths: p,
        ident,
        base,
        name,
        ..
    } = agent;
    let config = match &agent.config {
        Some(config) => {
            let path = &config.path;
            quote!(#path)
        }
        None => quote!(#p::NoConfig),
    };
    let type_path = type_path(p, ident);
    let (new, provenance) = if agent.is_broken {
        (quote!(stub), quote!(Stub))
    } else {
        (quote!(new), quote!(Agent))
    };
    let span = agent.actions_key.unwrap_or_else(|| ident.span());
    let entries = entries(p, base, (&agent.actions, &[]), span);
    let specs = entries
        .as_ref()
        .map(|_| quote!(.actions(__SPECS).__listed(__LISTED)));
    let actions = entries
        .as_ref()
        .map(|_| quote!(const ACTIONS: &'static [#p::ActionEntry<Self>] = __ENTRIES;));
    let state_secrets = secrets::of_state(agent.secrets.as_ref());
    let config_secrets = agent.config.as_ref().map(|_| secrets::of_config(p));
    let constraints = agent.config.as_ref().map(|_| constraints::of_config(p));
    let (schemas, hooks) = (schemas(p, base), hook_entry(p, agent.hooks));
    quote! {
        #entries
        #schemas
        impl #p::Skill for #base {
            type Config = #config;
            const SPEC: #p::SkillSpec = #p::SkillSpec::#new(#name)
                #type_path
                #specs
                .schemas(__state_schema, __config_schema)
                #state_secrets
                #config_secrets
                #constraints
                .__provenance(#p::Provenance::#provenance);
            #actions
            #hooks
        }
    }
}

fn hooks(agent: &Agent) -> Option<TokenStream> {
    let Agent { paths: p, base, .. } = agent;
    agent.hooks.is_none().then(|| no_hooks(p, base))
}

/// Generates `impl SkillOf`, which gives access to the base in the agent.
fn skill_of(agent: &Agent) -> TokenStream {
    let Agent {
        paths: p,
        ident,
        state,
        base,
        ..
    } = agent;
    let configure = agent
        .config
        .as_ref()
        .map(|config| configure(p, &config.fields, config.path.span()));
    // The impl has the span of the agent's name, because rustc may show it.
    let at = p.at(ident.span());
    quote_spanned! {ident.span()=>
        impl #at::SkillOf<#ident> for #base {
            fn of(state: &#state) -> &Self {
                &state.base
            }
            fn of_mut(state: &mut #state) -> &mut Self {
                &mut state.base
            }
            fn cell() -> &'static #at::ConfigCell {
                static CELL: #at::ConfigCell = #at::ConfigCell::new();
                &CELL
            }
            #configure
        }
    }
}

/// Generates `configure`, with each field at the user's token.
pub(super) fn configure(p: &Paths, fields: &[ConfigField], span: Span) -> Option<TokenStream> {
    let first = fields.first()?.ident.span();
    let config = Ident::new("__config", first);
    let sets = fields.iter().map(|field| {
        let (attrs, name, value) = (&field.attrs, &field.ident, &field.value);
        quote!(#(#attrs)* { #config.#name = #value; })
    });
    // For a skill without configuration, rustc reports this expression. The expression has a single span, so there is only one
    // error.
    let set = quote_spanned!(first=> <Self::Config>::__set::<Self>(#config));
    let here = p.at(first);
    Some(quote_spanned! {end_of(span)=>
        fn configure(#config: &mut Self::Config) {
            #[allow(unused_imports)]
            use #here::SetFields as _;
            let #config = #set;
            #(#sets)*
        }
    })
}
