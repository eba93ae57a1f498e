//! Resolves scalars by the core schema of YAML 1.2, but with the digit separators and number bases of older versions.

use super::Value;
use super::tag::Tag;
use std::borrow::Cow;

pub(super) struct Scalar<'a> {
    pub(super) text: Cow<'a, str>,
    /// Whether the scalar has neither quotes nor a block header.
    pub(super) is_plain: bool,
    pub(super) tag: Tag,
}

impl Scalar<'_> {
    /// Returns whether this key merges another mapping.
    pub(super) fn is_merge_key(&self) -> bool {
        self.text == "<<" && (self.tag == Tag::Merge || self.tag == Tag::None && self.is_plain)
    }

    /// Returns the value, or an error with the wording of serde-saphyr, the previous YAML parser.
    pub(super) fn resolve(self) -> Result<Value, &'static str> {
        match self.tag {
            Tag::None | Tag::Merge | Tag::Default | Tag::Include | Tag::Other => {
                Ok(self.resolve_untagged())
            }
            Tag::Null => Ok(Value::Null),
            Tag::Bool => parse_bool(&self.text)
                .map(Value::Bool)
                .ok_or("invalid boolean (strict mode expects true/false)"),
            Tag::Int => resolve_int(&self.text),
            Tag::Float if is_float(&self.text) => Ok(Value::Number),
            Tag::Float | Tag::Measure => Err("invalid floating point"),
            Tag::Binary => decode_base64(&self.text).and_then(resolve_bytes),
            Tag::Timestamp | Tag::List | Tag::Map => {
                Err("cannot deserialize tagged scalar into string")
            }
            Tag::Text | Tag::NonSpecific => Ok(Value::Text(self.text.into_owned())),
        }
    }

    fn resolve_untagged(self) -> Value {
        if !self.is_plain {
            return Value::Text(self.text.into_owned());
        }
        if matches!(&*self.text, "" | "~" | "null" | "Null" | "NULL") {
            Value::Null
        } else if let Some(value) = parse_bool(&self.text) {
            Value::Bool(value)
        } else if is_int(&self.text) || is_float(&self.text) {
            Value::Number
        } else {
            Value::Text(self.text.into_owned())
        }
    }
}

fn resolve_int(text: &str) -> Result<Value, &'static str> {
    if is_int(text) {
        Ok(Value::Number)
    } else if trim(text).starts_with('-') {
        Err("invalid i64")
    } else {
        Err("invalid u64")
    }
}

fn resolve_bytes(bytes: Vec<u8>) -> Result<Value, &'static str> {
    String::from_utf8(bytes).map(Value::Text).map_err(|_| {
        "!!binary scalar is not valid UTF-8 so cannot be stored into string. \
         If you just use !!binary for documentation/annotation, set ignore_binary_tag_for_string in Options"
    })
}

/// Trims the whitespace that a quoted or block scalar may have around a number or boolean.
fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\r', '\n'])
}

fn parse_bool(text: &str) -> Option<bool> {
    match trim(text) {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

/// Returns whether text is an integer between `i64::MIN` and `u64::MAX`.
fn is_int(text: &str) -> bool {
    let text = trim(text);
    match text.strip_prefix('-') {
        Some(digits) => magnitude(digits).is_some_and(|value| value <= i64::MIN.unsigned_abs()),
        None => magnitude(text.strip_prefix('+').unwrap_or(text)).is_some(),
    }
}

/// Parses digits without a sign, in base 10 or with the prefix of another base.
fn magnitude(text: &str) -> Option<u64> {
    let (radix, digits) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &text[2..]),
        [b'0', b'o' | b'O', ..] => (8, &text[2..]),
        [b'0', b'b' | b'B', ..] => (2, &text[2..]),
        // `007` is a float
        [b'0', _, ..] => return None,
        _ => (10, text),
    };
    // a single underscore may separate two digits
    if digits.split('_').any(str::is_empty) {
        return None;
    }
    let mut value: u64 = 0;
    for digit in digits.chars().filter(|&c| c != '_') {
        let digit = digit.to_digit(radix)?;
        value = value.checked_mul(radix.into())?.checked_add(digit.into())?;
    }
    Some(value)
}

/// Returns whether text is a float. A float that is too large for an `f64` counts as infinite.
fn is_float(text: &str) -> bool {
    let text = trim(text);
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(
        unsigned,
        ".nan" | ".NaN" | ".NAN" | ".inf" | ".Inf" | ".INF"
    ) {
        return true;
    }
    // `inf` and `nan` are words
    let begins_with_digit = unsigned.starts_with(|c: char| c.is_ascii_digit());
    text.parse::<f64>()
        .is_ok_and(|value| value.is_finite() || value.is_infinite() && begins_with_digit)
}

/// Decodes padded Base64. Skips whitespace.
fn decode_base64(text: &str) -> Result<Vec<u8>, &'static str> {
    const INVALID: &str = "invalid !!binary base64";
    let mut digits: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    if !digits.len().is_multiple_of(4) {
        return Err(INVALID);
    }
    let padding = digits.iter().rev().take_while(|&&b| b == b'=').count();
    if padding > 2 {
        return Err(INVALID);
    }
    digits.truncate(digits.len() - padding);
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for group in digits.chunks(4) {
        let mut bits: u32 = 0;
        for &digit in group {
            bits = bits << 6 | sextet(digit).ok_or(INVALID)?;
        }
        bits <<= 6 * (4 - group.len());
        let [_, decoded @ ..] = bits.to_be_bytes();
        // 2 digits encode 1 byte and 4 unused bits, and 3 digits encode 2 bytes and 2 unused bits
        let (used, unused) = decoded.split_at(group.len() - 1);
        if unused.iter().any(|&byte| byte != 0) {
            return Err(INVALID);
        }
        bytes.extend_from_slice(used);
    }
    Ok(bytes)
}

fn sextet(digit: u8) -> Option<u32> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(value.into())
}
