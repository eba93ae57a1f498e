//! Generates the tool texts that a skill provides itself.

use crate::expand::constraints::literals::set;
use crate::paths::Paths;
use crate::validate::tools::ToolTexts;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};

/// Generates `.title("…").description("…")` for the spec of the action at `index`.
pub(super) fn texts(tools: &[ToolTexts], index: usize) -> Option<TokenStream> {
    let tool = tools.iter().find(|tool| tool.action == index)?;
    let title = set("title", &tool.title);
    let description = set("description", &tool.description);
    let schema = (!tool.args.is_empty()).then(|| {
        let schema = schema_name(index);
        quote!(.__input(#schema))
    });
    Some(quote!(#title #description #schema))
}

/// Generates the schemas with descriptions of arguments, and a check of each argument's name at the user's token.
pub(super) fn schemas(p: &Paths, tools: &[ToolTexts]) -> TokenStream {
    let described = tools.iter().filter(|tool| !tool.args.is_empty());
    let schemas = described.map(|tool| {
        let (index, name) = (tool.action, schema_name(tool.action));
        let rows = tool.args.iter().map(|arg| {
            let (name, text) = (&arg.name.value, &arg.text.value);
            quote!((#name, #text))
        });
        let checks = tool.args.iter().map(|arg| {
            let (span, name) = (arg.name.span, &arg.name.value);
            let at = p.at(span);
            quote_spanned! {span=>
                const _: () = #at::report_argument(&__ENTRIES[#index].spec(), #name);
            }
        });
        quote! {
            #(#checks)*
            fn #name() -> &'static #p::serde_json::Value {
                static SCHEMA: #p::OnceLock<#p::serde_json::Value> = #p::OnceLock::new();
                SCHEMA.get_or_init(|| #p::describe_arguments(&__ENTRIES[#index].spec(), &[#(#rows),*]))
            }
        }
    });
    schemas.collect()
}

fn schema_name(index: usize) -> Ident {
    format_ident!("__input_schema_{index}")
}
