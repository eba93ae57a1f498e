//! The actions of a skill as written.

use super::values::wrong_value;
use crate::messages;
use darling::{Error, FromMeta, Result};
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Path, Token};

/// `actions(Add, #[cfg(feature = "roots")] Root)`
#[derive(Clone)]
pub(crate) struct ActionList(pub(crate) Vec<(Vec<Attribute>, Path)>);

impl ActionList {
    pub(crate) fn paths(&self) -> Vec<Path> {
        self.0.iter().map(|(_, path)| path.clone()).collect()
    }
}

impl FromMeta for ActionList {
    fn from_meta(item: &Meta) -> Result<Self> {
        let entry =
            |input: ParseStream<'_>| Ok((input.call(Attribute::parse_outer)?, input.parse()?));
        let list = match item {
            Meta::List(list) => list
                .parse_args_with(|input: ParseStream<'_>| {
                    Punctuated::<_, Token![,]>::parse_terminated_with(input, entry)
                })
                .ok(),
            _ => None,
        };
        let Some(list) = list else {
            return Err(wrong_value(item, messages::takes_paths));
        };
        let entries: Vec<(Vec<Attribute>, Path)> = list.into_iter().collect();
        let mut attrs = entries.iter().flat_map(|(attrs, _)| attrs);
        match attrs.find(|attr| !attr.path().is_ident("cfg")) {
            Some(attr) => {
                Err(Error::custom(messages::listed_action_attribute()).with_span(attr.path()))
            }
            None => Ok(Self(entries)),
        }
    }
}
