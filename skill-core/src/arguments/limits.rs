//! The constraints there are: `range`, `length`, `pattern`. Each is checked and written into the schema from one value.

use regex_lite::Regex;
use schemars::Schema;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Debug;
use std::ops::{Bound, RangeBounds};
use std::sync::OnceLock;

/// A number, or an option of one: what `range` can limit.
#[diagnostic::on_unimplemented(
    message = "`range` limits a number, and `{Self}` is none",
    label = "not a number",
    note = "`range` takes an integer, a float or an `Option` of one; `length` limits text and collections"
)]
pub trait Ranged {
    /// The type of the limits.
    type Number: PartialOrd + Serialize + Debug;
    /// The number, where there is one.
    fn number(&self) -> Option<&Self::Number>;
}

macro_rules! ranged {
    ($($number:ty)*) => {$(
        impl Ranged for $number {
            type Number = $number;
            fn number(&self) -> Option<&$number> {
                Some(self)
            }
        }
    )*};
}
ranged!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);

impl<T: Ranged> Ranged for Option<T> {
    type Number = T::Number;
    fn number(&self) -> Option<&T::Number> {
        self.as_ref().and_then(T::number)
    }
}

/// `range(1..=5)`.
#[derive(Clone, Copy, Debug)]
pub struct RangeLimits<R>(pub R);

impl<R> RangeLimits<R> {
    /// # Errors
    /// What the number should have been.
    pub fn check<T: Ranged>(&self, value: &T) -> Result<(), String>
    where
        R: RangeBounds<T::Number>,
    {
        match value.number() {
            Some(number) if !self.0.contains(number) => {
                let limits = spell(self.0.start_bound(), self.0.end_bound());
                Err(format!("{number:?} is out of range, expected {limits}"))
            }
            _ => Ok(()),
        }
    }

    /// Writes `minimum`, `maximum` and their exclusive forms.
    pub fn describe<T: Ranged>(&self, schema: &mut Schema)
    where
        R: RangeBounds<T::Number>,
    {
        match self.0.start_bound() {
            Bound::Included(low) => set(schema, "minimum", json!(low)),
            Bound::Excluded(low) => set(schema, "exclusiveMinimum", json!(low)),
            Bound::Unbounded => {}
        }
        match self.0.end_bound() {
            Bound::Included(high) => set(schema, "maximum", json!(high)),
            Bound::Excluded(high) => set(schema, "exclusiveMaximum", json!(high)),
            Bound::Unbounded => {}
        }
    }
}

fn spell<N: Debug>(low: Bound<&N>, high: Bound<&N>) -> String {
    let low = match low {
        Bound::Included(low) | Bound::Excluded(low) => format!("{low:?}"),
        Bound::Unbounded => String::new(),
    };
    match high {
        Bound::Included(high) => format!("{low}..={high:?}"),
        Bound::Excluded(high) => format!("{low}..{high:?}"),
        Bound::Unbounded => format!("{low}.."),
    }
}

/// Text or a collection, or an option of one: what `length` can limit.
#[diagnostic::on_unimplemented(
    message = "`length` limits text or a collection, and `{Self}` is neither",
    label = "has no length",
    note = "`length` takes a `String`, a `Vec`, a map, a set or an `Option` of one; `range` limits numbers"
)]
pub trait Length {
    /// The JSON Schema keywords for the least and the greatest length.
    const KEYWORDS: [&'static str; 2];
    /// Characters of a text, items of a collection; `None` where there is no value.
    fn length(&self) -> Option<usize>;
}

macro_rules! length {
    ($keywords:expr, $([$($generic:ident),*] $collection:ty),*) => {$(
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

impl Length for String {
    const KEYWORDS: [&'static str; 2] = ["minLength", "maxLength"];
    fn length(&self) -> Option<usize> {
        Some(self.chars().count()) // JSON Schema counts characters
    }
}

impl<T: Length> Length for Option<T> {
    const KEYWORDS: [&'static str; 2] = T::KEYWORDS;
    fn length(&self) -> Option<usize> {
        self.as_ref().and_then(T::length)
    }
}

/// `length(1..=80)`.
#[derive(Clone, Copy, Debug)]
pub struct LengthLimits<R>(pub R);

impl<R: RangeBounds<usize>> LengthLimits<R> {
    /// # Errors
    /// How long the value should have been.
    pub fn check<T: Length>(&self, value: &T) -> Result<(), String> {
        match value.length() {
            Some(length) if !self.0.contains(&length) => {
                let limits = spell(self.0.start_bound(), self.0.end_bound());
                Err(format!(
                    "the length {length} is out of range, expected {limits}"
                ))
            }
            _ => Ok(()),
        }
    }

    /// Writes the least and the greatest length.
    pub fn describe<T: Length>(&self, schema: &mut Schema) {
        let [least, greatest] = T::KEYWORDS;
        match self.0.start_bound() {
            Bound::Included(low) => set(schema, least, json!(low)),
            Bound::Excluded(low) => set(schema, least, json!(low.saturating_add(1))),
            Bound::Unbounded => {}
        }
        match self.0.end_bound() {
            Bound::Included(high) => set(schema, greatest, json!(high)),
            Bound::Excluded(high) => set(schema, greatest, json!(high.saturating_sub(1))),
            Bound::Unbounded => {}
        }
    }
}

/// Text, or an option of it: what `pattern` can limit.
#[diagnostic::on_unimplemented(
    message = "`pattern` limits text, and `{Self}` is none",
    label = "not text",
    note = "`pattern` takes a `String` or an `Option<String>`"
)]
pub trait Textual {
    /// The text, where there is one.
    fn text(&self) -> Option<&str>;
}

impl Textual for String {
    fn text(&self) -> Option<&str> {
        Some(self)
    }
}

impl<T: Textual> Textual for Option<T> {
    fn text(&self) -> Option<&str> {
        self.as_ref().and_then(T::text)
    }
}

/// `pattern("^[a-z]+$")`: a regular expression that has to match somewhere in the text, as in JSON Schema. Compiled at
/// first use, once per process; the macro has checked that it compiles.
#[derive(Debug)]
pub struct Pattern {
    source: &'static str,
    regex: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// A pattern that is compiled at first use.
    pub const fn new(source: &'static str) -> Self {
        Self {
            source,
            regex: OnceLock::new(),
        }
    }

    /// # Errors
    /// Which pattern the text should have matched.
    pub fn check<T: Textual>(&self, value: &T) -> Result<(), String> {
        let Some(text) = value.text() else {
            return Ok(());
        };
        let regex = self.regex.get_or_init(|| Regex::new(self.source).ok());
        match regex {
            Some(regex) if regex.is_match(text) => Ok(()),
            _ => Err(format!(
                "{text:?} does not match the pattern `{}`",
                self.source
            )),
        }
    }

    /// Writes `pattern`.
    pub fn describe<T: Textual>(&self, schema: &mut Schema) {
        set(schema, "pattern", json!(self.source));
    }
}

fn set(schema: &mut Schema, keyword: &str, value: Value) {
    schema.insert(keyword.to_owned(), value);
}
