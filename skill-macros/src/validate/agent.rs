//! The rules of an agent that the macro can see; what stands in other types is checked by `skill_core::compose`.

use super::action::Arg;
use super::{grammar, listed_once, serde_metas, spelled, tell};
use crate::messages;
use crate::names;
use crate::parse::agent::{AgentInput, BaseField, ConfigEntry, ConfigField, SkillEntry};
use crate::parse::docs;
use crate::parse::values::Text;
use crate::paths::{Paths, Root};
use darling::error::Accumulator;
use proc_macro2::{Ident, Span};
use std::collections::BTreeMap;
use syn::ext::IdentExt;
use syn::visit::Visit;
use syn::{Attribute, Expr, Lit, Meta, Path, Visibility};

/// An agent that holds.
pub(crate) struct Agent {
    pub(crate) paths: Paths,
    /// Doc comments and attributes, for the agent alone.
    pub(crate) docs: Vec<Attribute>,
    /// Attributes that the agent, its state and its base share; `Clone` is not among the derives.
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
    pub(crate) state: Ident,
    pub(crate) base: Ident,
    pub(crate) name: String,
    pub(crate) version: Option<String>,
    pub(crate) category: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) description: Option<String>,
    /// The base fields: read, written and described as arguments are.
    pub(crate) fields: Vec<Base>,
    pub(crate) config: Option<ConfigEntry>,
    pub(crate) skills: Vec<Mounted>,
    pub(crate) actions: Vec<Path>,
    pub(crate) actions_key: Option<Span>,
    pub(crate) hooks: Option<Span>,
    /// Whether something was wrong: the agent stands in, and nothing that follows from it is told.
    pub(crate) is_broken: bool,
}

/// A base field.
pub(crate) struct Base {
    pub(crate) arg: Arg,
    pub(crate) vis: Visibility,
    /// What rustc reads beside the doc comments.
    pub(crate) attrs: Vec<Attribute>,
}

/// A skill of an agent.
pub(crate) struct Mounted {
    pub(crate) cfg: Vec<Attribute>,
    pub(crate) path: Path,
    pub(crate) field: Ident,
    pub(crate) alias: Option<Ident>,
    /// Tells instances of one type apart; 0 is the one that `cmd` means.
    pub(crate) at: usize,
    pub(crate) config: Vec<ConfigField>,
    pub(crate) span: Span,
}

/// Methods that every agent has; an alias becomes a method too.
const METHODS: &[&str] = &[
    "actions",
    "builder",
    "call",
    "call_at",
    "clone",
    "cmd",
    "cmd_at",
    "config",
    "describe",
    "from_state_json",
    "id",
    "new",
    "run",
    "run_at",
    "schema",
    "set",
    "skill_config",
    "skill_specs",
    "skill_state",
    "skills",
    "state",
    "state_json",
    "state_of",
    "tools",
    "validate",
    "with_id",
];

/// Checks everything; the agent is made also when something is wrong, as far as it can be, to stand in for it.
pub(crate) fn check(input: AgentInput, root: Root, errors: &mut Accumulator) -> Agent {
    if !input.generics.params.is_empty() {
        tell(messages::generic("an agent"), &input.generics, errors);
    }
    let name = name(
        input.name.as_ref(),
        input.attempts_name,
        &input.ident,
        errors,
    );
    texts(&input, errors);
    let (docs, attrs) = attributes(&input.attrs, errors);
    let fields = base_fields(input.state, errors);
    listed_once(&input.actions, "the action", errors);
    if let Some(config) = &input.config {
        config_once(&config.fields, errors);
    }
    let names: Vec<String> = fields
        .iter()
        .map(|field| names::plain(&field.arg.ident))
        .collect();
    let skills = skills(input.skills, &names, errors);
    Agent {
        paths: Paths::new(root, input.root.as_ref()),
        description: docs::text(&input.attrs),
        docs,
        attrs,
        state: names::state_struct(&input.ident),
        base: names::base_struct(&input.ident),
        vis: input.vis,
        ident: input.ident,
        name,
        version: input.version.map(|text| text.value),
        category: input.category.map(|text| text.value),
        tags: input.tags.into_iter().map(|text| text.value).collect(),
        fields,
        config: input.config,
        skills,
        actions: once(input.actions),
        actions_key: input.actions_key,
        hooks: input.hooks,
        is_broken: false,
    }
}

/// Each path once.
fn once(paths: Vec<Path>) -> Vec<Path> {
    let mut seen = BTreeMap::new();
    let is_first = |path: &Path| seen.insert(spelled(path), ()).is_none();
    paths.into_iter().filter(is_first).collect()
}

/// An agent has a name.
fn name(
    written: Option<&Text>,
    attempted: bool,
    ident: &Ident,
    errors: &mut Accumulator,
) -> String {
    let suggestion = names::snake(ident);
    match written {
        Some(text) => {
            grammar::name(text, "an agent", errors);
            text.value.clone()
        }
        None => {
            if !attempted {
                tell(messages::agent_without_name(&suggestion), ident, errors);
            }
            suggestion
        }
    }
}

fn texts(input: &AgentInput, errors: &mut Accumulator) {
    grammar::version(&input.version, errors);
    grammar::not_empty(&input.category, "the category", errors);
    for tag in &input.tags {
        grammar::not_empty(&Some(tag.clone()), "a tag", errors);
    }
}

/// Derives that `agent!` writes itself, or that make no sense on an agent.
const OWN_DERIVES: &[&str] = &[
    "Default",
    "Serialize",
    "Deserialize",
    "JsonSchema",
    "Copy",
    "Skill",
];

/// Splits the attributes: those of the agent alone, and those it shares with its state. Takes `Clone` out of the derives,
/// which is always there.
fn attributes(attrs: &[Attribute], errors: &mut Accumulator) -> (Vec<Attribute>, Vec<Attribute>) {
    let (docs, rest): (Vec<_>, Vec<_>) = attrs
        .iter()
        .cloned()
        .partition(|attr| attr.path().is_ident("doc"));
    let mut shared = Vec::new();
    for attr in rest {
        if attr.path().is_ident("serde") || attr.path().is_ident("schemars") {
            tell(messages::agent_serde(), attr.path(), errors);
        } else if attr.path().is_ident("derive") {
            shared.extend(derives(&attr, errors));
        } else {
            shared.push(attr);
        }
    }
    (docs, shared)
}

fn derives(attr: &Attribute, errors: &mut Accumulator) -> Option<Attribute> {
    type Paths = syn::punctuated::Punctuated<Path, syn::Token![,]>;
    let paths = match attr.parse_args_with(Paths::parse_terminated) {
        Ok(paths) => paths,
        Err(error) => {
            errors.push(error.into());
            return None;
        }
    };
    let mut kept = Vec::new();
    for path in paths {
        let Some(last) = path.segments.last() else {
            continue;
        };
        if OWN_DERIVES.iter().any(|own| last.ident == own) {
            tell(
                messages::agent_derives(&last.ident.to_string()),
                &path,
                errors,
            );
        } else if last.ident != "Clone" {
            kept.push(path);
        }
    }
    (!kept.is_empty()).then(|| syn::parse_quote!(#[derive(#(#kept),*)]))
}

/// Base fields have different keys. Of serde's attributes they take `rename` only: the macro has to know the key.
fn base_fields(fields: Vec<BaseField>, errors: &mut Accumulator) -> Vec<Base> {
    let mut keys: BTreeMap<String, Span> = BTreeMap::new();
    let mut list = Vec::new();
    for field in fields {
        let mut key = names::plain(&field.ident);
        for meta in serde_metas(&field.attrs) {
            match renamed(&meta) {
                Some(name) => key = name,
                None if meta.path().is_ident("flatten") => {
                    tell(messages::flattened("the state"), meta.path(), errors);
                }
                None => tell(messages::base_field_attribute(), meta.path(), errors),
            }
        }
        let same_ident = list
            .iter()
            .any(|other: &Base| other.arg.ident == field.ident);
        if let Some(first) = keys.insert(key.clone(), field.ident.span()) {
            tell(messages::listed_here(&key), &first, errors);
            tell(messages::base_field_twice(&key), &field.ident, errors);
        } else if same_ident {
            tell(
                messages::base_field_twice(&field.ident.to_string()),
                &field.ident,
                errors,
            );
        } else {
            list.push(base_field(field, key));
        }
    }
    list
}

fn base_field(field: BaseField, key: String) -> Base {
    let is_ours = |attr: &Attribute| attr.path().is_ident("doc") || attr.path().is_ident("serde");
    Base {
        arg: Arg {
            docs: docs::attributes(&field.attrs).cloned().collect(),
            description: docs::text(&field.attrs).unwrap_or_default(),
            ident: field.ident,
            ty: field.ty,
            name: key,
            default: Some(field.default),
            range: None,
            length: None,
            pattern: None,
            examples: Vec::new(),
            serde: Vec::new(),
        },
        vis: field.vis,
        attrs: field
            .attrs
            .into_iter()
            .filter(|attr| !is_ours(attr))
            .collect(),
    }
}

fn renamed(meta: &Meta) -> Option<String> {
    match meta {
        Meta::NameValue(pair) if pair.path.is_ident("rename") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Skills have different fields, and a type stands in the list once unless it has another name.
fn skills(entries: Vec<SkillEntry>, base: &[String], errors: &mut Accumulator) -> Vec<Mounted> {
    let mut mounted: Vec<Mounted> = Vec::new();
    let mut seen = Seen::default();
    for entry in entries {
        for attr in &entry.attrs {
            if !attr.path().is_ident("cfg") {
                tell(messages::entry_attribute(), attr.path(), errors);
            }
        }
        let Some(last) = entry.path.segments.last() else {
            continue;
        };
        if names_dyn(&entry.path) {
            tell(messages::dyn_skill(), &entry.path, errors);
            continue;
        }
        if let Some(alias) = &entry.alias
            && !check_alias(alias, errors)
        {
            continue;
        }
        let field = entry
            .alias
            .clone()
            .unwrap_or_else(|| names::state_field(&last.ident));
        config_once(&entry.config, errors);
        let skill = Mounted {
            cfg: entry
                .attrs
                .into_iter()
                .filter(|attr| attr.path().is_ident("cfg"))
                .collect(),
            span: last.ident.span(),
            path: entry.path,
            field,
            alias: entry.alias,
            at: 0,
            config: entry.config,
        };
        if stands_alone(&skill, &mut seen, base, errors) {
            mounted.push(skill);
        }
    }
    number(&mut mounted);
    mounted
}

/// Whether a trait object stands anywhere in the path.
fn names_dyn(path: &Path) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_type_trait_object(&mut self, _: &'ast syn::TypeTraitObject) {
            self.0 = true;
        }
    }
    let mut find = Find(false);
    find.visit_path(path);
    find.0
}

/// An alias becomes a field, a method, a state key and a prefix.
fn check_alias(alias: &Ident, errors: &mut Accumulator) -> bool {
    let name = names::plain(alias);
    let spelled = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && name.len() <= 32;
    let message = if syn::parse_str::<Ident>(&name).is_err() {
        messages::alias_is_keyword(&name)
    } else if !spelled {
        messages::bad_alias(&name)
    } else if METHODS.contains(&&*name) {
        messages::reserved_alias(&name)
    } else {
        return true;
    };
    tell(message, alias, errors);
    false
}

/// What stands in the list so far, by what may be there once.
#[derive(Default)]
struct Seen {
    /// Paths of skills without another name.
    paths: BTreeMap<String, Span>,
    /// Fields of the state.
    fields: BTreeMap<String, Span>,
}

/// Tells of a clash with what stands before. Entries under `#[cfg]` may exclude each other, so rustc has the word there.
fn stands_alone(
    skill: &Mounted,
    seen: &mut Seen,
    base: &[String],
    errors: &mut Accumulator,
) -> bool {
    let (path, field) = (spelled(&skill.path), skill.field.unraw().to_string());
    let at = skill.alias.as_ref().map_or(skill.span, Ident::span);
    if field == "base" {
        tell(messages::field_is_reserved(&field, &path), &at, errors);
        return false;
    }
    if base.contains(&field) {
        tell(messages::field_is_base(&field, &path), &at, errors);
        return false;
    }
    if !skill.cfg.is_empty() {
        return true;
    }
    if skill.alias.is_none()
        && let Some(first) = seen.paths.insert(path.clone(), skill.span)
    {
        tell(messages::skill_here(&path), &first, errors);
        tell(messages::skill_twice(&path, &field), &skill.path, errors);
        return false;
    }
    if let Some(first) = seen.fields.insert(field.clone(), at) {
        tell(messages::listed_here(&field), &first, errors);
        tell(messages::field_twice(&field, &path), &at, errors);
        return false;
    }
    true
}

/// Numbers the instances of each type. A type that stands in the list once is 0, whatever its name; of several, the one
/// without another name is.
fn number(mounted: &mut [Mounted]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for skill in &*mounted {
        *counts.entry(spelled(&skill.path)).or_default() += 1;
    }
    let mut next: BTreeMap<String, usize> = BTreeMap::new();
    for skill in mounted {
        let path = spelled(&skill.path);
        if counts[&path] > 1 && skill.alias.is_some() {
            let at = next.entry(path).or_default();
            *at += 1;
            skill.at = *at;
        }
    }
}

/// A configuration sets a field once; both places are marked.
fn config_once(fields: &[ConfigField], errors: &mut Accumulator) {
    for (index, field) in fields.iter().enumerate() {
        if let Some(first) = fields[..index]
            .iter()
            .find(|first| first.ident == field.ident)
        {
            let name = field.ident.to_string();
            tell(messages::repeated_here(&name), &first.ident.span(), errors);
            tell(messages::config_twice(&name), &field.ident.span(), errors);
        }
    }
}
