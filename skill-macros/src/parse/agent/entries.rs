//! Parses the values of `agent!` with their own syntax: base fields, skills and configurations.

use crate::errors::Errors;
use crate::messages;
use crate::parse::options::options;
use crate::parse::values::Word;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, discouraged::Speculative};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, Lit, Path, Token, Type, Visibility, braced, bracketed, token};

options! {
    /// The options of `#[skill(…)]` on a base field.
    BaseFieldOptions of "`#[skill(...)]` of a base field" {
        secret: Option<Word>,
    }
    elsewhere {
        "default": "a base field begins with the value after `=`: `field: Type = value`",
        "from_config": "only the fields of a skill begin with a value of the configuration",
        "always": "only the fields of a skill begin with a value of the configuration",
        "name": "a field is renamed by `#[serde(rename = \"...\")]`",
        "rename": "write `#[serde(rename = \"...\")]`",
    }
}

/// A base field, such as `mode: Mode = Mode::Interactive`.
pub(crate) struct BaseField {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) default: Option<Expr>,
}

/// A listed skill, such as `Stats as s { window: 100 }`.
pub(crate) struct SkillEntry {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) path: Path,
    pub(crate) alias: Option<Ident>,
    pub(crate) config: Vec<ConfigField>,
    /// Whether the skill is in the list `deferred`.
    pub(crate) is_deferred: bool,
}

/// The agent's configuration, such as `Limits { tries: 3 }`.
pub(crate) struct ConfigEntry {
    pub(crate) path: Path,
    pub(crate) fields: Vec<ConfigField>,
}

/// A field of a configuration, such as `window: 100`.
pub(crate) struct ConfigField {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) ident: Ident,
    pub(crate) value: Expr,
}

pub(super) fn base_fields(input: ParseStream<'_>) -> syn::Result<Vec<BaseField>> {
    if !input.peek(token::Brace) {
        return Err(input.error(messages::STATE_FORM));
    }
    let content;
    braced!(content in input);
    let fields = Punctuated::<BaseField, Token![,]>::parse_terminated(&content)?;
    Ok(fields.into_iter().collect())
}

pub(super) fn entries(
    input: ParseStream<'_>,
    (form, entry_form): (&'static str, &'static str),
    errors: &mut Errors,
) -> syn::Result<Vec<SkillEntry>> {
    if !input.peek(token::Bracket) {
        return Err(input.error(form));
    }
    let content;
    bracketed!(content in input);
    let mut entries = Vec::new();
    while !content.is_empty() {
        let ahead = content.fork();
        match ahead.parse::<SkillEntry>() {
            Ok(entry) if ahead.is_empty() || ahead.peek(Token![,]) => {
                content.advance_to(&ahead);
                entries.push(entry);
            }
            Ok(entry) => {
                errors.report_at(entry_form, ahead.span());
                skip_value(&content)?;
                entries.extend(Some(entry).filter(names_type));
            }
            Err(error) => {
                errors.push(match entry_form {
                    messages::ENTRY_FORM => error,
                    form => syn::Error::new(error.span(), form),
                });
                skip_value(&content)?;
            }
        }
        let _ = content.parse::<Option<Token![,]>>()?;
    }
    Ok(entries)
}

/// Returns whether the entry begins with a type instead of a function or a value.
fn names_type(entry: &SkillEntry) -> bool {
    let last = entry.path.segments.last();
    last.is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase))
}

impl Parse for BaseField {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let form = |error: syn::Error| syn::Error::new(error.span(), messages::STATE_FORM);
        let ident = input.parse().map_err(form)?;
        input.parse::<Token![:]>().map_err(form)?;
        if let Ok(value) = input.fork().parse() {
            return Err(without_type(&ident, &value));
        }
        let ty = input.parse().map_err(form)?;
        let default = match input.parse::<Option<Token![=]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Self {
            attrs,
            vis,
            ident,
            ty,
            default,
        })
    }
}

/// Returns the error for a base field with a literal in place of its type.
fn without_type(field: &Ident, value: &Lit) -> syn::Error {
    let literal = value.to_token_stream();
    let form = match value {
        Lit::Bool(_) => format!("{field}: bool = {literal}"),
        Lit::Str(_) => format!("{field}: String = {literal}.to_owned()"),
        _ => format!("{field}: Type = {literal}"),
    };
    syn::Error::new(value.span(), messages::base_field_without_type(&form))
}

impl Parse for SkillEntry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let path = skill_path(input)?;
        let alias = match input.parse::<Option<Token![as]>>()? {
            Some(_) => Some(alias(input, &path)?),
            None => None,
        };
        let config = if input.peek(token::Brace) {
            config_fields(input)?
        } else {
            Vec::new()
        };
        Ok(Self {
            attrs,
            path,
            alias,
            config,
            is_deferred: false,
        })
    }
}

impl Parse for ConfigEntry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let path = input.parse().map_err(|error: syn::Error| {
            syn::Error::new(error.span(), messages::agent_takes_config())
        })?;
        let fields = if input.peek(token::Brace) {
            config_fields(input)?
        } else {
            Vec::new()
        };
        Ok(Self { path, fields })
    }
}

impl Parse for ConfigField {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        if input.peek(Token![..]) {
            return Err(syn::Error::new(input.span(), messages::config_rest()));
        }
        let form = |error: syn::Error| syn::Error::new(error.span(), messages::config_form());
        let ident: Ident = input.parse().map_err(form)?;
        let value = match input.parse::<Option<Token![:]>>()? {
            Some(_) => input.parse()?,
            None if input.is_empty() || input.peek(Token![,]) => syn::parse_quote!(#ident),
            None => return Err(syn::Error::new(input.span(), messages::config_form())),
        };
        Ok(Self {
            attrs,
            ident,
            value,
        })
    }
}

/// Parses the name after `as`. Validation checks whether a skill can have it.
fn alias(input: ParseStream<'_>, path: &Path) -> syn::Result<Ident> {
    input.call(Ident::parse_any).map_err(|error| {
        let path = path.segments.last().map(|last| last.ident.to_string());
        let message = messages::alias_form(&path.unwrap_or_default());
        syn::Error::new(error.span(), message)
    })
}

/// Parses a path, and reports our own message for anything else.
fn skill_path(input: ParseStream<'_>) -> syn::Result<Path> {
    input
        .parse()
        .map_err(|error: syn::Error| syn::Error::new(error.span(), messages::ENTRY_FORM))
}

fn config_fields(input: ParseStream<'_>) -> syn::Result<Vec<ConfigField>> {
    let content;
    braced!(content in input);
    let fields = Punctuated::<ConfigField, Token![,]>::parse_terminated(&content)?;
    Ok(fields.into_iter().collect())
}

/// Skips to the next comma.
pub(super) fn skip_value(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}
