//! Generates documents as constant expressions, which set only the fields that differ from an empty document.

use crate::expand::constraints::literals::tracked;
use crate::parse::include::Kind;
use crate::paths::Paths;
use crate::validate::document::{Document, Include};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use skill_manifest::__private::Embedded;
use skill_manifest::{InvocationMode, SkillDoc};
use syn::spanned::Spanned;

/// Generates one document, or a slice of documents.
pub(crate) fn expand(include: &Include) -> TokenStream {
    let p = &include.paths;
    let open = p.open();
    let tracked = include
        .documents
        .iter()
        .map(|document| tracked(p, &document.file));
    let toolsets = toolsets(include);
    let documents = include.documents.iter().map(|read| document(p, read));
    let value = match include.kind {
        Kind::File => quote!(#(#documents)*),
        Kind::Folder => {
            let count = include.documents.len();
            quote! {
                static __DOCUMENTS: [#p::SkillDoc; #count] = [#(#documents),*];
                &__DOCUMENTS
            }
        }
    };
    quote! {
        {
            #open
            #(#tracked)*
            #toolsets
            #value
        }
    }
}

/// Generates the stub of a document: an empty document. Unlike a valid document, it has no id.
pub(crate) fn stub(include: &Include) -> TokenStream {
    let (p, open) = (&include.paths, include.paths.open());
    match include.kind {
        Kind::File => quote!(#open #p::Embedded::EMPTY.doc()),
        Kind::Folder => quote! {
            #open
            static __DOCUMENTS: [#p::SkillDoc; 1] = [#p::Embedded::EMPTY.doc()];
            &__DOCUMENTS
        },
    }
}

/// Generates checks that the types in `toolsets` are skills. Each check reports errors at its type.
fn toolsets(include: &Include) -> Option<TokenStream> {
    if include.toolsets.is_empty() {
        return None;
    }
    let open = include.core.open();
    let checks = include.toolsets.iter().map(|ty| {
        let at = include.core.at(ty.span());
        quote_spanned!(ty.span()=> const _: () = #at::report_toolset::<#ty>();)
    });
    // The checks are in a separate scope, because `__p` is also imported outside.
    Some(quote!(const _: () = { #open #(#checks)* };))
}

/// Generates `Embedded { id: "…", … }.doc()`.
fn document(p: &Paths, document: &Document) -> TokenStream {
    let fields = fields(p, &document.doc);
    let is_full = fields.iter().all(Option::is_some);
    // clippy warns about `..` if all fields are set.
    let rest = (!is_full).then(|| quote!(..#p::Embedded::EMPTY));
    let fields = fields.iter().flatten();
    quote!(#p::Embedded { #(#fields,)* #rest }.doc())
}

/// Generates the fields that have a value. The pattern names all fields, so that no new field is forgotten.
fn fields(p: &Paths, doc: &SkillDoc) -> Vec<Option<TokenStream>> {
    let Embedded {
        id,
        name,
        description,
        brief_description,
        version,
        license,
        compatibility,
        metadata,
        allowed_tools,
        toolsets,
        scripts,
        keywords,
        verbs,
        patterns,
        paths,
        default_enabled,
        summary,
        invocation_mode,
        command,
        command_tool,
        requires_tools,
        os,
        env,
        binaries,
        requires,
        disable_model_invocation,
        user_invocable,
        argument_hint,
        argument_placeholders,
        body,
        body_offset,
    } = Embedded::of(doc);
    let by_tool = invocation_mode == InvocationMode::ToolDispatch;
    let mode = quote!(#p::ToolDispatch);
    vec![
        text("id", id),
        text("name", name),
        text("description", description),
        text("brief_description", brief_description),
        some(p, "version", version),
        some(p, "license", license),
        some(p, "compatibility", compatibility),
        pairs(p, "metadata", metadata),
        some(
            p,
            "allowed_tools",
            allowed_tools.map(|tools| texts(p, tools)),
        ),
        list(p, "toolsets", toolsets),
        some(p, "scripts", scripts.map(|scripts| texts(p, scripts))),
        list(p, "keywords", keywords),
        list(p, "verbs", verbs),
        list(p, "patterns", patterns),
        list(p, "paths", paths),
        (!default_enabled).then(|| field("default_enabled", false)),
        text("summary", summary),
        by_tool.then(|| field("invocation_mode", mode)),
        some(p, "command", command),
        some(p, "command_tool", command_tool),
        list(p, "requires_tools", requires_tools),
        list(p, "os", os),
        list(p, "env", env),
        list(p, "binaries", binaries),
        list(p, "requires", requires),
        disable_model_invocation.then(|| field("disable_model_invocation", true)),
        (!user_invocable).then(|| field("user_invocable", false)),
        some(p, "argument_hint", argument_hint),
        argument_placeholders.then(|| field("argument_placeholders", true)),
        text("body", body),
        (body_offset > 0).then(|| field("body_offset", body_offset)),
    ]
}

fn field(name: &str, value: impl ToTokens) -> TokenStream {
    let name = Ident::new(name, Span::mixed_site());
    quote!(#name: #value)
}

fn text(name: &str, value: &str) -> Option<TokenStream> {
    (!value.is_empty()).then(|| field(name, value))
}

fn some(p: &Paths, name: &str, value: Option<impl ToTokens>) -> Option<TokenStream> {
    value.map(|value| field(name, quote!(#p::Some(#value))))
}

fn list(p: &Paths, name: &str, values: &[skill_manifest::DocText]) -> Option<TokenStream> {
    (!values.is_empty()).then(|| field(name, texts(p, values)))
}

fn texts(p: &Paths, values: &[skill_manifest::DocText]) -> TokenStream {
    let values = values.iter().map(|value| &**value);
    quote!(const { &[#(#p::text(#values)),*] })
}

fn pairs(
    p: &Paths,
    name: &str,
    values: &[(skill_manifest::DocText, skill_manifest::DocText)],
) -> Option<TokenStream> {
    let pairs = values.iter().map(|(key, value)| {
        let (key, value) = (&**key, &**value);
        quote!((#p::text(#key), #p::text(#value)))
    });
    (!values.is_empty()).then(|| field(name, quote!(const { &[#(#pairs),*] })))
}
