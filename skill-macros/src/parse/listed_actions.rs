//! Parses the list of actions of a skill or an agent.

use super::values::wrong_value;
use crate::conditions::is_cfg;
use crate::messages;
use darling::{FromMeta, Result};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Path, Token};

/// A listed action, such as `#[cfg(feature = "roots")] Root`.
#[derive(Clone)]
pub(crate) struct ListedAction {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) path: Path,
}

impl Parse for ListedAction {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let path = input.parse()?;
        Ok(Self { attrs, path })
    }
}

/// The actions in `actions(Add, #[cfg(feature = "roots")] Root)`.
#[derive(Clone, Default)]
pub(crate) struct ActionList(pub(crate) Vec<ListedAction>);

impl ActionList {
    /// Returns the attributes of all entries.
    pub(crate) fn attrs(&self) -> impl Iterator<Item = &Attribute> {
        self.0.iter().flat_map(|action| &action.attrs)
    }

    /// Keeps the actions that satisfy `keeps`, and removes their `#[cfg]`. Returns the other actions.
    pub(crate) fn keep(&mut self, keeps: impl Fn(&[Attribute]) -> bool) -> Vec<ListedAction> {
        let all = std::mem::take(&mut self.0).into_iter();
        let (kept, gone): (Vec<_>, Vec<_>) = all.partition(|action| keeps(&action.attrs));
        self.0 = kept;
        for action in &mut self.0 {
            action.attrs.retain(|attr| !is_cfg(attr));
        }
        gone
    }
}

impl FromMeta for ActionList {
    fn from_meta(item: &Meta) -> Result<Self> {
        let list = match item {
            Meta::List(list) => list
                .parse_args_with(Punctuated::<ListedAction, Token![,]>::parse_terminated)
                .ok(),
            _ => None,
        };
        match list {
            Some(list) => Ok(Self(list.into_iter().collect())),
            None => Err(wrong_value(item, messages::takes_paths)),
        }
    }
}
