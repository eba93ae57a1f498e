//! Parses `#[derive(Skill)]`.

use super::listed_actions::{ActionList, ListedAction};
use super::options::{self, Read, options};
use super::tools::{self, ToolInput, ToolList};
use super::values::{DefaultValue, Text, TextList, TypePath, Word, metas_of};
use super::version::Version;
use crate::conditions::Case;
use crate::errors::Errors;
use syn::{Attribute, DeriveInput, Field, Path};

options! {
    /// The options of `#[skill(…)]` on the struct.
    SkillOptions of "`#[skill(...)]`" {
        name: Option<Text>,
        title: Option<Text>,
        state_key: Option<Text>,
        description: Option<Text>,
        category: Option<Text>,
        version: Option<Version>,
        tags: Option<TextList>,
        signals: Option<TextList>,
        requires: Option<TextList>,
        actions: Option<ActionList>,
        tools: Option<ToolList>,
        config: Option<TypePath>,
        instructions: Option<Text>,
        manifest: Option<Text>,
        dialect: Option<TypePath>,
        hooks: Option<Word>,
        root as "crate": Option<TypePath>,
    }
    elsewhere {
        "default": "write it on a field, with `#[serde(default)]` on the struct",
        "from_config": "write it on a field",
        "always": "write it on a field, after `from_config`",
        "secret": "write it on a field",
        "on": "write it in `#[action(...)]`, on the function that the signal runs",
        "when": "write it in `#[action(...)]`, on the function of the action",
        "rename_all": "write `#[serde(rename_all = \"...\")]`",
        "forbid": "an agent forbids hints: write `forbid: [...]` in `agent!`",
        "allow_data_flow": "an agent allows it: write `allow_data_flow: \"reason\"` in `agent!`",
    }
}

options! {
    /// The options of `#[skill(…)]` on a field.
    FieldOptions of "`#[skill(...)]` of a field" {
        default: Option<DefaultValue>,
        from_config: Option<Word>,
        always: Option<Word>,
        secret: Option<Word>,
    }
    elsewhere {
        "name": "write it on the struct; a field is renamed by `#[serde(rename = \"...\")]`",
        "rename": "write `#[serde(rename = \"...\")]`",
    }
}

/// The derive's whole input.
pub(crate) struct SkillInput {
    pub(crate) item: DeriveInput,
    pub(crate) options: Read<SkillOptions>,
    pub(crate) fields: Vec<(Field, Read<FieldOptions>)>,
    pub(crate) tools: Vec<ToolInput>,
    /// Whether an attribute of the struct could not be parsed at all.
    pub(crate) is_broken: bool,
}

impl SkillInput {
    /// Returns the attributes of the listed actions.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = &Attribute> {
        self.options.actions.iter().flat_map(ActionList::attrs)
    }

    /// Keeps a case's actions and their tools.
    pub(crate) fn keep(&mut self, case: &Case<'_>) {
        let Some(list) = &mut self.options.options.actions else {
            return;
        };
        let gone = list.keep(|attrs| case.keeps(attrs));
        let has = |list: &[ListedAction], path: &Path| list.iter().any(|one| one.path == *path);
        self.tools
            .retain(|tool| !has(&gone, &tool.action) || has(&list.0, &tool.action));
    }
}

/// Parses the attributes of the struct and its fields.
pub(crate) fn read(item: DeriveInput, errors: &mut Errors) -> SkillInput {
    let (metas, is_broken) = metas_of("skill", &item.attrs, errors);
    let options: Read<SkillOptions> = options::read(metas, errors);
    let tools = tools::read(options.tools.as_ref(), errors);
    let fields = match &item.data {
        syn::Data::Struct(data) => data
            .fields
            .iter()
            .map(|field| {
                let options = options::read(metas_of("skill", &field.attrs, errors).0, errors);
                (field.clone(), options)
            })
            .collect(),
        _ => Vec::new(),
    };
    SkillInput {
        item,
        options,
        fields,
        tools,
        is_broken,
    }
}
