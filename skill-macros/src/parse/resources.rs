//! `#[derive(Resources)]` as written.

use super::options::{self, Options, Read};
use super::values::{TypePath, Word, metas_of};
use crate::errors::Errors;
use darling::FromMeta;
use syn::{Data, DeriveInput, Field};

/// `#[resources(…)]` on the struct.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct ResourcesOptions {
    #[darling(rename = "crate")]
    pub(crate) root: Option<TypePath>,
}

impl Options for ResourcesOptions {
    const ATTRIBUTE: &'static str = "`#[resources(...)]`";
    const KNOWN: &'static [&'static str] = &["crate"];
    const ELSEWHERE: &'static [(&'static str, &'static str)] = &[("skip", "write it on a field")];
}

/// `#[resources(…)]` on a field.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct FieldOptions {
    pub(crate) skip: Option<Word>,
}

impl Options for FieldOptions {
    const ATTRIBUTE: &'static str = "`#[resources(...)]` of a field";
    const KNOWN: &'static [&'static str] = &["skip"];
    const ELSEWHERE: &'static [(&'static str, &'static str)] =
        &[("crate", "write it on the struct")];
}

/// Everything a derive was given.
pub(crate) struct ResourcesInput {
    pub(crate) item: DeriveInput,
    pub(crate) options: Read<ResourcesOptions>,
    pub(crate) fields: Vec<(Field, Read<FieldOptions>)>,
}

/// Reads the attributes of the struct and its fields.
pub(crate) fn read(item: DeriveInput, errors: &mut Errors) -> ResourcesInput {
    let options = options::read(metas_of("resources", &item.attrs, errors).0, errors);
    let fields = match &item.data {
        Data::Struct(data) => data.fields.iter().cloned().collect(),
        _ => Vec::new(),
    };
    let fields = fields.into_iter().map(|field: Field| {
        let metas = metas_of("resources", &field.attrs, errors).0;
        let options = options::read(metas, errors);
        (field, options)
    });
    ResourcesInput {
        fields: fields.collect(),
        options,
        item,
    }
}
