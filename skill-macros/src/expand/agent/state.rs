//! Generates the state: the base fields and one field per skill, serialized as one JSON object.

use super::{base, instance, mounted};
use crate::expand::constraints::literals::shown_at;
use crate::paths::end_of;
use crate::validate::agent::Agent;
use crate::validate::compact_text;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

pub(super) fn structure(agent: &Agent) -> TokenStream {
    let Agent {
        attrs,
        vis,
        struct_token,
        state,
        base,
        ..
    } = agent;
    let text = format!(
        "The state of [`{}`]: its base fields, and each skill.",
        agent.ident
    );
    let fields = agent.skills.iter().map(|skill| {
        let (cfg, field, path) = (&skill.cfg, &skill.field, &skill.path);
        let text = format!("The state of the skill `{}`.", compact_text(path));
        quote_spanned!(end_of(skill.span)=> #(#cfg)* #[doc = #text] #vis #field: #path)
    });
    let (base, mounted) = (
        base::is_needed(agent).then(|| quote!(base: #base,)),
        mounted::field(agent),
    );
    let structure = shown_at(
        struct_token.span,
        state.span(),
        vis,
        state,
        quote!(#base #(#fields,)* #mounted),
    );
    quote! {
        #[doc = #text]
        #(#attrs)*
        #structure
    }
}

pub(super) fn expand(agent: &Agent) -> TokenStream {
    let (fresh, clone, deref, serialize) =
        (fresh(agent), clone(agent), deref(agent), serialize(agent));
    quote!(#fresh #clone #deref #serialize)
}

/// Generates `__fresh`, which creates the state from the configurations. `env`, like `self` and `map` below, is interpolated with
/// this macro's span. Otherwise, tokens of a skill that come from a different macro could not refer to these names.
fn fresh(agent: &Agent) -> TokenStream {
    let Agent {
        paths: p,
        ident,
        state,
        base,
        ..
    } = agent;
    let fields = agent.skills.iter().map(|skill| {
        let (cfg, field, at) = (&skill.cfg, &skill.field, p.at(skill.span));
        let instance = instance(agent, skill);
        let env = quote!(env);
        quote_spanned!(end_of(skill.span)=> #(#cfg)* #field: #at::init::<#instance>(#env))
    });
    let mounted = mounted::if_mountable(
        agent,
        || quote!(skills: #p::Mounted::__of_agent::<#ident>(),),
    );
    let base = base::is_needed(agent).then(|| quote!(base: #p::init::<#ident, #base, 0>(env),));
    quote! {
        fn __fresh(env: &#p::AgentEnv) -> #state {
            #state {
                #base
                #(#fields,)*
                #mounted
            }
        }
    }
}

/// Generates `impl Clone`. The impl clones through the skill's impl, which already requires `Clone`, so a type without `Clone` is
/// reported only once.
fn clone(agent: &Agent) -> TokenStream {
    let Agent {
        paths: p,
        ident,
        state,
        base,
        ..
    } = agent;
    let fields = agent.skills.iter().map(|skill| {
        let (cfg, field, at) = (&skill.cfg, &skill.field, p.at(skill.span));
        let instance = instance(agent, skill);
        let this = quote!(self);
        quote_spanned!(end_of(skill.span)=> #(#cfg)* #field: #at::duplicate::<#instance>(&#this.#field))
    });
    let mounted = mounted::if_mountable(agent, || quote!(skills: #p::Clone::clone(&self.skills),));
    let base = base::is_needed(agent)
        .then(|| quote!(base: #p::duplicate::<#ident, #base, 0>(&self.base),));
    quote! {
        impl #p::Clone for #state {
            fn clone(&self) -> Self {
                Self {
                    #base
                    #(#fields,)*
                    #mounted
                }
            }
        }
    }
}

/// Generates `impl Deref`, for access such as `agent.state().mode`.
fn deref(agent: &Agent) -> Option<TokenStream> {
    let Agent {
        paths: p,
        state,
        base,
        ..
    } = agent;
    base::is_needed(agent).then(|| {
        quote! {
            impl #p::Deref for #state {
                type Target = #base;
                fn deref(&self) -> &#base {
                    &self.base
                }
            }
            impl #p::DerefMut for #state {
                fn deref_mut(&mut self) -> &mut #base {
                    &mut self.base
                }
            }
        }
    })
}

fn serialize(agent: &Agent) -> TokenStream {
    let Agent {
        paths: p, state, ..
    } = agent;
    let fields = agent.skills.iter().map(|skill| {
        let (cfg, field, at) = (&skill.cfg, &skill.field, p.at(skill.span));
        let instance = instance(agent, skill);
        let (this, map) = (quote!(self), quote!(map));
        quote_spanned!(end_of(skill.span)=> #(#cfg)* { #at::write_skill::<#instance, _>(&#this.#field, &mut #map)?; })
    });
    let mounted = mounted::if_mountable(
        agent,
        || quote!(#p::write_mounted(&self.skills, &mut map)?;),
    );
    let base = base::is_needed(agent).then(|| quote!(#p::write_base(&self.base, &mut map)?;));
    quote! {
        impl #p::serde::Serialize for #state {
            fn serialize<__S: #p::serde::Serializer>(&self, serializer: __S) -> #p::Result<__S::Ok, __S::Error> {
                let mut map = #p::serde::Serializer::serialize_map(serializer, #p::None)?;
                #base
                #(#fields)*
                #mounted
                #p::serde::ser::SerializeMap::end(map)
            }
        }
    }
}
