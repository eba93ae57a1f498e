//! The expansion of a skill with mistakes.

use super::skill::{config, debug, no_hooks, runs_with};
use crate::expand::constraints::literals::type_path;
use crate::names::snake;
use crate::validate::skill::Skill;
use proc_macro2::TokenStream;
use quote::quote;

/// Generates the stub of a skill with mistakes: a skill without actions, which prevents follow-up errors.
pub(crate) fn stub(skill: &Skill) -> TokenStream {
    if !skill.can_have_stub {
        return super::generic_stub::expand(skill);
    }
    let Skill {
        paths: p, ident, ..
    } = skill;
    let (open, allow) = (p.open(), super::allow());
    let config = config(skill);
    let type_path = type_path(p, ident);
    let name = snake(ident);
    let default = skill.init.as_ref().map(|_| {
        quote! {
            impl #p::Default for #ident {
                fn default() -> Self {
                    loop {}
                }
            }
        }
    });
    let (debug, hooks) = (
        debug(skill),
        skill.hooks.is_none().then(|| no_hooks(p, ident)),
    );
    let runs_with = runs_with(p, ident, &[]);
    quote! {
        #[automatically_derived]
        #allow
        const _: () = {
            #open
            impl #p::Skill for #ident {
                #config
                const SPEC: #p::SkillSpec =
                    #p::SkillSpec::stub(#name) #type_path .__provenance(#p::Provenance::Stub);
            }
            #default
            #debug
            #hooks
            #runs_with
        };
    }
}
