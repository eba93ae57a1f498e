//! Generates `impl ListedIn` for the skills without instance number 0.

use crate::conditions::all_of;
use crate::paths::{end_of, start_of};
use crate::validate::agent::Agent;
use crate::validate::compact_text;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use std::collections::BTreeMap;
use syn::{Attribute, Path};

/// A skill in one of the lists.
type Entry<'a> = (&'a Path, &'a [Attribute], Span);

/// Generates one impl per written path. The blanket impl covers the skills with instance number 0.
pub(super) fn expand(agent: &Agent) -> TokenStream {
    let mut entries: BTreeMap<String, Vec<Entry<'_>>> = BTreeMap::new();
    let mountable = agent.mountable.iter().flatten();
    let mountable = mountable.map(|skill| (&skill.path, &*skill.cfg, skill.span));
    let listed = agent.skills.iter();
    let listed = listed.map(|skill| (&skill.path, &*skill.cfg, skill.span));
    for entry in listed.chain(mountable) {
        entries
            .entry(compact_text(entry.0))
            .or_default()
            .push(entry);
    }
    for skill in agent.skills.iter().filter(|skill| skill.number == 0) {
        entries.remove(&compact_text(&skill.path));
    }
    let impls = entries.values().map(|entries| listed_in(agent, entries));
    quote!(#(#impls)*)
}

fn listed_in(agent: &Agent, entries: &[Entry<'_>]) -> TokenStream {
    let (path, _, span) = entries[0];
    let (here, ident) = (agent.paths.at(span), &agent.ident);
    let is_conditional = entries.iter().all(|(_, cfg, _)| !cfg.is_empty());
    let conditions = entries.iter().map(|(_, cfg, _)| all_of(cfg));
    let cfg = is_conditional.then(|| quote!(#[cfg(any(#(#conditions),*))]));
    let keyword = quote_spanned!(start_of(span)=> impl);
    quote_spanned! {end_of(span)=>
        #cfg
        #keyword #here::ListedIn<#ident> for #path {}
    }
}
