//! Generates the code for agents that mount skills at run time.

use crate::conditions::all_of;
use crate::paths::end_of;
use crate::validate::agent::{Agent, Mountable};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Attribute;

/// Returns `code()` if the agent mounts skills.
pub(super) fn if_mountable(
    agent: &Agent,
    code: impl FnOnce() -> TokenStream,
) -> Option<TokenStream> {
    agent.mountable.as_ref().map(|_| code())
}

/// Generates the state's field for mounted skills.
pub(super) fn field(agent: &Agent) -> Option<TokenStream> {
    let (p, vis) = (agent.paths.outside(), &agent.vis);
    if_mountable(agent, || {
        quote! {
            /// The skills that are mounted at run time.
            #vis skills: #p::Mounted,
        }
    })
}

/// Generates the list of mountable skills, its checks, and typed access.
pub(super) fn expand(agent: &Agent) -> Option<TokenStream> {
    let list = agent.mountable.as_ref()?;
    let (p, ident, vis) = (&agent.paths, &agent.ident, &agent.vis);
    let entries = list.iter().map(|skill| {
        let (cfg, path, at) = (&skill.cfg, &skill.path, p.at(skill.span));
        quote_spanned!(end_of(skill.span)=> #(#cfg)* #at::Mountable::of::<#path>())
    });
    let checks = (!agent.is_broken).then(|| checks(agent, list));
    Some(quote! {
        static __MOUNTABLE: &[#p::Mountable] = &[#(#entries),*];
        static __MOUNTABLE_SPECS: [&#p::SkillSpec; __MOUNTABLE.len()] =
            #p::mountable_specs(__MOUNTABLE);
        #checks
        #[allow(dead_code)]
        impl #ident {
            /// The skills that are mounted.
            #vis fn mounted(&self) -> &#p::Mounted {
                &self.parts.split().0.skills
            }
            /// The skills that are mounted, to mount and unmount.
            #vis fn mounted_mut(&mut self) -> &mut #p::Mounted {
                &mut self.parts.split_mut().0.skills
            }
        }
    })
}

/// Generates a check of each mountable skill against the other skills of both lists. The check reports errors at the skill's
/// entry.
fn checks(agent: &Agent, list: &[Mountable]) -> TokenStream {
    let p = &agent.paths;
    let reports = list.iter().enumerate().map(|(index, skill)| {
        let (cfg, at) = (&skill.cfg, p.at(skill.span));
        let index = list_index(agent, list[..index].iter().map(|skill| &*skill.cfg));
        quote_spanned! {end_of(skill.span)=>
            #(#cfg)*
            const _: () = #at::report(&__TABLES, &__CHECKED, __SKILLS.len() + #index);
        }
    });
    quote!(#(#reports)*)
}

/// Generates the index of a list entry from the attributes of the preceding entries. rustc counts the entries under `#[cfg]`.
pub(super) fn list_index<'a>(
    agent: &Agent,
    before: impl Iterator<Item = &'a [Attribute]>,
) -> TokenStream {
    let p = &agent.paths;
    let (always, conditional): (Vec<_>, Vec<_>) = before.partition(|cfg| cfg.is_empty());
    let always = always.len();
    let counts = conditional.into_iter().map(|cfg| {
        let condition = all_of(cfg);
        quote!(+ #p::cfg!(#condition) as usize)
    });
    quote!(#always #(#counts)*)
}

/// Generates the methods that give untyped code access to the mounted skills.
pub(super) fn methods(agent: &Agent) -> Option<TokenStream> {
    let (p, state) = (&agent.paths, &agent.state);
    if_mountable(agent, || {
        quote! {
            fn __mounted(state: &#state) -> #p::Option<&#p::Mounted> {
                #p::Some(&state.skills)
            }
            fn __mounted_mut(state: &mut #state) -> #p::Option<&mut #p::Mounted> {
                #p::Some(&mut state.skills)
            }
            fn __mountable() -> #p::Option<&'static [#p::Mountable]> {
                #p::Some(__MOUNTABLE)
            }
        }
    })
}
