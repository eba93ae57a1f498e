//! Parses `#[derive(Resources)]`.

use super::options::{self, Read, options};
use super::values::{TypePath, Word, metas_of};
use crate::errors::Errors;
use syn::{Data, DeriveInput, Field};

options! {
    /// The options of `#[resources(…)]` on the struct.
    ResourcesOptions of "`#[resources(...)]`" {
        root as "crate": Option<TypePath>,
    }
    elsewhere {
        "skip": "write it on a field",
    }
}

options! {
    /// The options of `#[resources(…)]` on a field.
    FieldOptions of "`#[resources(...)]` of a field" {
        skip: Option<Word>,
    }
    elsewhere {
        "crate": "write it on the struct",
    }
}

/// The derive's whole input.
pub(crate) struct ResourcesInput {
    pub(crate) item: DeriveInput,
    pub(crate) options: Read<ResourcesOptions>,
    pub(crate) fields: Vec<(Field, Read<FieldOptions>)>,
}

/// Parses the attributes of the struct and its fields.
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
