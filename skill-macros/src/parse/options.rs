//! The options of one attribute: unknown and repeated ones are told here, for every attribute in the same words.

use crate::errors::Errors;
use crate::messages;
use darling::FromMeta;
use darling::ast::NestedMeta;
use proc_macro2::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use syn::Meta;
use syn::spanned::Spanned;

/// An attribute, as a list of options.
pub(crate) trait Options: FromMeta + Default {
    /// How messages call the attribute, in backticks.
    const ATTRIBUTE: &'static str;
    /// The options it takes.
    const KNOWN: &'static [&'static str];
    /// Options of another attribute, with what to say when they are written here.
    const ELSEWHERE: &'static [(&'static str, &'static str)] = &[];
    /// Options that may be repeated.
    const REPEATED: &'static [&'static str] = &[];
    /// The option that a name in capitals is most likely the value of.
    const OF_CAPITALS: Option<&'static str> = None;
}

/// Options, and the names of those that were meant but could not be read: nobody is told that they are missing too.
#[derive(Default)]
pub(crate) struct Read<T> {
    pub(crate) options: T,
    attempted: BTreeSet<String>,
}

impl<T> Read<T> {
    /// Other options in their place.
    #[cfg(feature = "manifest")]
    pub(crate) fn map<U>(self, other: impl FnOnce(T) -> U) -> Read<U> {
        Read {
            options: other(self.options),
            attempted: self.attempted,
        }
    }

    /// Whether the user tried to write the option.
    pub(crate) fn attempts(&self, name: &str) -> bool {
        self.attempted.contains(name)
    }
}

impl<T> Deref for Read<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.options
    }
}

/// Reads the options; what is wrong with them goes to `errors`, the rest is read all the same.
pub(crate) fn read<T: Options>(metas: Vec<NestedMeta>, errors: &mut Errors) -> Read<T> {
    let mut attempted = BTreeSet::new();
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    let mut kept = Vec::new();
    for meta in metas {
        let (name, span) = match &meta {
            NestedMeta::Meta(inner) => (
                darling::util::path_to_string(inner.path()),
                inner.path().span(),
            ),
            NestedMeta::NameValueInvalidExpr(pair) => {
                let name = darling::util::path_to_string(&pair.path);
                errors.report(messages::not_an_expression(&name), &pair.path);
                attempted.insert(name);
                continue;
            }
            NestedMeta::Lit(literal) => {
                // most often the name, without saying so
                attempted.insert("name".to_owned());
                let message = messages::stray_literal(T::ATTRIBUTE, T::KNOWN);
                errors.report(message, literal);
                continue;
            }
        };
        if let Some((_, cure)) = T::ELSEWHERE.iter().find(|(known, _)| *known == name) {
            errors.report_at(messages::elsewhere(&name, T::ATTRIBUTE, cure), span);
        } else if let Some(option) = T::OF_CAPITALS
            && is_value(&meta)
        {
            errors.report_at(messages::value_alone(&name, T::ATTRIBUTE, option), span);
            attempted.insert(option.to_owned());
        } else if !T::KNOWN.contains(&&*name) {
            let message = messages::unknown_option(&name, T::ATTRIBUTE, T::KNOWN);
            attempted.extend(messages::nearest(&name, T::KNOWN).map(str::to_owned));
            errors.report_at(message, span);
        } else if let Some(first) = seen.get(&name)
            && !T::REPEATED.contains(&&*name)
        {
            errors.report_at(messages::repeated_here(&name), *first);
            errors.report_at(messages::repeated(&name), span);
        } else {
            seen.insert(name, span);
            kept.push(meta);
        }
    }
    let options = read_each(kept, &mut attempted, errors);
    Read { options, attempted }
}

/// Whether it is a constant, by the look of its name.
fn is_value(meta: &NestedMeta) -> bool {
    let NestedMeta::Meta(Meta::Path(path)) = meta else {
        return false;
    };
    path.segments.last().is_some_and(|last| {
        let name = last.ident.to_string();
        name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
    })
}

/// Reads what is left. An option that is wrong is told and left out, so that the others are still read.
fn read_each<T: Options>(
    kept: Vec<NestedMeta>,
    attempted: &mut BTreeSet<String>,
    errors: &mut Errors,
) -> T {
    let error = match T::from_list(&kept) {
        Ok(options) => return options,
        Err(error) => error,
    };
    errors.push(error);
    let is_good = |meta: &NestedMeta| T::from_list(std::slice::from_ref(meta)).is_ok();
    let (good, bad): (Vec<_>, Vec<_>) = kept.into_iter().partition(is_good);
    attempted.extend(bad.iter().filter_map(|meta| match meta {
        NestedMeta::Meta(meta) => Some(darling::util::path_to_string(meta.path())),
        _ => None,
    }));
    T::from_list(&good).unwrap_or_default()
}
