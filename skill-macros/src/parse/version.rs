//! Parses a skill's version: a string, or the package's version.

use super::values::{Text, literal, wrong_value};
use crate::messages;
use darling::{FromMeta, Result};
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Lit, Meta};

/// The value of `version = "1.2.0"` or `version`.
#[derive(Clone)]
pub(crate) enum Version {
    Text(Text),
    /// The version of the package that contains the skill.
    OfPackage(Span),
}

impl Version {
    /// Returns the text of a version that is written as a string.
    pub(crate) fn text(&self) -> Option<&Text> {
        match self {
            Self::Text(text) => Some(text),
            Self::OfPackage(_) => None,
        }
    }
}

impl FromMeta for Version {
    fn from_meta(item: &Meta) -> Result<Self> {
        match item {
            Meta::Path(path) => Ok(Self::OfPackage(path.span())),
            Meta::NameValue(pair) => match literal(&pair.value) {
                Some(Lit::Str(text)) => Ok(Self::Text(Text::from(text))),
                _ => Err(wrong_value(item, |_| messages::takes_version())),
            },
            Meta::List(_) => Err(wrong_value(item, |_| messages::takes_version())),
        }
    }
}
