//! `agent!` as written.

mod documents;
mod entries;

pub(crate) use documents::{DocumentEntry, Switch};
pub(crate) use entries::{BaseField, ConfigEntry, ConfigField, SkillEntry};

use entries::{base_fields, skip_value};

use super::values::Text;
use crate::errors::Errors;
use crate::messages;
use proc_macro2::Span;
use std::collections::BTreeMap;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, discouraged::Speculative};
use syn::punctuated::Punctuated;
use syn::{Attribute, Generics, Ident, LitStr, Path, Token, Visibility, braced, bracketed, token};

/// Everything the macro was given. A key that could not be read is told and absent.
pub(crate) struct AgentInput {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) struct_token: Token![struct],
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
    /// None where the key is not there.
    pub(crate) mounted: Option<Vec<SkillEntry>>,
    pub(crate) documents: Vec<DocumentEntry>,
    /// Where `documents` was written.
    pub(crate) documents_key: Option<Span>,
    pub(crate) allow_skills: Option<Switch>,
    pub(crate) root: Option<Path>,
    /// Whether the user tried to write a name that could not be read.
    pub(crate) attempts_name: bool,
}

/// The keys there are, for messages.
pub(crate) const KEYS: &[&str] = &[
    "name",
    "version",
    "category",
    "tags",
    "state",
    "config",
    "skills",
    "actions",
    "hooks",
    "mounted",
    "documents",
    "allow_skills",
    "crate",
];

/// What is no key, with what to say when it is written as one.
const ELSEWHERE: &[(&str, &str)] = &[
    ("description", "an agent is described by its doc comment"),
    ("doc", "an agent is described by its doc comment"),
];

/// Reads the head strictly and the keys one by one, each with its own errors.
pub(crate) fn read(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<AgentInput> {
    if input.is_empty() {
        return Err(syn::Error::new(input.span(), messages::AGENT_FORM));
    }
    let attrs = input.call(Attribute::parse_outer)?;
    let vis = input.parse()?;
    let struct_token = input
        .parse::<Token![struct]>()
        .map_err(|error| syn::Error::new(error.span(), messages::AGENT_FORM))?;
    let ident = input.parse()?;
    let generics = input.parse()?;
    let mut agent = AgentInput {
        attrs,
        vis,
        struct_token,
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
        mounted: None,
        documents: Vec::new(),
        documents_key: None,
        allow_skills: None,
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
            errors.report_at(messages::keys_end_in_commas(), content.span());
            skip_value(&content)?;
            let _ = content.parse::<Token![,]>();
        }
    }
    if !input.is_empty() {
        errors.report_at(messages::one_agent(), input.span());
        skip_rest(input)?;
    }
    Ok(agent)
}

fn read_key(
    input: ParseStream<'_>,
    agent: &mut AgentInput,
    seen: &mut BTreeMap<String, Span>,
    errors: &mut Errors,
) -> syn::Result<()> {
    let Ok(ident) = input.call(Ident::parse_any) else {
        errors.report_at(messages::agent_key_expected(KEYS), input.span());
        return skip_value(input);
    };
    let key = ident.to_string();
    if !KEYS.contains(&&*key) {
        agent.attempts_name |= messages::nearest(&key, KEYS) == Some("name");
        let message = match ELSEWHERE.iter().find(|(known, _)| *known == key) {
            Some((_, cure)) => messages::elsewhere(&key, "`agent!`", cure),
            None => messages::unknown_key(&key, KEYS),
        };
        errors.report(message, &ident);
        return skip_value(input);
    }
    if let Some(first) = seen.insert(key.clone(), ident.span()) {
        errors.report_at(messages::repeated_here(&key), first);
        errors.report(messages::repeated(&key), &ident);
        return skip_value(input);
    }
    agent.attempts_name |= key == "name";
    if key == "hooks" {
        agent.hooks = Some(ident.span());
        if input.peek(Token![:]) {
            errors.report(messages::takes_nothing("hooks"), &ident);
            return skip_value(input);
        }
        return Ok(());
    }
    if input.peek(Token![=]) {
        errors.report_at(messages::agent_key_colon(&key), input.span());
        return skip_value(input);
    }
    if input.parse::<Token![:]>().is_err() {
        errors.report(messages::agent_key_value(&key), &ident);
        return skip_value(input);
    }
    // on a copy, so that a wrong value can be skipped as a whole
    let ahead = input.fork();
    match read_value(&ahead, &key, ident.span(), agent, errors) {
        Ok(()) => input.advance_to(&ahead),
        Err(error) => {
            errors.push(error);
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
    errors: &mut Errors,
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
        "skills" => {
            let forms = (messages::SKILLS_FORM, messages::ENTRY_FORM);
            agent.skills = entries::entries(input, forms, errors)?;
        }
        "mounted" => {
            agent.mounted = Some(Vec::new());
            let forms = (messages::MOUNTED_FORM, messages::MOUNTED_FORM);
            agent.mounted = Some(entries::entries(input, forms, errors)?);
        }
        "documents" => {
            agent.documents_key = Some(span);
            agent.documents = documents::entries(input, errors)?;
        }
        "allow_skills" => agent.allow_skills = Some(documents::switch(input, span)?),
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
    input
        .call(Path::parse_mod_style)
        .map_err(|error| syn::Error::new(error.span(), messages::agent_takes_path()))
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

fn skip_rest(input: ParseStream<'_>) -> syn::Result<()> {
    input.parse::<proc_macro2::TokenStream>().map(drop)
}
