//! Declares the keys of `agent!` with their names, values and examples.

use super::documents::{self, DocumentEntry, Switch};
use super::effects::{self, AllowDataFlow};
use super::entries::{self, BaseField, ConfigEntry, SkillEntry, base_fields};
use super::schedules::{ScheduleEntry, schedules};
use crate::conditions::is_cfg;
use crate::errors::Errors;
use crate::messages;
use crate::parse::listed_actions::ActionList;
use crate::parse::values::Text;
use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, LitStr, Path, Token, bracketed, token};

/// The values of the keys. If a key could not be parsed, its value is missing.
#[derive(Default)]
pub(crate) struct AgentKeys {
    pub(crate) name: Option<Text>,
    pub(crate) version: Option<Text>,
    pub(crate) category: Option<Text>,
    pub(crate) tags: Vec<Text>,
    pub(crate) state: Vec<BaseField>,
    pub(crate) config: Option<ConfigEntry>,
    /// The entries of `skills` and `deferred`.
    pub(crate) skills: Vec<SkillEntry>,
    pub(crate) actions: ActionList,
    pub(crate) actions_key: Option<Span>,
    pub(crate) hooks: Option<Span>,
    pub(crate) schedules: Vec<ScheduleEntry>,
    /// The entries of `mounted`, or `None` if the key is missing.
    pub(crate) mounted: Option<Vec<SkillEntry>>,
    pub(crate) documents: Vec<DocumentEntry>,
    /// The span of the key `documents`.
    pub(crate) documents_key: Option<Span>,
    pub(crate) allow_skills: Option<Switch>,
    pub(crate) forbid: Vec<Ident>,
    pub(crate) allow_data_flow: Option<AllowDataFlow>,
    pub(crate) root: Option<Path>,
}

impl AgentKeys {
    /// Returns the attributes of the parts that may depend on a case: the base fields and the agent's own actions.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = &Attribute> {
        let of_fields = self.state.iter().flat_map(|field| &field.attrs);
        of_fields.chain(self.actions.attrs())
    }

    /// Keeps the parts that satisfy `keeps`, and removes their `#[cfg]`.
    pub(crate) fn keep(&mut self, keeps: impl Fn(&[Attribute]) -> bool) {
        self.state.retain(|field| keeps(&field.attrs));
        for field in &mut self.state {
            field.attrs.retain(|attr| !is_cfg(attr));
        }
        self.actions.keep(keeps);
    }
}

/// A key of `agent!`.
pub(super) struct Key {
    pub(super) name: &'static str,
    /// An example value for messages.
    pub(super) example: &'static str,
    pub(super) read: ReadValue,
}

/// The function that parses a key's value. The key `hooks` has no value and needs a different kind of function.
pub(super) enum ReadValue {
    Value(fn(ParseStream<'_>, &KeyAt, &mut AgentKeys, &mut Errors) -> syn::Result<()>),
    NoValue(fn(Span, &mut AgentKeys)),
}

/// A key in the user's input.
pub(super) struct KeyAt {
    /// The key with an example value, for messages, such as `name: "..."`.
    pub(super) form: String,
    pub(super) name: &'static str,
    pub(super) span: Span,
}

/// All keys, in the order that messages use.
pub(super) const KEYS: &[Key] = &[
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
            let skills = entries::entries(input, forms, errors)?;
            // in the order of the state, whichever key comes first
            keys.skills.splice(..0, skills);
            Ok(())
        },
    ),
    key(
        "deferred",
        "[Skill, Other as name]",
        |input, _, keys, errors| {
            let forms = (messages::DEFERRED_FORM, messages::ENTRY_FORM);
            let deferred = entries::entries(input, forms, errors)?.into_iter();
            keys.skills.extend(deferred.map(|entry| SkillEntry {
                is_deferred: true,
                ..entry
            }));
            Ok(())
        },
    ),
    key("actions", "[First, Second]", |input, key, keys, _| {
        let form = || messages::takes_path_array(key.name, &key.form);
        keys.actions = ActionList(list(input, form)?);
        keys.actions_key = Some(key.span);
        Ok(())
    }),
    Key {
        name: "hooks",
        example: "",
        read: ReadValue::NoValue(|span, keys| keys.hooks = Some(span)),
    },
    key(
        "schedules",
        "[hourly = every(HOUR) => \"feed.fetch\"]",
        |input, _, keys, _| {
            keys.schedules = schedules(input)?;
            Ok(())
        },
    ),
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
    key(
        "forbid",
        "[destructive, open_world]",
        |input, _, keys, _| {
            keys.forbid = effects::forbid(input)?;
            Ok(())
        },
    ),
    key("allow_data_flow", "\"reason\"", |input, key, keys, _| {
        keys.allow_data_flow = Some(AllowDataFlow {
            reason: text(input, key)?,
            key: key.span,
        });
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

/// Returns the names of all keys, for messages.
pub(super) fn key_names() -> Vec<&'static str> {
    KEYS.iter().map(|key| key.name).collect()
}

fn text(input: ParseStream<'_>, key: &KeyAt) -> syn::Result<Text> {
    let literal: LitStr = input.parse().map_err(|error| {
        let message = messages::agent_takes_text(key.name, &key.form);
        syn::Error::new(error.span(), message)
    })?;
    Ok(Text::from(&literal))
}

/// Parses a path without type arguments, as in `crate: renamed::core`.
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
