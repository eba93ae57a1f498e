//! Parses `#[derive(SkillConfig)]`.

use super::options::{self, Read, options};
use super::values::{DefaultValue, TypePath, Word, metas_of};
use crate::errors::Errors;
use syn::{Data, DeriveInput, Field};

options! {
    /// The options of `#[skill(…)]` on the struct.
    ConfigurationOptions of "`#[skill(...)]` of a configuration" {
        root as "crate": Option<TypePath>,
    }
    elsewhere {
        "default": "write it on a field, with `#[serde(default)]` on the struct",
        "secret": "write it on a field",
        "name": "write it on the skill that has this configuration",
        "config": "write it on the skill that has this configuration",
    }
}

options! {
    /// The options of `#[skill(…)]` on a field.
    FieldOptions of "`#[skill(...)]` of a field of a configuration" {
        default: Option<DefaultValue>,
        secret: Option<Word>,
    }
    elsewhere {
        "from_config": "write it on the field of the skill that begins with this value",
        "always": "write it on the field of the skill that begins with this value, after `from_config`",
        "name": "a field is renamed by `#[serde(rename = \"...\")]`",
        "rename": "write `#[serde(rename = \"...\")]`",
        "crate": "write it on the struct",
    }
}

/// The derive's whole input.
pub(crate) struct ConfigurationInput {
    pub(crate) item: DeriveInput,
    pub(crate) options: Read<ConfigurationOptions>,
    pub(crate) fields: Vec<(Field, Read<FieldOptions>)>,
}

/// Parses the attributes of the struct and its fields.
pub(crate) fn read(item: DeriveInput, errors: &mut Errors) -> ConfigurationInput {
    let options = options::read(metas_of("skill", &item.attrs, errors).0, errors);
    let mut fields = Vec::new();
    if let Data::Struct(data) = &item.data {
        for field in &data.fields {
            let metas = metas_of("skill", &field.attrs, errors).0;
            fields.push((field.clone(), options::read(metas, errors)));
        }
    }
    ConfigurationInput {
        item,
        options,
        fields,
    }
}
