//! Handles `#[cfg]` in a macro's input. rustc evaluates `#[cfg]` only on items of the output. The output therefore contains one
//! version of an item for each case, each under its own `#[cfg]`.

use crate::errors::Errors;
use crate::messages;
use darling::ast::NestedMeta;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::BTreeMap;
use syn::punctuated::Punctuated;
use syn::{Attribute, Token, parse_quote};

/// The maximum number of conditions per item. Each condition doubles the number of cases.
const MOST: usize = 4;

/// The distinct conditions of an item.
pub(crate) struct Conditions(BTreeMap<String, TokenStream>);

impl Conditions {
    /// Collects the conditions in the attributes.
    pub(crate) fn of<'a>(
        attrs: impl IntoIterator<Item = &'a Attribute>,
        errors: &mut Errors,
    ) -> Self {
        let mut conditions = BTreeMap::new();
        let is_condition = |attr: &&Attribute| is_cfg(attr) || is_cfg_attr(attr);
        for attr in attrs.into_iter().filter(is_condition) {
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

    /// Returns every combination of true and false conditions.
    pub(crate) fn cases(&self) -> impl Iterator<Item = Case<'_>> {
        (0..1_u32 << self.0.len().min(MOST)).map(|holds| Case {
            conditions: self,
            holds,
        })
    }
}

/// A combination of true and false conditions.
pub(crate) struct Case<'a> {
    conditions: &'a Conditions,
    /// One bit per condition, set if the condition is true.
    holds: u32,
}

impl Case<'_> {
    /// Returns whether the item with these attributes exists in this case.
    pub(crate) fn keeps(&self, attrs: &[Attribute]) -> bool {
        attrs
            .iter()
            .filter(|attr| is_cfg(attr))
            .all(|attr| self.holds(attr))
    }

    /// Replaces each `#[cfg_attr(…)]` with the attributes in it, or removes it if its condition is false.
    pub(crate) fn write_out(&self, attrs: &mut Vec<Attribute>) {
        let mut list = Vec::new();
        for attr in attrs.drain(..) {
            if !is_cfg_attr(&attr) {
                list.push(attr);
            } else if self.holds(&attr) {
                let within = arguments(&attr).into_iter().skip(1);
                list.extend(within.map(|within| parse_quote!(#[#within])));
            }
        }
        *attrs = list;
    }

    fn holds(&self, attr: &Attribute) -> bool {
        let text = condition(attr).unwrap_or_default().to_string();
        let at = self.conditions.0.keys().position(|known| *known == text);
        at.is_none_or(|at| self.holds & 1 << at != 0)
    }

    /// Returns the `#[cfg]` attribute for this case's items.
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

fn is_cfg_attr(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg_attr")
}

/// Combines the conditions of attributes into `all(…)`.
pub(crate) fn all_of(attrs: &[Attribute]) -> TokenStream {
    let conditions = attrs.iter().filter_map(condition);
    quote!(all(#(#conditions),*))
}

/// Returns the condition in `#[cfg(…)]` or `#[cfg_attr(…)]`, without a trailing comma, or `None` if a `#[cfg(…)]` does not have
/// exactly one condition.
fn condition(attr: &Attribute) -> Option<TokenStream> {
    let list = arguments(attr);
    let first = list.first()?.to_token_stream();
    (list.len() == 1 || is_cfg_attr(attr)).then_some(first)
}

fn arguments(attr: &Attribute) -> Vec<NestedMeta> {
    let read = Punctuated::<NestedMeta, Token![,]>::parse_terminated;
    let list = attr.parse_args_with(read).unwrap_or_default();
    list.into_iter().collect()
}
