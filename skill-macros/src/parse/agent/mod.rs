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

/// Everything the macro was given.
pub(crate) struct AgentInput {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) struct_token: Token![struct],
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) keys: AgentKeys,
    /// Whether the user tried to write a name that could not be read.
    pub(crate) attempts_name: bool,
}

/// The values of the keys. A key whose value could not be read is absent.
#[derive(Default)]
pub(crate) struct AgentKeys {
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
    /// `None` without the key.
    pub(crate) mounted: Option<Vec<SkillEntry>>,
    pub(crate) documents: Vec<DocumentEntry>,
    /// The span of the key `documents`.
    pub(crate) documents_key: Option<Span>,
    pub(crate) allow_skills: Option<Switch>,
    pub(crate) root: Option<Path>,
}

/// A key of `agent!`.
struct Key {
    name: &'static str,
    /// An example of the value, for messages.
    example: &'static str,
    read: ReadValue,
}

/// Reads the value of a key. A key without a value, `hooks`, has a function of its own.
enum ReadValue {
    Value(fn(ParseStream<'_>, &KeyAt, &mut AgentKeys, &mut Errors) -> syn::Result<()>),
    NoValue(fn(Span, &mut AgentKeys)),
}

/// A key where the user wrote it.
struct KeyAt {
    /// The key with an example of its value, for messages: `name: "..."`.
    form: String,
    name: &'static str,
    span: Span,
}

/// The keys, in the order in which messages list them.
const KEYS: &[Key] = &[
    key("name", "\"...\"", |input, key, keys, _| {
        keys.name = Some(text(input, key)?);
        Ok(())
    }),
    key("version", "\"...\"", |input, key, keys, _| {
        keys.version = Some(text(input, key)?);
        Ok(())
    }),
    key("category", "\"...\"", |input, key, keys, _| {
        keys.category = Some(text(input, key)?);
        Ok(())
    }),
    key("tags", "[\"first\", \"second\"]", |input, key, keys, _| {
        let form = || messages::takes_text_array(key.name, &key.form);
        let tags = list::<LitStr>(input, form)?;
        keys.tags = tags.iter().map(Text::from).collect();
        Ok(())
    }),
    key("state", "{ name: Type = value }", |input, _, keys, _| {
        keys.state = base_fields(input)?;
        Ok(())
    }),
    key("config", "Type { key: value }", |input, _, keys, _| {
        keys.config = Some(input.parse()?);
        Ok(())
    }),
    key(
        "skills",
        "[Skill, Other as name]",
        |input, _, keys, errors| {
            let forms = (messages::SKILLS_FORM, messages::ENTRY_FORM);
            keys.skills = entries::entries(input, forms, errors)?;
            Ok(())
        },
    ),
    key("actions", "[First, Second]", |input, key, keys, _| {
        let form = || messages::takes_path_array(key.name, &key.form);
        keys.actions = list(input, form)?;
        keys.actions_key = Some(key.span);
        Ok(())
    }),
    Key {
        name: "hooks",
        example: "",
        read: ReadValue::NoValue(|span, keys| keys.hooks = Some(span)),
    },
    key("mounted", "[Skill, Other]", |input, _, keys, errors| {
        keys.mounted = Some(Vec::new());
        let forms = (messages::MOUNTED_FORM, messages::MOUNTED_FORM);
        keys.mounted = Some(entries::entries(input, forms, errors)?);
        Ok(())
    }),
    key(
        "documents",
        "[PLAN, ..FOLDER]",
        |input, key, keys, errors| {
            keys.documents_key = Some(key.span);
            keys.documents = documents::entries(input, errors)?;
            Ok(())
        },
    ),
    key("allow_skills", "true", |input, key, keys, _| {
        keys.allow_skills = Some(documents::switch(input, key.span)?);
        Ok(())
    }),
    key("crate", "renamed", |input, _, keys, _| {
        keys.root = Some(root_path(input)?);
        Ok(())
    }),
];

const fn key(
    name: &'static str,
    example: &'static str,
    read: fn(ParseStream<'_>, &KeyAt, &mut AgentKeys, &mut Errors) -> syn::Result<()>,
) -> Key {
    Key {
        name,
        example,
        read: ReadValue::Value(read),
    }
}

/// The names of the keys, for messages.
fn key_names() -> Vec<&'static str> {
    KEYS.iter().map(|key| key.name).collect()
}

/// Names that are not keys, each with what to write instead.
const ELSEWHERE: &[(&str, &str)] = &[
    ("description", "an agent is described by its doc comment"),
    ("doc", "an agent is described by its doc comment"),
];

/// Reads the head, which has to be right, and the keys; a wrong key does not stop the others.
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
        keys: AgentKeys::default(),
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
        errors.report_at(messages::agent_key_expected(&key_names()), input.span());
        return skip_value(input);
    };
    let name = ident.to_string();
    let Some(key) = KEYS.iter().find(|key| key.name == name) else {
        agent.attempts_name |= messages::nearest(&name, &key_names()) == Some("name");
        let message = match ELSEWHERE.iter().find(|(known, _)| *known == name) {
            Some((_, cure)) => messages::elsewhere(&name, "`agent!`", cure),
            None => messages::unknown_key(&name, &key_names()),
        };
        errors.report(message, &ident);
        return skip_value(input);
    };
    if let Some(first) = seen.insert(name.clone(), ident.span()) {
        errors.report_at(messages::repeated_here(&name), first);
        errors.report(messages::repeated(&name), &ident);
        return skip_value(input);
    }
    agent.attempts_name |= name == "name";
    match key.read {
        ReadValue::NoValue(set) => {
            set(ident.span(), &mut agent.keys);
            if input.peek(Token![:]) {
                errors.report(messages::takes_nothing(key.name), &ident);
                return skip_value(input);
            }
        }
        ReadValue::Value(read) => {
            let at = KeyAt {
                form: format!("{}: {}", key.name, key.example),
                name: key.name,
                span: ident.span(),
            };
            if input.peek(Token![=]) {
                errors.report_at(messages::agent_key_colon(&at.form), input.span());
                return skip_value(input);
            }
            if input.parse::<Token![:]>().is_err() {
                errors.report(messages::agent_key_value(key.name, &at.form), &ident);
                return skip_value(input);
            }
            // on a copy, so that a wrong value can be skipped as a whole
            let ahead = input.fork();
            match read(&ahead, &at, &mut agent.keys, errors) {
                Ok(()) => input.advance_to(&ahead),
                Err(error) => {
                    errors.push(error);
                    skip_value(input)?;
                }
            }
        }
    }
    Ok(())
}

fn text(input: ParseStream<'_>, key: &KeyAt) -> syn::Result<Text> {
    let literal: LitStr = input.parse().map_err(|error| {
        let message = messages::agent_takes_text(key.name, &key.form);
        syn::Error::new(error.span(), message)
    })?;
    Ok(Text::from(&literal))
}

/// A path without type arguments, as in `crate: renamed::core`.
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
