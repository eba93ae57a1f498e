//! The documents of an agent, and the checks over them.

use super::mounted::list_index;
use crate::validate::agent::{Agent, Document, Documents};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};

/// The list of documents, in `static`s.
pub(super) fn expand(agent: &Agent) -> Option<TokenStream> {
    let documents = agent.documents.as_ref()?;
    let manifest = &documents.manifest;
    let open = quote_spanned!(documents.key=> use #manifest::__private as __m;);
    let statics = documents.list.iter().enumerate().map(statik);
    let entries = documents.list.iter().enumerate().map(entry);
    let is_allowed = documents.allow_skills.is_some_and(|switch| switch.is_on);
    let checks = (!agent.is_broken).then(|| checks(agent, documents));
    Some(quote! {
        #open
        #(#statics)*
        static __DOCUMENT_LIST: &[__m::Listed<'static>] = &[#(#entries),*];
        static __DOCUMENTS: __m::Table = __m::Table::new(__DOCUMENT_LIST, #is_allowed);
        #checks
    })
}

/// The only use of the path, so that rustc reports a wrong type once.
fn statik((index, document): (usize, &Document)) -> TokenStream {
    let Document { cfg, path, .. } = document;
    let name = name(index);
    if document.is_list {
        quote_spanned! {document.span=>
            #(#cfg)* static #name: &[__m::SkillDoc] = &#path;
        }
    } else {
        quote_spanned! {document.span=>
            #(#cfg)* static #name: &__m::SkillDoc = &#path;
        }
    }
}

fn entry((index, document): (usize, &Document)) -> TokenStream {
    let (cfg, text, name) = (&document.cfg, document.text(), name(index));
    if document.is_list {
        quote!(#(#cfg)* __m::Listed::all(#text, #name))
    } else {
        quote!(#(#cfg)* __m::Listed::one(#text, #name))
    }
}

fn name(index: usize) -> Ident {
    format_ident!("__DOCUMENT_{index}")
}

/// Checks every document against the agent and the other documents, and reports at the token of its entry.
fn checks(agent: &Agent, documents: &Documents) -> TokenStream {
    let list = &documents.list;
    let reports = list.iter().enumerate().map(|(index, document)| {
        let cfg = &document.cfg;
        let index = list_index(agent, list[..index].iter().map(|document| &*document.cfg));
        quote_spanned! {document.span=>
            #(#cfg)*
            // the search for a similar name among many is long
            #[allow(long_running_const_eval)]
            const _: () = __m::tell(__DOCUMENT_LIST, &__SCENE, &__EXAMINED, #index);
        }
    });
    let allow_skills = documents.allow_skills.filter(|switch| switch.is_on);
    let allow_skills = allow_skills.map(
        |switch| quote_spanned!(switch.value=> const _: () = __m::tell_allow_skills(&__SCENE);),
    );
    let mountable = match agent.mountable {
        Some(_) => quote!(__MOUNTABLE),
        None => quote!(&[]),
    };
    quote! {
        static __CANDIDATES: [__m::Candidate<'static>; __m::count(__DOCUMENT_LIST)] =
            __m::candidates(__DOCUMENT_LIST);
        static __TOOL_NAMES: [&str; __TABLES.tools().len()] = __m::tool_names(__TABLES.tools());
        static __SCENE: __m::Scene<'static> = __m::Scene::new(
            &__CANDIDATES,
            &__TOOL_NAMES,
            __TABLES.actions(),
            __TABLES.listed_skills(),
            #mountable,
        );
        // linear, but long for thousands of documents
        #[allow(long_running_const_eval)]
        static __EXAMINED: __m::Examined<{ __CANDIDATES.len() }, { __SCENE.room() }> =
            __m::examine(&__SCENE);
        #(#reports)*
        #allow_skills
    }
}
