//! Parses the tool texts that a skill provides itself: `tools(Add(title = "Sum", args(a = "The first summand.")))`.

use super::options::{self, Read, options};
use super::values::{Text, metas};
use crate::errors::Errors;
use crate::messages;
use darling::ast::NestedMeta;
use darling::{Error, FromMeta, Result};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Ident, LitStr, Meta, Path, Token};

options! {
    /// The options of a tool, such as `Add(…)` in `tools(…)`.
    ToolOptions of "`tools(...)`" {
        title: Option<Text>,
        description: Option<Text>,
        args: Option<ArgumentTexts>,
    }
    elsewhere {
        "name": "a tool has the name of its action; write `#[action(name = \"...\")]`",
        "arguments": "write `args(...)`",
        "input_schema": "the schema is derived from the arguments; write `args(...)` to describe them",
        "schema": "the schema is derived from the arguments; write `args(...)` to describe them",
        "internal": "write it in `#[action(...)]`",
        "read_only": "write it in `#[action(...)]`",
        "destructive": "write it in `#[action(...)]`",
        "idempotent": "write it in `#[action(...)]`",
        "open_world": "write it in `#[action(...)]`",
        "reads_sensitive": "write it in `#[action(...)]`",
        "reads_untrusted": "write it in `#[action(...)]`",
        "sends_out": "write it in `#[action(...)]`",
    }
}

/// The tools in `tools(Add(…), Divide(…))`.
#[derive(Clone)]
pub(crate) struct ToolList(Vec<(Path, Vec<NestedMeta>)>);

impl FromMeta for ToolList {
    fn from_meta(item: &Meta) -> Result<Self> {
        let wrong = |at: &dyn quote::ToTokens| {
            Error::custom(messages::takes_tools()).with_span(&at.to_token_stream())
        };
        let Meta::List(list) = item else {
            return Err(wrong(item));
        };
        let entries = list
            .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
            .map_err(|_| wrong(&list.tokens))?;
        let entries = entries.into_iter().map(|entry| match entry {
            Meta::List(list) => Ok((list.path, metas(list.tokens)?)),
            other => Err(wrong(&other)),
        });
        entries.collect::<Result<_>>().map(Self)
    }
}

/// The input for one tool.
pub(crate) struct ToolInput {
    pub(crate) action: Path,
    /// Whether the tool's parentheses are empty.
    pub(crate) is_empty: bool,
    pub(crate) options: Read<ToolOptions>,
}

/// Parses the options of each tool.
pub(super) fn read(list: Option<&ToolList>, errors: &mut Errors) -> Vec<ToolInput> {
    let entries = list.into_iter().flat_map(|list| list.0.clone());
    let tools = entries.map(|(action, metas)| {
        let attribute = format!("`{}(...)`", messages::written(&action));
        ToolInput {
            action,
            is_empty: metas.is_empty(),
            options: options::read_as(&attribute, metas, errors),
        }
    });
    tools.collect()
}

/// The descriptions in `args(a = "…", "first-name" = "…")`.
pub(crate) struct ArgumentTexts(pub(crate) Vec<ArgumentText>);

/// An argument's JSON name and description.
#[derive(Clone)]
pub(crate) struct ArgumentText {
    pub(crate) name: Text,
    pub(crate) text: Text,
}

impl FromMeta for ArgumentTexts {
    fn from_meta(item: &Meta) -> Result<Self> {
        let texts = match item {
            Meta::List(list) => list
                .parse_args_with(Punctuated::<ArgumentText, Token![,]>::parse_terminated)
                .ok(),
            _ => None,
        };
        let wrong = || Error::custom(messages::takes_argument_texts());
        match (texts, item) {
            (Some(texts), _) if !texts.is_empty() => Ok(Self(texts.into_iter().collect())),
            (_, Meta::List(list)) if !list.tokens.is_empty() => {
                Err(wrong().with_span(&list.tokens))
            }
            (_, Meta::NameValue(pair)) => Err(wrong().with_span(&pair.value)),
            (_, item) => Err(wrong().with_span(&item.span())),
        }
    }
}

impl Parse for ArgumentText {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = if input.peek(LitStr) {
            Text::from(&input.parse::<LitStr>()?)
        } else {
            let ident = input.call(Ident::parse_any)?;
            Text {
                value: crate::names::plain(&ident),
                span: ident.span(),
            }
        };
        input.parse::<Token![=]>()?;
        let text = Text::from(&input.parse::<LitStr>()?);
        Ok(Self { name, text })
    }
}
