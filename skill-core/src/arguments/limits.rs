//! The constraints `range`, `length` and `pattern`. For each, one function both checks it and writes it into the schema.

use regex_lite::Regex;
use schemars::Schema;
use serde::Serialize;
use serde_json::{Value, json};
use skill_agent_schema::range_text;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Debug;
use std::ops::{Bound, RangeBounds};
use std::sync::OnceLock;

/// A type that `range` can limit: a number or an optional number.
#[diagnostic::on_unimplemented(
    message = "`range` limits a number, and `{Self}` is not one",
    label = "not a number",
    note = "`range` takes an integer, a float or an `Option` of one; `length` limits text and collections"
)]
pub trait Ranged {
    /// The number type of the limits.
    type Number: PartialOrd + Serialize + Debug;
    /// Returns the number, or `None` for an empty option.
    fn number(&self) -> Option<&Self::Number>;
}

macro_rules! ranged {
    ($($number:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Ranged for $number {
            type Number = $number;
            fn number(&self) -> Option<&$number> {
                Some(self)
            }
        }
    )*};
}
ranged!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);

#[diagnostic::do_not_recommend]
impl<T: Ranged> Ranged for Option<T> {
    type Number = T::Number;
    fn number(&self) -> Option<&T::Number> {
        self.as_ref().and_then(T::number)
    }
}

/// The two uses of an argument's generated limit function. With one function for both, each limit is generated once, and a type
/// that does not support it causes only one error.
#[derive(Debug)]
pub enum LimitUse<'a, T> {
    /// Checks a value.
    Check(&'a T),
    /// Writes the limits into the schema.
    Describe(&'a mut Schema),
}

/// Applies `range(1..=5)`.
///
/// # Errors
/// Returns a description of the expected number.
pub fn limit_range<T: Ranged, R: RangeBounds<T::Number>>(
    limit_use: &mut LimitUse<'_, T>,
    range: R,
) -> Result<(), String> {
    match limit_use {
        LimitUse::Check(value) => match value.number() {
            Some(number) if !range.contains(number) => {
                let limits = range_text(range.start_bound(), range.end_bound());
                Err(format!("{number:?} is out of range, expected {limits}"))
            }
            _ => Ok(()),
        },
        LimitUse::Describe(schema) => {
            match range.start_bound() {
                Bound::Included(low) => set(schema, "minimum", limit(low)),
                Bound::Excluded(low) => set(schema, "exclusiveMinimum", limit(low)),
                Bound::Unbounded => {}
            }
            match range.end_bound() {
                Bound::Included(high) => set(schema, "maximum", limit(high)),
                Bound::Excluded(high) => set(schema, "exclusiveMaximum", limit(high)),
                Bound::Unbounded => {}
            }
            Ok(())
        }
    }
}

/// Converts a limit to JSON by parsing its text: an `f32` keeps its digits, and an integer that is too large becomes a float.
fn limit<N: Debug>(number: N) -> Value {
    let text = format!("{number:?}");
    serde_json::from_str(&text).unwrap_or(Value::Null)
}

/// A type that `length` can limit: a string or a collection, which may be optional.
#[diagnostic::on_unimplemented(
    message = "`length` limits text or a collection, and `{Self}` is neither",
    label = "has no length",
    note = "`length` takes a `String`, a `Vec`, a map, a set or an `Option` of one; `range` limits numbers"
)]
pub trait Length {
    /// The JSON Schema keywords for the minimum and the maximum length.
    const KEYWORDS: [&'static str; 2];
    /// Returns the number of characters or items, or `None` for an empty option.
    fn length(&self) -> Option<usize>;
}

macro_rules! length {
    ($keywords:expr, $([$($generic:ident),*] $collection:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generic),*> Length for $collection {
            const KEYWORDS: [&'static str; 2] = $keywords;
            fn length(&self) -> Option<usize> {
                Some(self.len())
            }
        }
    )*};
}
length!(["minItems", "maxItems"], [T] Vec<T>, [T] VecDeque<T>, [T] BTreeSet<T>, [T, S] HashSet<T, S>);
length!(["minProperties", "maxProperties"], [K, V] BTreeMap<K, V>, [K, V, S] HashMap<K, V, S>);

#[diagnostic::do_not_recommend]
impl Length for String {
    const KEYWORDS: [&'static str; 2] = ["minLength", "maxLength"];
    fn length(&self) -> Option<usize> {
        Some(self.chars().count()) // JSON Schema counts characters
    }
}

#[diagnostic::do_not_recommend]
impl<T: Length> Length for Option<T> {
    const KEYWORDS: [&'static str; 2] = T::KEYWORDS;
    fn length(&self) -> Option<usize> {
        self.as_ref().and_then(T::length)
    }
}

/// Applies `length(1..=80)`.
///
/// # Errors
/// Returns a description of the expected length.
pub fn limit_length<T: Length, R: RangeBounds<usize>>(
    limit_use: &mut LimitUse<'_, T>,
    range: R,
) -> Result<(), String> {
    match limit_use {
        LimitUse::Check(value) => match value.length() {
            Some(length) if !range.contains(&length) => {
                let limits = range_text(range.start_bound(), range.end_bound());
                Err(format!(
                    "the length {length} is out of range, expected {limits}"
                ))
            }
            _ => Ok(()),
        },
        LimitUse::Describe(schema) => {
            let [least, greatest] = T::KEYWORDS;
            match range.start_bound() {
                Bound::Included(low) => set(schema, least, limit(low)),
                Bound::Excluded(low) => set(schema, least, json!(low.saturating_add(1))),
                Bound::Unbounded => {}
            }
            match range.end_bound() {
                Bound::Included(high) => set(schema, greatest, limit(high)),
                Bound::Excluded(high) => set(schema, greatest, json!(high.saturating_sub(1))),
                Bound::Unbounded => {}
            }
            Ok(())
        }
    }
}

/// A type that `pattern` can limit: a string or an optional string.
#[diagnostic::on_unimplemented(
    message = "`pattern` limits text, and `{Self}` is not text",
    label = "not text",
    note = "`pattern` takes a `String` or an `Option<String>`"
)]
pub trait Textual {
    /// Returns the string, or `None` for an empty option.
    fn text(&self) -> Option<&str>;
}

#[diagnostic::do_not_recommend]
impl Textual for String {
    fn text(&self) -> Option<&str> {
        Some(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Textual> Textual for Option<T> {
    fn text(&self) -> Option<&str> {
        self.as_ref().and_then(T::text)
    }
}

/// A regular expression such as `pattern("^[a-z]+$")`. As in JSON Schema, the expression has to match somewhere in the text. It
/// is compiled at first use. The macro has already checked that it compiles.
#[derive(Debug)]
pub struct RegexPattern {
    source: &'static str,
    regex: OnceLock<Option<Regex>>,
}

impl RegexPattern {
    /// Creates a pattern that is compiled at first use.
    pub const fn new(source: &'static str) -> Self {
        Self {
            source,
            regex: OnceLock::new(),
        }
    }
}

/// Applies `pattern("^[a-z]+$")`.
///
/// # Errors
/// Returns a description of the pattern that the text should match.
pub fn limit_pattern<T: Textual>(
    limit_use: &mut LimitUse<'_, T>,
    pattern: &'static RegexPattern,
) -> Result<(), String> {
    let source = pattern.source;
    match limit_use {
        LimitUse::Check(value) => {
            let Some(text) = value.text() else {
                return Ok(());
            };
            let regex = pattern.regex.get_or_init(|| Regex::new(source).ok());
            match regex {
                Some(regex) if regex.is_match(text) => Ok(()),
                _ => Err(format!("{text:?} does not match the pattern `{source}`")),
            }
        }
        LimitUse::Describe(schema) => {
            set(schema, "pattern", json!(source));
            Ok(())
        }
    }
}

fn set(schema: &mut Schema, keyword: &str, value: Value) {
    schema.insert(keyword.to_owned(), value);
}
