//! The rules for skills.

use super::instructions::Instructions;
use super::skill_manifest::{self, SkillManifest, Triggers};
use super::tools::{self, ToolTexts};
use super::{generic, grammar, listed_actions, named_fields, report, report_at, serde_metas};
use crate::errors::Errors;
use crate::messages;
use crate::names;
use crate::parse::docs::{self, Docs};
use crate::parse::options::Read;
use crate::parse::skill::{FieldOptions, SkillInput, SkillOptions};
use crate::parse::values::Text;
use crate::parse::version::Version;
use crate::paths::{Paths, Root};
use crate::validate::state::defaults;
use crate::validate::state::defaults::{Defaults, FromConfig, Init};
use crate::validate::state::secrets;
use crate::validate::state::secrets::Secrets;
use crate::validate::state::serde_names::{Keys, Renaming};
use crate::validate::state::{read_back, shared};
use proc_macro2::{Ident, Span};
use std::path::PathBuf;
use syn::spanned::Spanned;
use syn::{Data, Field, Generics, Path};

/// A valid skill, or the data for its stub.
pub(crate) struct Skill {
    pub(crate) paths: Paths,
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) state_key: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<Docs>,
    pub(crate) category: Option<String>,
    pub(crate) version: Option<Version>,
    pub(crate) instructions: Option<Instructions>,
    pub(crate) triggers: Triggers,
    pub(crate) tags: Vec<String>,
    pub(crate) signals: Vec<String>,
    pub(crate) requires: Vec<String>,
    pub(crate) actions: Vec<Path>,
    pub(crate) tools: Vec<ToolTexts>,
    pub(crate) config: Option<Path>,
    pub(crate) hooks: Option<Span>,
    /// The absolute path of the skill's document.
    pub(crate) manifest: Option<PathBuf>,
    pub(crate) generics: Generics,
    /// Whether the usual stub can be generated. That is not possible for a generic type or a union.
    pub(crate) can_have_stub: bool,
    /// The fields' defaults, or `None` if the type has its own `Default`.
    pub(crate) init: Option<Defaults>,
    pub(crate) secrets: Option<Secrets>,
}

/// Checks all rules and reports mistakes.
pub(crate) fn check(mut input: SkillInput, root: Root, errors: &mut Errors) -> Skill {
    let described = std::mem::take(&mut input.tools);
    let ident = &input.item.ident;
    let options = &input.options;
    named_fields(&input.item, messages::SKILL, errors);
    generic(&input.item.generics, "a skill", "a struct", errors);
    texts(&input, errors);
    let mut manifest = skill_manifest::read(&input, root, errors);
    let description = description(&input, manifest.as_ref());
    instructions(&input, manifest.as_ref(), description.is_some(), errors);
    let actions = options.actions.as_ref();
    let actions = actions.map_or_else(Vec::new, |list| listed_actions(list, errors));
    let tools = tools::check(described, &input, &actions, errors);
    read_back::check(&input, errors);
    for (field, _) in &input.fields {
        shared::check(&field.ty, errors);
    }
    always(&input, errors);
    let init = init(&input, errors);
    let name = name(&input, manifest.as_ref(), errors);
    not_required_by_itself(options, &name, errors);
    let state_key = match &options.state_key {
        Some(key) => {
            grammar::state_key(key, errors);
            key.value.clone()
        }
        None => {
            let span = options.name.as_ref().map(|text| text.span);
            let span = span.or(manifest.as_ref().map(|manifest| manifest.span));
            state_key_of_name(&name, span, errors)
        }
    };
    let value = |text: &Option<Text>| text.as_ref().map(|text| text.value.clone());
    let values = |list: &Option<crate::parse::values::TextList>| -> Vec<String> {
        list.iter()
            .flat_map(|list| &list.0)
            .map(|text| text.value.clone())
            .collect()
    };
    let mut requires = values(&options.requires);
    let asked = manifest
        .as_ref()
        .map_or(&[][..], |manifest| &manifest.requires);
    for required in asked {
        if !requires.contains(required) {
            requires.push(required.clone());
        }
    }
    let of_document = manifest.as_ref().and_then(SkillManifest::version);
    let version = options.version.clone().or(of_document.map(Version::Text));
    let instructions = Instructions::of(&options.instructions, manifest.as_ref(), &requires);
    Skill {
        paths: Paths::new(root, options.root.as_ref().map(|path| &path.0)),
        ident: ident.clone(),
        name,
        state_key,
        title: value(&options.title),
        description,
        category: value(&options.category),
        version,
        instructions,
        triggers: manifest
            .as_mut()
            .map(|manifest| std::mem::take(&mut manifest.triggers))
            .unwrap_or_default(),
        tags: values(&options.tags),
        signals: values(&options.signals),
        requires,
        actions,
        tools,
        config: options.config.as_ref().map(|path| path.0.clone()),
        hooks: if options.attempts("hooks") {
            Some(ident.span())
        } else {
            options.hooks.map(|word| word.0)
        },
        manifest: manifest.map(|manifest| manifest.file),
        generics: input.item.generics.clone(),
        can_have_stub: input.item.generics.params.is_empty()
            && !matches!(input.item.data, Data::Union(_)),
        init,
        secrets: secrets(&input),
    }
}

/// Returns the fields with the option `secret`, even if it could not be parsed.
fn secrets(input: &SkillInput) -> Option<Secrets> {
    let fields = input.fields.iter().map(|(field, options)| {
        let attempted = options.attempts("secret").then(|| field.span());
        (field, options.secret.map(|word| word.0).or(attempted))
    });
    secrets::of_fields(&input.item.attrs, fields)
}

/// A skill must not require itself.
fn not_required_by_itself(options: &SkillOptions, name: &str, errors: &mut Errors) {
    for required in options.requires.iter().flat_map(|list| &list.0) {
        if skill_agent_grammar::split(&required.value).0 == name {
            grammar::report(messages::requires_itself(&required.value), required, errors);
        }
    }
}

/// Texts must not be empty, and must follow their grammar.
fn texts(input: &SkillInput, errors: &mut Errors) {
    let options = &input.options;
    grammar::not_empty(&options.title, "the title", errors);
    grammar::not_empty(&options.description, "the description", errors);
    grammar::not_empty(&options.category, "the category", errors);
    grammar::not_empty(
        &options.instructions,
        "the text of the instructions",
        errors,
    );
    let version = options.version.as_ref().and_then(Version::text);
    grammar::version(version, errors);
    for (list, what) in [
        (&options.tags, "the tag"),
        (&options.signals, "the pattern"),
        (&options.requires, "the requirement"),
    ] {
        let texts = list.as_ref().map_or(&[][..], |list| &list.0);
        grammar::texts_once(texts, what, errors);
    }
    for tag in options.tags.iter().flat_map(|list| &list.0) {
        grammar::not_empty(&Some(tag.clone()), "a tag", errors);
    }
    for signal in options.signals.iter().flat_map(|list| &list.0) {
        grammar::pattern(signal, errors);
    }
    for required in options.requires.iter().flat_map(|list| &list.0) {
        grammar::requirement(required, errors);
    }
}

/// Returns the description from the attribute, or else from the document, or else from the doc comment.
fn description(input: &SkillInput, manifest: Option<&SkillManifest>) -> Option<Docs> {
    let written = input.options.description.as_ref();
    let written = written.map(|text| text.value.clone());
    written
        .or_else(|| manifest?.description.clone())
        .map(Docs::Text)
        .or_else(|| docs::text(&input.item.attrs))
}

/// A skill with instructions must have a description.
fn instructions(
    input: &SkillInput,
    manifest: Option<&SkillManifest>,
    is_described: bool,
    errors: &mut Errors,
) {
    let written = input.options.instructions.as_ref().map(|text| text.span);
    let of_document = manifest.filter(|manifest| manifest.instructions.is_some());
    match (written, of_document) {
        _ if is_described => {}
        (Some(span), _) => {
            report_at(messages::instructions_without_description(), span, errors);
        }
        (None, Some(manifest)) => {
            let message = messages::body_without_description(&manifest.path, manifest.described_by);
            report_at(message, manifest.span, errors);
        }
        (None, None) => {}
    }
}

/// A skill must have a name: the one in the attribute, or its document's id.
fn name(input: &SkillInput, manifest: Option<&SkillManifest>, errors: &mut Errors) -> String {
    let (ident, options) = (&input.item.ident, &input.options);
    match (&options.name, manifest) {
        (Some(text), _) => {
            grammar::name(text, "a skill", errors);
            text.value.clone()
        }
        (None, Some(manifest)) => manifest.name.clone(),
        (None, None) => {
            let suggestion = names::snake(ident);
            let attempted = options.attempts("name")
                || options.attempts("manifest")
                || options.manifest.is_some()
                || input.is_broken;
            if !attempted {
                report(messages::skill_without_name(&suggestion), ident, errors);
            }
            suggestion
        }
    }
}

/// Returns the default state key: the skill's name, with `_` for `-`.
fn state_key_of_name(name: &str, written: Option<Span>, errors: &mut Errors) -> String {
    let key = name.replace('-', "_");
    if let Some(span) = written
        && grammar::is_reserved_state_key(&key)
        && !key.is_empty()
        && key.chars().all(|c| c.is_ascii_lowercase())
    {
        report_at(messages::reserved_state_key(&key), span, errors);
    }
    key
}

/// `always` requires `from_config`.
fn always(input: &SkillInput, errors: &mut Errors) {
    for (_, options) in &input.fields {
        let has_from_config = options.from_config.is_some() || options.attempts("from_config");
        if let Some(word) = options.always
            && !has_from_config
        {
            report_at(messages::always_without_from_config(), word.0, errors);
        }
    }
}

/// Either all fields or none must have a default. With defaults, the struct must have `#[serde(default)]`.
fn init(input: &SkillInput, errors: &mut Errors) -> Option<Defaults> {
    for (field, _) in &input.fields {
        for meta in serde_metas(&field.attrs) {
            if meta.path().is_ident("flatten") {
                report(messages::flattened("the state"), meta.path(), errors);
            }
        }
    }
    let says = |options: &Read<FieldOptions>| {
        let attempts = options.attempts("default") || options.attempts("from_config");
        attempts || options.default.is_some() || options.from_config.is_some()
    };
    let (_, first) = input.fields.iter().find(|(_, options)| says(options))?;
    let span = match (&first.default, &first.from_config) {
        (Some(default), _) => default.span,
        (None, Some(word)) => word.0,
        (None, None) => input.item.ident.span(),
    };
    let written = "`#[skill(default)]` or `#[skill(from_config)]`";
    defaults::require_serde_default(&input.item.attrs, written, span, errors);
    let has_config = input.options.config.is_some();
    let renaming = Renaming::of(&input.item.attrs);
    let fields = input
        .fields
        .iter()
        .filter_map(|(field, options)| field_init(field, options, &renaming, has_config, errors))
        .collect();
    Some(Defaults { fields, span })
}

fn field_init(
    field: &Field,
    options: &Read<FieldOptions>,
    renaming: &Renaming,
    has_config: bool,
    errors: &mut Errors,
) -> Option<(Ident, Init)> {
    let ident = field.ident.clone()?;
    let from_config = || {
        Init::FromConfig(FromConfig {
            ty: field.ty.clone(),
            key: Keys::of(&ident, &field.attrs, renaming).written,
            is_always: options.always.is_some(),
        })
    };
    let init = match (&options.default, options.from_config) {
        (Some(default), None) => defaults::of_option(default),
        (None, Some(word)) => {
            if !has_config {
                report_at(messages::from_config_without_config(), word.0, errors);
            }
            from_config()
        }
        (Some(_), Some(word)) => {
            report_at(messages::default_and_from_config(), word.0, errors);
            from_config()
        }
        (None, None) if has_other_mistake(options) => Init::TypeDefault(ident.span()),
        (None, None) => {
            report(
                messages::field_without_default(&ident.to_string()),
                &ident,
                errors,
            );
            Init::TypeDefault(ident.span())
        }
    };
    Some((ident, init))
}

/// Returns whether a field without an initial value has a mistake that is already reported.
fn has_other_mistake(options: &Read<FieldOptions>) -> bool {
    let is_attempted = options.attempts("default") || options.attempts("from_config");
    is_attempted || options.always.is_some()
}
