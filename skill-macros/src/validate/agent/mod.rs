//! The rules for agents that the macro can check. `skill_core` checks the rules about the contents of other types in const
//! evaluation.

mod attributes;
mod base;
mod documents;
mod effects;
mod literals;
mod mountable;
mod schedules;
mod skills;

use super::action::Arg;
use super::{compact_text, generic, grammar, listed_actions, report};
use crate::errors::Errors;
use crate::messages;
use crate::names;
use crate::parse::agent::{AgentInput, AgentKeys, AllowDataFlow, ConfigEntry, ConfigField};
use crate::parse::docs::{self, Docs};
use crate::parse::values::Text;
use crate::paths::{Paths, Root};
use crate::validate::state::secrets::Secrets;
use attributes::{attributes, without_debug};
use base::base_fields;
use documents::documents;
pub(crate) use documents::{Document, Documents};
use literals::literals;
pub(crate) use literals::{ConfigLiteral, LiteralValue};
pub(crate) use mountable::Mountable;
use mountable::mountable;
use proc_macro2::{Ident, Span, TokenStream};
pub(crate) use schedules::Schedule;
use schedules::schedules;
use skills::{config_once, skills};
use std::collections::BTreeMap;
use syn::{Attribute, Path, Token, Visibility};

/// A valid agent, or an agent with mistakes for the stub.
pub(crate) struct Agent {
    pub(crate) paths: Paths,
    /// The `#[cfg]` of the agent's items, if there are several versions.
    pub(crate) cfg: TokenStream,
    /// The doc comments and attributes for the agent only.
    pub(crate) docs: Vec<Attribute>,
    /// The attributes for the agent, its state and its base fields. The derives do not include `Clone`.
    pub(crate) attrs: Vec<Attribute>,
    /// The attributes for the base fields. If there are secrets, the derives do not include `Debug`.
    pub(crate) base_attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) struct_token: Token![struct],
    pub(crate) ident: Ident,
    pub(crate) state: Ident,
    pub(crate) base: Ident,
    pub(crate) name: String,
    pub(crate) version: Option<String>,
    pub(crate) category: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) description: Option<Docs>,
    /// The base fields. They are read, written and described like arguments.
    pub(crate) fields: Vec<Base>,
    /// The secrets among the base fields.
    pub(crate) secrets: Option<Secrets>,
    pub(crate) config: Option<ConfigEntry>,
    /// The literals in the agent's configuration.
    pub(crate) literals: Vec<ConfigLiteral>,
    pub(crate) skills: Vec<ListedSkill>,
    pub(crate) actions: Vec<Path>,
    pub(crate) actions_key: Option<Span>,
    pub(crate) hooks: Option<Span>,
    pub(crate) schedules: Vec<Schedule>,
    /// The skills that may be mounted at run time, or `None` if the key is missing.
    pub(crate) mountable: Option<Vec<Mountable>>,
    /// The documents, or `None` if neither `documents` nor `allow_skills` is given.
    pub(crate) documents: Option<Documents>,
    /// The forbidden hints, as variants of `Hint`.
    pub(crate) forbid: Vec<&'static str>,
    pub(crate) allow_data_flow: Option<AllowDataFlow>,
    /// Whether the input had mistakes. The expansion is then a stub without const checks.
    pub(crate) is_broken: bool,
}

/// A base field.
pub(crate) struct Base {
    pub(crate) arg: Arg,
    pub(crate) vis: Visibility,
    /// The span of the field's option `secret`.
    pub(crate) secret: Option<Span>,
    /// The other attributes, which are passed to rustc.
    pub(crate) attrs: Vec<Attribute>,
}

/// A skill in the list `skills`.
pub(crate) struct ListedSkill {
    pub(crate) cfg: Vec<Attribute>,
    pub(crate) path: Path,
    pub(crate) field: Ident,
    pub(crate) alias: Option<Ident>,
    /// The number of the instance within its type. `cmd` uses number 0.
    pub(crate) number: usize,
    pub(crate) config: Vec<ConfigField>,
    /// The literals in the skill's configuration.
    pub(crate) literals: Vec<ConfigLiteral>,
    /// Whether the skill is in the list `deferred`.
    pub(crate) is_deferred: bool,
    pub(crate) span: Span,
}

/// Checks all rules and reports mistakes. If there are mistakes, the valid parts form the agent for the stub.
pub(crate) fn check(input: AgentInput, root: Root, errors: &mut Errors) -> Agent {
    generic(&input.generics, "an agent", "an `agent!`", errors);
    let keys = input.keys;
    let name = name(
        keys.name.as_ref(),
        input.attempts_name,
        &input.ident,
        errors,
    );
    texts(&keys, errors);
    let (docs, attrs) = attributes(&input.attrs, errors);
    let fields = base_fields(keys.state, errors);
    let actions = listed_actions(&keys.actions, errors);
    if let Some(config) = &keys.config {
        config_once(&config.fields, errors);
    }
    let names: Vec<String> = fields
        .iter()
        .map(|field| names::plain(&field.arg.ident))
        .collect();
    let skills = skills(keys.skills, &names, keys.mounted.is_some(), errors);
    let mountable = mountable(keys.mounted, &fields, errors);
    let paths = Paths::new(root, keys.root.as_ref());
    let secrets = base::secrets(&fields);
    let base_attrs = match &secrets {
        Some(_) => without_debug(&attrs),
        None => attrs.clone(),
    };
    let written = (keys.documents_key, keys.allow_skills);
    let documents = documents(keys.documents, written, &paths, errors);
    Agent {
        paths,
        cfg: TokenStream::new(),
        description: docs::text(&input.attrs),
        docs,
        attrs,
        base_attrs,
        state: names::state_struct(&input.ident),
        base: names::base_struct(&input.ident),
        vis: input.vis,
        struct_token: input.struct_token,
        ident: input.ident,
        name,
        version: keys.version.map(|text| text.value),
        category: keys.category.map(|text| text.value),
        tags: keys.tags.into_iter().map(|text| text.value).collect(),
        secrets,
        fields,
        literals: literals(keys.config.as_ref().map_or(&[], |config| &config.fields)),
        config: keys.config,
        skills,
        actions: once(actions),
        actions_key: keys.actions_key,
        hooks: keys.hooks,
        schedules: schedules(keys.schedules, errors),
        mountable,
        documents,
        forbid: effects::forbid(keys.forbid, errors),
        allow_data_flow: effects::allow_data_flow(keys.allow_data_flow, errors),
        is_broken: false,
    }
}

/// Removes duplicate paths.
fn once(paths: Vec<Path>) -> Vec<Path> {
    let mut seen = BTreeMap::new();
    let is_first = |path: &Path| seen.insert(compact_text(path), ()).is_none();
    paths.into_iter().filter(is_first).collect()
}

/// An agent must have a name.
fn name(written: Option<&Text>, attempted: bool, ident: &Ident, errors: &mut Errors) -> String {
    let suggestion = names::snake(ident);
    match written {
        Some(text) => {
            grammar::name(text, "an agent", errors);
            text.value.clone()
        }
        None => {
            if !attempted {
                report(messages::agent_without_name(&suggestion), ident, errors);
            }
            suggestion
        }
    }
}

fn texts(keys: &AgentKeys, errors: &mut Errors) {
    grammar::version(keys.version.as_ref(), errors);
    grammar::not_empty(&keys.category, "the category", errors);
    for tag in &keys.tags {
        grammar::not_empty(&Some(tag.clone()), "a tag", errors);
    }
}
