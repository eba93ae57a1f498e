//! `#[cfg]` in the input of a macro. rustc evaluates it only on items of the output, so the output has one version of an item for
//! each case, under a `#[cfg]` of its own.

use crate::errors::Errors;
use crate::messages;
use darling::ast::NestedMeta;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::BTreeMap;
use syn::punctuated::Punctuated;
use syn::{Attribute, Token};

/// The most conditions of an item: each doubles the number of its cases.
const MOST: usize = 4;

/// The different conditions of an item.
pub(crate) struct Conditions(BTreeMap<String, TokenStream>);

impl Conditions {
    /// Collects the conditions in attributes.
    pub(crate) fn of<'a>(
        attrs: impl IntoIterator<Item = &'a Attribute>,
        errors: &mut Errors,
    ) -> Self {
        let mut conditions = BTreeMap::new();
        for attr in attrs.into_iter().filter(|attr| is_cfg(attr)) {
            let Some(condition) = condition(attr) else {
                errors.report(messages::takes_condition(), attr);
                continue;
            };
            conditions.insert(condition.to_string(), condition);
            if conditions.len() == MOST + 1 {
                errors.report(messages::too_many_conditions(MOST), attr);
            }
        }
        Self(conditions)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every combination of conditions that hold and that do not.
    pub(crate) fn cases(&self) -> impl Iterator<Item = Case<'_>> {
        (0..1_u32 << self.0.len().min(MOST)).map(|holds| Case {
            conditions: self,
            holds,
        })
    }
}

/// A combination of conditions that hold and that do not.
pub(crate) struct Case<'a> {
    conditions: &'a Conditions,
    /// A bit for each condition.
    holds: u32,
}

impl Case<'_> {
    /// Whether what has these attributes is there.
    pub(crate) fn keeps(&self, attrs: &[Attribute]) -> bool {
        let mut conditions = attrs.iter().filter_map(condition);
        conditions.all(|condition| {
            let text = condition.to_string();
            let at = self.conditions.0.keys().position(|known| *known == text);
            at.is_none_or(|at| self.holds & 1 << at != 0)
        })
    }

    /// The attribute of the items of this case.
    pub(crate) fn attribute(&self) -> TokenStream {
        let conditions = self.conditions.0.values().enumerate();
        let conditions = conditions.map(|(at, condition)| match self.holds & 1 << at {
            0 => quote!(not(#condition)),
            _ => condition.clone(),
        });
        quote!(#[cfg(all(#(#conditions),*))])
    }
}

pub(crate) fn is_cfg(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg")
}

/// The conditions of attributes as one: `all(…)`.
pub(crate) fn all_of(attrs: &[Attribute]) -> TokenStream {
    let conditions = attrs.iter().filter_map(condition);
    quote!(all(#(#conditions),*))
}

/// The condition in a `#[cfg(…)]`, without a comma after it. `None` for another attribute, and unless it is one condition.
fn condition(attr: &Attribute) -> Option<TokenStream> {
    let read = Punctuated::<NestedMeta, Token![,]>::parse_terminated;
    let list = attr.parse_args_with(read).ok().filter(|_| is_cfg(attr))?;
    let mut conditions = list.into_iter();
    let condition = conditions.next()?.into_token_stream();
    conditions.next().is_none().then_some(condition)
}
