//! Parses the options of an attribute, declared with `options!`. Reports unknown and repeated options, with the same messages for
//! every attribute.

use crate::errors::Errors;
use crate::messages;
use darling::FromMeta;
use darling::ast::NestedMeta;
use proc_macro2::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use syn::Meta;
use syn::spanned::Spanned;

/// Declares the options of an attribute: the struct of their values, their names, and the options of other attributes that users
/// may write here by mistake.
///
/// The value is an `Option` for an option that may be given once, and a `Vec` for one that may be repeated.
macro_rules! options {
    (
        $(#[$meta:meta])*
        $name:ident of $attribute:literal {
            $($field:ident $(as $spelling:literal)?: $value:ty,)*
        }
        $(elsewhere { $($other:literal: $cure:literal,)* })?
        $(constants are $of_constants:literal)?
    ) => {
        $(#[$meta])*
        #[derive(Default)]
        pub(crate) struct $name {
            $(pub(crate) $field: $value,)*
        }

        impl $crate::parse::options::Options for $name {
            const ATTRIBUTE: &'static str = $attribute;
            const KNOWN: &'static [&'static str] =
                &[$($crate::parse::options::options!(@name $field $($spelling)?)),*];
            $(const ELSEWHERE: &'static [(&'static str, &'static str)] = &[$(($other, $cure)),*];)?
            $(const OF_CONSTANTS: Option<&'static str> = Some($of_constants);)?

            fn value(&mut self, name: &str) -> Option<&mut dyn $crate::parse::options::OptionValue> {
                $(
                    if name == $crate::parse::options::options!(@name $field $($spelling)?) {
                        return Some(&mut self.$field);
                    }
                )*
                None
            }
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $spelling:literal) => { $spelling };
}
pub(crate) use options;

/// The options of an attribute. Implemented by `options!`.
pub(crate) trait Options: Default {
    /// The attribute's name for messages, in backticks.
    const ATTRIBUTE: &'static str;
    /// The names of the options.
    const KNOWN: &'static [&'static str];
    /// Options of other attributes, with a suggested fix for each.
    const ELSEWHERE: &'static [(&'static str, &'static str)] = &[];
    /// The option that a constant without `option =` most likely belongs to.
    const OF_CONSTANTS: Option<&'static str> = None;

    /// Returns the place for the value of the option `name`.
    fn value(&mut self, name: &str) -> Option<&mut dyn OptionValue>;
}

/// An option's value in the attribute's struct.
pub(crate) trait OptionValue {
    /// Returns whether the option may be repeated.
    fn is_list(&self) -> bool;
    /// Parses the value from the user's tokens.
    fn fill(&mut self, meta: &Meta) -> darling::Result<()>;
}

impl<T: FromMeta> OptionValue for Option<T> {
    fn is_list(&self) -> bool {
        false
    }
    fn fill(&mut self, meta: &Meta) -> darling::Result<()> {
        *self = Some(T::from_meta(meta)?);
        Ok(())
    }
}

impl<T: FromMeta> OptionValue for Vec<T> {
    fn is_list(&self) -> bool {
        true
    }
    fn fill(&mut self, meta: &Meta) -> darling::Result<()> {
        self.push(T::from_meta(meta)?);
        Ok(())
    }
}

/// The parsed options, and the names of the options that could not be parsed, which are not reported as missing.
#[derive(Default)]
pub(crate) struct Read<T> {
    pub(crate) options: T,
    attempted: BTreeSet<String>,
}

impl<T> Read<T> {
    /// Returns whether the user wrote the option, even if it could not be parsed.
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

/// Parses the options. Adds mistakes to `errors` and continues with the other options.
pub(crate) fn read<T: Options>(metas: Vec<NestedMeta>, errors: &mut Errors) -> Read<T> {
    read_as(T::ATTRIBUTE, metas, errors)
}

/// Like [`read`], but messages use a different name for the attribute.
pub(crate) fn read_as<T: Options>(
    attribute: &str,
    metas: Vec<NestedMeta>,
    errors: &mut Errors,
) -> Read<T> {
    let mut options = T::default();
    let mut attempted = BTreeSet::new();
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    let mut kept = Vec::new();
    for meta in metas {
        let meta = match meta {
            NestedMeta::Meta(meta) => meta,
            NestedMeta::NameValueInvalidExpr(pair) => {
                let name = darling::util::path_to_string(&pair.path);
                errors.report(messages::not_an_expression(&name), &pair.path);
                attempted.insert(name);
                continue;
            }
            NestedMeta::Lit(literal) => {
                // this is most likely the value of `name`, without `name =`
                attempted.insert("name".to_owned());
                let message = messages::stray_literal(attribute, T::KNOWN);
                errors.report(message, &literal);
                continue;
            }
        };
        let (name, span) = (
            darling::util::path_to_string(meta.path()),
            meta.path().span(),
        );
        if let Some((_, cure)) = T::ELSEWHERE.iter().find(|(known, _)| *known == name) {
            errors.report_at(messages::elsewhere(&name, attribute, cure), span);
        } else if let Some(option) = T::OF_CONSTANTS
            && is_constant(&meta)
        {
            errors.report_at(messages::value_alone(&name, attribute, option), span);
            attempted.insert(option.to_owned());
        } else if let Some(value) = options.value(&name) {
            match seen.get(&name).filter(|_| !value.is_list()) {
                Some(first) => {
                    errors.report_at(messages::repeated_here(&name), *first);
                    errors.report_at(messages::repeated(&name), span);
                }
                None => {
                    seen.insert(name.clone(), span);
                    kept.push((name, meta));
                }
            }
        } else {
            let message = messages::unknown_option(&name, attribute, T::KNOWN);
            attempted.extend(messages::nearest(&name, T::KNOWN).map(str::to_owned));
            errors.report_at(message, span);
        }
    }
    for (name, meta) in kept {
        let read = options.value(&name).map(|value| value.fill(&meta));
        if let Some(Err(error)) = read {
            errors.push(error);
            attempted.insert(name);
        }
    }
    Read { options, attempted }
}

/// Returns whether the option looks like a constant: its name is in capitals.
fn is_constant(meta: &Meta) -> bool {
    let Meta::Path(path) = meta else {
        return false;
    };
    path.segments.last().is_some_and(|last| {
        let name = last.ident.to_string();
        name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
    })
}
