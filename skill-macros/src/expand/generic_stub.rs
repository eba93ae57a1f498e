//! The stub of a generic skill, which prevents an error in each agent that lists the skill.

use crate::names::snake;
use crate::validate::skill::Skill;
use proc_macro2::TokenStream;
use quote::quote;

/// Generates a skill without configuration and actions, for all type arguments with which the type can be a state. Generates
/// nothing for a union without parameters.
pub(super) fn expand(skill: &Skill) -> TokenStream {
    if skill.generics.params.is_empty() {
        return TokenStream::new();
    }
    let (p, ident, name) = (&skill.paths, &skill.ident, snake(&skill.ident));
    let (open, allow) = (p.open(), super::allow());
    let state = p.bound("SkillState", ident.span());
    let mut generics = skill.generics.clone();
    let (_, types, _) = skill.generics.split_for_impl();
    let clause = generics.make_where_clause();
    clause
        .predicates
        .push(syn::parse_quote!(#ident #types: #state));
    let mut with_resources = generics.clone();
    let resources = syn::parse_quote!(__R: __p::Resources);
    with_resources.params.push(resources);
    let (params, _, clause) = generics.split_for_impl();
    let (params_and_resources, ..) = with_resources.split_for_impl();
    quote! {
        #[automatically_derived]
        #allow
        const _: () = {
            #open
            impl #params #p::Skill for #ident #types #clause {
                type Config = #p::NoConfig;
                const SPEC: #p::SkillSpec =
                    #p::SkillSpec::stub(#name).__provenance(#p::Provenance::Stub);
            }
            impl #params #p::Hooks for #ident #types #clause {}
            impl #params_and_resources #p::SkillRunsWith<__R> for #ident #types #clause {}
        };
    }
}
