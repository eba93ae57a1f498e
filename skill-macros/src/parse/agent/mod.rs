//! Parses `agent!`.

mod documents;
mod effects;
mod entries;
mod keys;
mod schedules;

pub(crate) use documents::{DocumentEntry, Switch};
pub(crate) use effects::AllowDataFlow;
pub(crate) use entries::{BaseField, BaseFieldOptions, ConfigEntry, ConfigField, SkillEntry};
pub(crate) use keys::AgentKeys;
pub(crate) use schedules::ScheduleEntry;

use entries::skip_value;
use keys::{KEYS, KeyAt, ReadValue, key_names};

use crate::errors::Errors;
use crate::messages;
use proc_macro2::Span;
use std::collections::BTreeMap;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, discouraged::Speculative};
use syn::{Attribute, Generics, Ident, Token, Visibility, braced, token};

/// The macro's whole input.
pub(crate) struct AgentInput {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) struct_token: Token![struct],
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) keys: AgentKeys,
    /// Whether the user wrote a name that could not be parsed.
    pub(crate) attempts_name: bool,
}

/// The names that are not keys, with a suggested fix for each.
const ELSEWHERE: &[(&str, &str)] = &[
    ("description", "an agent is described by its doc comment"),
    ("doc", "an agent is described by its doc comment"),
];

/// Parses the head, which must be valid, and the keys. After an invalid key, parsing continues.
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
    if let Some(attribute) = input.call(Attribute::parse_outer)?.first() {
        errors.report(messages::no_attribute_on_a_key(), attribute);
    }
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
            // the value is parsed on a fork, so that an invalid value can be skipped as a whole
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

fn skip_rest(input: ParseStream<'_>) -> syn::Result<()> {
    input.parse::<proc_macro2::TokenStream>().map(drop)
}
