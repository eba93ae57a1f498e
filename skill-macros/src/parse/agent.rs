//! `agent!` as written.

use super::values::Text;
use crate::messages;
use darling::Error;
use darling::error::Accumulator;
use proc_macro2::Span;
use std::collections::BTreeMap;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, discouraged::Speculative};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, Generics, Ident, LitStr, Path, Token, Type, Visibility, braced, bracketed,
    token,
};

/// Everything the macro was given. A key that could not be read is told and absent.
pub(crate) struct AgentInput {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) name: Option<Text>,
    pub(crate) version: Option<Text>,
    pub(crate) category: Option<Text>,
    pub(crate) tags: Vec<Text>,
    pub(crate) state: Vec<BaseField>,
    pub(crate) config: Option<ConfigEntry>,
    pub(crate) skills: Vec<SkillEntry>,
    pub(crate) actions: Vec<Path>,
    pub(crate) actions_key: Option<Span>,
    pub(crate) hooks: Option<Span>,
    pub(crate) root: Option<Path>,
    /// Whether the user tried to write a name that could not be read.
    pub(crate) attempts_name: bool,
}

/// The keys there are, for messages.
pub(crate) const KEYS: &[&str] = &[
    "name", "version", "category", "tags", "state", "config", "skills", "actions", "hooks", "crate",
];

/// `mode: Mode = Mode::Interactive`
pub(crate) struct BaseField {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) default: Option<Expr>,
}

/// `Stats as s { window: 100 }`
pub(crate) struct SkillEntry {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) path: Path,
    pub(crate) alias: Option<Ident>,
    pub(crate) config: Vec<ConfigField>,
}

/// `Limits { tries: 3 }`
pub(crate) struct ConfigEntry {
    pub(crate) path: Path,
    pub(crate) fields: Vec<ConfigField>,
}

/// `window: 100`
pub(crate) struct ConfigField {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) ident: Ident,
    pub(crate) value: Expr,
}

/// Reads the head strictly and the keys one by one, each with its own errors.
pub(crate) fn read(input: ParseStream<'_>, errors: &mut Accumulator) -> syn::Result<AgentInput> {
    if input.is_empty() {
        return Err(input.error(messages::AGENT_FORM));
    }
    let attrs = input.call(Attribute::parse_outer)?;
    let vis = input.parse()?;
    input
        .parse::<Token![struct]>()
        .map_err(|error| syn::Error::new(error.span(), messages::AGENT_FORM))?;
    let ident = input.parse()?;
    let generics = input.parse()?;
    let mut agent = AgentInput {
        attrs,
        vis,
        ident,
        generics,
        name: None,
        version: None,
        category: None,
        tags: Vec::new(),
        state: Vec::new(),
        config: None,
        skills: Vec::new(),
        actions: Vec::new(),
        actions_key: None,
        hooks: None,
        root: None,
        attempts_name: false,
    };
    if !input.peek(token::Brace) {
        return Err(input.error(messages::AGENT_FORM));
    }
    let content;
    braced!(content in input);
    let mut seen = BTreeMap::new();
    while !content.is_empty() {
        read_key(&content, &mut agent, &mut seen, errors)?;
        if !content.is_empty() && content.parse::<Token![,]>().is_err() {
            errors.push(
                content
                    .error("expected `,` between the keys of an agent")
                    .into(),
            );
            skip_value(&content)?;
            let _ = content.parse::<Token![,]>();
        }
    }
    if !input.is_empty() {
        errors.push(
            input
                .error("one `agent!` makes one agent; write another `agent!` for the next")
                .into(),
        );
        skip_rest(input)?;
    }
    Ok(agent)
}

fn read_key(
    input: ParseStream<'_>,
    agent: &mut AgentInput,
    seen: &mut BTreeMap<String, Span>,
    errors: &mut Accumulator,
) -> syn::Result<()> {
    let Ok(ident) = input.call(Ident::parse_any) else {
        errors.push(input.error(messages::agent_key_expected(KEYS)).into());
        return skip_value(input);
    };
    let key = ident.to_string();
    if !KEYS.contains(&&*key) {
        agent.attempts_name |= messages::nearest(&key, KEYS) == Some("name");
        let message = messages::unknown_option(&key, "`agent!`", KEYS);
        errors.push(Error::custom(message).with_span(&ident));
        return skip_value(input);
    }
    if let Some(first) = seen.insert(key.clone(), ident.span()) {
        errors.push(Error::custom(messages::repeated_here(&key)).with_span(&first));
        errors.push(Error::custom(messages::repeated(&key)).with_span(&ident));
        return skip_value(input);
    }
    agent.attempts_name |= key == "name";
    if key == "hooks" {
        agent.hooks = Some(ident.span());
        if input.peek(Token![:]) {
            errors.push(Error::custom(messages::takes_nothing("hooks")).with_span(&ident));
            return skip_value(input);
        }
        return Ok(());
    }
    if input.parse::<Token![:]>().is_err() {
        errors.push(Error::custom(messages::agent_key_value(&key)).with_span(&ident));
        return skip_value(input);
    }
    // on a copy, so that a wrong value can be skipped as a whole
    let ahead = input.fork();
    match read_value(&ahead, &key, ident.span(), agent, errors) {
        Ok(()) => input.advance_to(&ahead),
        Err(error) => {
            errors.push(error.into());
            skip_value(input)?;
        }
    }
    Ok(())
}

fn read_value(
    input: ParseStream<'_>,
    key: &str,
    span: Span,
    agent: &mut AgentInput,
    errors: &mut Accumulator,
) -> syn::Result<()> {
    match key {
        "name" => agent.name = Some(text(input, key)?),
        "version" => agent.version = Some(text(input, key)?),
        "category" => agent.category = Some(text(input, key)?),
        "tags" => {
            agent.tags = list::<LitStr>(input, || messages::takes_text_array(key))?
                .iter()
                .map(Text::from)
                .collect();
        }
        "state" => agent.state = base_fields(input)?,
        "config" => agent.config = Some(input.parse()?),
        "skills" => agent.skills = entries(input, errors)?,
        "actions" => {
            agent.actions = list(input, || messages::takes_path_array(key))?;
            agent.actions_key = Some(span);
        }
        _ => agent.root = Some(root_path(input)?),
    }
    Ok(())
}

fn text(input: ParseStream<'_>, key: &str) -> syn::Result<Text> {
    let literal: LitStr = input
        .parse()
        .map_err(|error| syn::Error::new(error.span(), messages::agent_takes_text(key)))?;
    Ok(Text::from(&literal))
}

/// `crate` may be a plain `crate`, which is no path by syn's mod style alone.
fn root_path(input: ParseStream<'_>) -> syn::Result<Path> {
    input.call(Path::parse_mod_style)
}

fn list<T: Parse>(input: ParseStream<'_>, form: impl Fn() -> String) -> syn::Result<Vec<T>> {
    if !input.peek(token::Bracket) {
        return Err(input.error(form()));
    }
    let content;
    bracketed!(content in input);
    let items = Punctuated::<T, Token![,]>::parse_terminated(&content)
        .map_err(|error| syn::Error::new(error.span(), form()))?;
    Ok(items.into_iter().collect())
}

fn base_fields(input: ParseStream<'_>) -> syn::Result<Vec<BaseField>> {
    if !input.peek(token::Brace) {
        return Err(input.error(messages::STATE_FORM));
    }
    let content;
    braced!(content in input);
    let fields = Punctuated::<BaseField, Token![,]>::parse_terminated(&content)?;
    Ok(fields.into_iter().collect())
}

fn entries(input: ParseStream<'_>, errors: &mut Accumulator) -> syn::Result<Vec<SkillEntry>> {
    if !input.peek(token::Bracket) {
        return Err(input.error(messages::SKILLS_FORM));
    }
    let content;
    bracketed!(content in input);
    let mut entries = Vec::new();
    while !content.is_empty() {
        let ahead = content.fork();
        match ahead.parse::<SkillEntry>() {
            Ok(entry) => {
                content.advance_to(&ahead);
                entries.push(entry);
            }
            Err(error) => {
                errors.push(error.into());
                skip_value(&content)?;
            }
        }
        if !content.is_empty() && content.parse::<Token![,]>().is_err() {
            errors.push(content.error(messages::ENTRY_FORM).into());
            skip_value(&content)?;
            let _ = content.parse::<Token![,]>();
        }
    }
    Ok(entries)
}

impl Parse for BaseField {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let form = |error: syn::Error| syn::Error::new(error.span(), messages::STATE_FORM);
        let ident = input.parse().map_err(form)?;
        input.parse::<Token![:]>().map_err(form)?;
        let ty = input.parse()?;
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

impl Parse for SkillEntry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let path = skill_path(input)?;
        let alias = match input.parse::<Option<Token![as]>>()? {
            Some(_) => Some(input.call(Ident::parse_any)?),
            None => None,
        };
        let config = match input.peek(token::Brace) {
            true => config_fields(input)?,
            false => Vec::new(),
        };
        Ok(Self {
            attrs,
            path,
            alias,
            config,
        })
    }
}

impl Parse for ConfigEntry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let path = input.parse()?;
        let fields = match input.peek(token::Brace) {
            true => config_fields(input)?,
            false => Vec::new(),
        };
        Ok(Self { path, fields })
    }
}

impl Parse for ConfigField {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let ident: Ident = input.parse()?;
        let value = match input.parse::<Option<Token![:]>>()? {
            Some(_) => input.parse()?,
            None => syn::parse_quote!(#ident),
        };
        Ok(Self {
            attrs,
            ident,
            value,
        })
    }
}

/// A path, and our words where something else stands.
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
fn skip_value(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}

fn skip_rest(input: ParseStream<'_>) -> syn::Result<()> {
    input.parse::<proc_macro2::TokenStream>().map(drop)
}
