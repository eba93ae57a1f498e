//! Generates an agent's documents and their checks.

use super::mounted::list_index;
use crate::validate::agent::{Agent, Document, Documents};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};

/// Generates the document list in `static`s.
pub(super) fn expand(agent: &Agent) -> Option<TokenStream> {
    let documents = agent.documents.as_ref()?;
    let manifest = &documents.manifest;
    let open = quote_spanned!(documents.key=> use #manifest::__private as __m;);
    let statics = documents.list.iter().enumerate().map(document_static);
    let entries = documents.list.iter().enumerate().map(entry);
    let is_allowed = documents.allow_skills.is_some_and(|switch| switch.is_on);
    let checks = (!agent.is_broken).then(|| checks(agent, documents));
    Some(quote! {
        #open
        #(#statics)*
        static __DOCUMENT_LIST: &[__m::ListedDocs<'static>] = &[#(#entries),*];
        static __DOCUMENTS: __m::AgentDocuments = __m::AgentDocuments::new(__DOCUMENT_LIST, #is_allowed);
        #checks
    })
}

/// Generates a document's `static`. The document's path is used only there, so an error in the path is reported once.
fn document_static((index, document): (usize, &Document)) -> TokenStream {
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
        quote!(#(#cfg)* __m::ListedDocs::all(#text, #name))
    } else {
        quote!(#(#cfg)* __m::ListedDocs::one(#text, #name))
    }
}

fn name(index: usize) -> Ident {
    format_ident!("__DOCUMENT_{index}")
}

/// Generates a check of each document against the agent and the other documents. The check reports errors at the document's
/// entry.
fn checks(agent: &Agent, documents: &Documents) -> TokenStream {
    let list = &documents.list;
    let reports = list.iter().enumerate().map(|(index, document)| {
        let cfg = &document.cfg;
        let index = list_index(agent, list[..index].iter().map(|document| &*document.cfg));
        quote_spanned! {document.span=>
            #(#cfg)*
            // Searching many names for a similar one is slow.
            #[allow(long_running_const_eval)]
            const _: () = __m::report_entry(__DOCUMENT_LIST, &__CHECK_INPUT, &__CHECKED_DOCS, #index);
        }
    });
    let allow_skills = documents.allow_skills.filter(|switch| switch.is_on);
    let allow_skills = allow_skills.map(
        |switch| quote_spanned!(switch.value=> const _: () = __m::report_allow_skills(&__CHECK_INPUT);),
    );
    let mountable = match agent.mountable {
        Some(_) => quote!(__MOUNTABLE),
        None => quote!(&[]),
    };
    quote! {
        static __LOCATED_DOCS: [__m::LocatedDoc<'static>; __m::count_docs(__DOCUMENT_LIST)] =
            __m::located_docs(__DOCUMENT_LIST);
        static __TOOL_NAMES: [&str; __TABLES.tools().len()] = __m::tool_names(__TABLES.tools());
        static __CHECK_INPUT: __m::CheckInput<'static> = __m::CheckInput::new(
            &__LOCATED_DOCS,
            &__TOOL_NAMES,
            __TABLES.actions(),
            __TABLES.listed_skills(),
            #mountable,
        );
        // This takes linear time, but is slow for thousands of documents.
        #[allow(long_running_const_eval)]
        static __CHECKED_DOCS: __m::CheckedDocs<{ __LOCATED_DOCS.len() }, { __CHECK_INPUT.room() }> =
            __m::check_const(&__CHECK_INPUT);
        #(#reports)*
        #allow_skills
    }
}
