//! `#[derive(Skill)]` as written.

use super::options::{self, Options, Read};
use super::values::{DefaultValue, PathList, Text, TextList, TypePath, Word, metas_of};
use crate::errors::Errors;
use darling::FromMeta;
use syn::{DeriveInput, Field};

/// `#[skill(…)]` on the struct.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct SkillOptions {
    pub(crate) name: Option<Text>,
    pub(crate) title: Option<Text>,
    pub(crate) state_key: Option<Text>,
    pub(crate) description: Option<Text>,
    pub(crate) category: Option<Text>,
    pub(crate) version: Option<Text>,
    pub(crate) tags: Option<TextList>,
    pub(crate) signals: Option<TextList>,
    pub(crate) requires: Option<TextList>,
    pub(crate) actions: Option<PathList>,
    pub(crate) config: Option<TypePath>,
    pub(crate) instructions: Option<Text>,
    pub(crate) manifest: Option<Text>,
    pub(crate) dialect: Option<TypePath>,
    pub(crate) hooks: Option<Word>,
    #[darling(rename = "crate")]
    pub(crate) root: Option<TypePath>,
}

impl Options for SkillOptions {
    const ATTRIBUTE: &'static str = "`#[skill(...)]`";
    const KNOWN: &'static [&'static str] = &[
        "name",
        "title",
        "state_key",
        "description",
        "category",
        "version",
        "tags",
        "signals",
        "requires",
        "actions",
        "config",
        "instructions",
        "manifest",
        "dialect",
        "hooks",
        "crate",
    ];
    const ELSEWHERE: &'static [(&'static str, &'static str)] = &[
        (
            "default",
            "write it on a field, beside `#[serde(default)]` on the struct",
        ),
        ("from_config", "write it on a field"),
        (
            "on",
            "write it in `#[action(...)]`, on the function that the signal runs",
        ),
    ];
}

/// `#[skill(…)]` on a field.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct FieldOptions {
    pub(crate) default: Option<DefaultValue>,
    pub(crate) from_config: Option<Word>,
}

impl Options for FieldOptions {
    const ATTRIBUTE: &'static str = "`#[skill(...)]` of a field";
    const KNOWN: &'static [&'static str] = &["default", "from_config"];
    const ELSEWHERE: &'static [(&'static str, &'static str)] = &[
        (
            "name",
            "write it on the struct; a field is renamed by `#[serde(rename = \"...\")]`",
        ),
        ("rename", "write `#[serde(rename = \"...\")]`"),
    ];
}

/// Everything a derive was given.
pub(crate) struct SkillInput {
    pub(crate) item: DeriveInput,
    pub(crate) options: Read<SkillOptions>,
    pub(crate) fields: Vec<(Field, Read<FieldOptions>)>,
    /// Whether an attribute of the struct could not be read at all.
    pub(crate) is_broken: bool,
}

/// Reads the attributes of the struct and its fields.
pub(crate) fn read(item: DeriveInput, errors: &mut Errors) -> SkillInput {
    let (metas, is_broken) = metas_of("skill", &item.attrs, errors);
    let options = options::read(metas, errors);
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
        is_broken,
    }
}
