//! Rewrites serde messages in JSON terms, because a caller does not know what a `u32`, a sequence or a struct is.

use std::borrow::Cow;

/// The names that serde's visitors use for numbers, with the JSON type and the allowed values.
const NUMBERS: [(&str, &str, &str); 14] = [
    ("i8", INTEGER, "an integer from -128 to 127"),
    ("i16", INTEGER, "an integer from -32768 to 32767"),
    ("i32", INTEGER, "an integer from -2147483648 to 2147483647"),
    ("i64", INTEGER, I64),
    ("i128", INTEGER, "an integer of 128 bits"),
    ("isize", INTEGER, I64),
    ("u8", NATURAL, "an integer from 0 to 255"),
    ("u16", NATURAL, "an integer from 0 to 65535"),
    ("u32", NATURAL, "an integer from 0 to 4294967295"),
    ("u64", NATURAL, U64),
    (
        "u128",
        NATURAL,
        "an integer of 128 bits that is not negative",
    ),
    ("usize", NATURAL, U64),
    ("f32", NUMBER, "a number from -3.4e38 to 3.4e38"),
    ("f64", NUMBER, NUMBER),
];
const INTEGER: &str = "an integer";
const NATURAL: &str = "a non-negative integer";
const NUMBER: &str = "a number";
const I64: &str = "an integer from -9223372036854775808 to 9223372036854775807";
const U64: &str = "an integer from 0 to 18446744073709551615";

/// The kinds of found values in serde's wording and in JSON terms.
const FOUND: [(&str, &str); 8] = [
    ("sequence", LIST),
    ("map", OBJECT),
    ("byte array", LIST),
    ("unit value", "null"),
    // a variant that is written as only its name
    ("unit variant", "a string"),
    ("newtype variant", OBJECT),
    ("tuple variant", OBJECT),
    ("struct variant", OBJECT),
];

/// The kinds of expected values in serde's wording and in JSON terms.
const EXPECTED: [(&str, &str); 19] = [
    ("a sequence", LIST),
    ("sequence", LIST),
    ("an array", LIST),
    ("an empty array", "an empty list"),
    ("byte array", LIST),
    ("a byte array", LIST),
    ("a map", OBJECT),
    ("map", OBJECT),
    ("map with a single key", "an object with a single key"),
    ("string or map", STRING_OR_OBJECT),
    ("fewer elements in array", "fewer items"),
    ("fewer elements in map", "fewer keys"),
    ("unit", "null"),
    ("a borrowed string", "a string"),
    ("variant identifier", "the name of a variant"),
    ("unit variant", "the name of a variant alone"),
    // a variant that is written as an object with the variant's name as the key
    ("newtype variant", OBJECT),
    ("tuple variant", OBJECT),
    ("struct variant", OBJECT),
];
const LIST: &str = "a list";
pub(crate) const OBJECT: &str = "an object";
const STRING_OR_OBJECT: &str = "a string or an object";

/// The words before the name of a Rust type, and the JSON form of the type.
const TYPES: [(&str, &str); 9] = [
    ("struct ", OBJECT),
    ("struct variant ", OBJECT),
    ("tuple struct ", LIST),
    ("tuple variant ", LIST),
    ("unit struct ", "null"),
    ("unit variant ", "null"),
    ("internally tagged enum ", OBJECT),
    ("adjacently tagged enum ", OBJECT),
    ("enum ", STRING_OR_OBJECT),
];

/// The message for a value of an enum without tags.
pub(crate) const NO_ALTERNATIVE: &str = "it fits none of the alternatives";

/// Rewrites a serde message in JSON terms.
pub(crate) fn of_json(message: &str) -> Cow<'_, str> {
    if message.starts_with("data did not match any variant of untagged enum ") {
        return Cow::Borrowed(NO_ALTERNATIVE);
    }
    if message.starts_with("no variant of enum ") && message.ends_with(" found in flattened data") {
        return Cow::Borrowed(NO_ALTERNATIVE);
    }
    let Some((found, expected)) = message.rsplit_once(", expected ") else {
        return Cow::Borrowed(message);
    };
    let is_of_type = found.starts_with("invalid type: ");
    match (value_of_json(found), expected_of_json(expected, is_of_type)) {
        (None, None) => Cow::Borrowed(message),
        (value, in_json) => {
            let value = value.unwrap_or(Cow::Borrowed(found));
            let expected = in_json.unwrap_or(Cow::Borrowed(expected));
            Cow::Owned(format!("{value}, expected {expected}"))
        }
    }
}

/// Rewrites the part of a message that describes the found value.
fn value_of_json(found: &str) -> Option<Cow<'static, str>> {
    let starts = ["invalid type: ", "invalid value: "].into_iter();
    let mut values = starts.filter_map(|start| Some((start, found.strip_prefix(start)?)));
    let (start, value) = values.next()?;
    let (_, in_json) = FOUND.iter().find(|(serde, _)| *serde == value)?;
    Some(Cow::Owned(format!("{start}{in_json}")))
}

fn expected_of_json(expected: &str, is_of_type: bool) -> Option<Cow<'static, str>> {
    let (name, is_zero_excluded) = match expected.strip_prefix("a nonzero ") {
        Some(name) => (name, true),
        None => (expected, false),
    };
    if let Some((_, kind, values)) = NUMBERS.iter().find(|(number, ..)| *number == name) {
        let in_json = if is_of_type { kind } else { values };
        return Some(if is_zero_excluded {
            Cow::Owned(format!("{in_json} other than 0"))
        } else {
            Cow::Borrowed(in_json)
        });
    }
    if let Some((_, in_json)) = EXPECTED.iter().find(|(serde, _)| *serde == expected) {
        return Some(Cow::Borrowed(in_json));
    }
    // an object is meant, although serde also accepts a list of the fields
    let is_struct = expected.starts_with("struct ");
    let of_type = expected.rsplit_once(" with ").filter(|_| !is_struct);
    let of_type = of_type.and_then(|(_, items)| {
        items
            .strip_suffix(" elements")
            .or_else(|| items.strip_suffix(" element"))
    });
    let items = of_type
        .or_else(|| expected.strip_prefix("a tuple of size "))
        .or_else(|| expected.strip_prefix("an array of length "));
    if let Some(count) = items.filter(|items| items.bytes().all(|byte| byte.is_ascii_digit())) {
        let plural = if count == "1" { "" } else { "s" };
        return Some(Cow::Owned(format!("a list of {count} item{plural}")));
    }
    if expected.starts_with("variant index ") {
        return Some(Cow::Borrowed("the name of a variant"));
    }
    // the longest match counts, since `struct variant` begins with `struct`
    let types = TYPES
        .iter()
        .filter(|(words, _)| expected.starts_with(words));
    let (_, in_json) = types.max_by_key(|(words, _)| words.len())?;
    Some(Cow::Borrowed(in_json))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_of_numbers_have_the_names_of_json() {
        let cases = [
            (
                "invalid type: string \"two\", expected u32",
                "invalid type: string \"two\", expected a non-negative integer",
            ),
            (
                "invalid type: null, expected f64",
                "invalid type: null, expected a number",
            ),
            (
                "invalid value: integer `300`, expected u8",
                "invalid value: integer `300`, expected an integer from 0 to 255",
            ),
            (
                "invalid value: integer `0`, expected a nonzero u8",
                "invalid value: integer `0`, expected an integer from 0 to 255 other than 0",
            ),
            (
                "1e39 is out of range, expected f32",
                "1e39 is out of range, expected a number from -3.4e38 to 3.4e38",
            ),
        ];
        for (serde, json) in cases {
            assert_eq!(of_json(serde), json);
        }
        for other in [
            "invalid type: null, expected a string",
            "unknown field `a`, expected `u8`",
            "u8",
        ] {
            assert_eq!(of_json(other), other);
        }
    }

    #[test]
    fn lists_objects_and_variants_have_the_names_of_json() {
        for (serde, json) in [
            (
                "invalid type: sequence, expected a string",
                "invalid type: a list, expected a string",
            ),
            (
                "invalid type: map, expected a sequence",
                "invalid type: an object, expected a list",
            ),
            (
                "invalid type: string \"a\", expected a map",
                "invalid type: string \"a\", expected an object",
            ),
            (
                "invalid type: integer `1`, expected struct StepOf",
                "invalid type: integer `1`, expected an object",
            ),
            (
                "invalid type: string \"x\", expected struct variant Shape::Circle",
                "invalid type: string \"x\", expected an object",
            ),
            (
                "invalid type: string \"x\", expected tuple struct Pair",
                "invalid type: string \"x\", expected a list",
            ),
            (
                "invalid type: map, expected tuple variant Shape::Line",
                "invalid type: an object, expected a list",
            ),
            (
                "invalid length 1, expected struct P with 2 elements",
                "invalid length 1, expected an object",
            ),
            (
                "invalid length 0, expected tuple struct P with 1 element",
                "invalid length 0, expected a list of 1 item",
            ),
            (
                "invalid length 1, expected a tuple of size 2",
                "invalid length 1, expected a list of 2 items",
            ),
            (
                "invalid length 3, expected an array of length 2",
                "invalid length 3, expected a list of 2 items",
            ),
            (
                "invalid length 3, expected fewer elements in array",
                "invalid length 3, expected fewer items",
            ),
            (
                "invalid type: unit variant, expected struct variant",
                "invalid type: a string, expected an object",
            ),
            (
                "invalid value: map, expected map with a single key",
                "invalid value: an object, expected an object with a single key",
            ),
            (
                "invalid type: integer `7`, expected string or map",
                "invalid type: integer `7`, expected a string or an object",
            ),
            (
                "invalid type: boolean `true`, expected internally tagged enum Shape",
                "invalid type: boolean `true`, expected an object",
            ),
            (
                "invalid type: map, expected unit struct Nothing",
                "invalid type: an object, expected null",
            ),
            (
                "invalid type: map, expected unit",
                "invalid type: an object, expected null",
            ),
            (
                "data did not match any variant of untagged enum IdOrName",
                "it fits none of the alternatives",
            ),
        ] {
            assert_eq!(of_json(serde), json);
        }
        // text from a caller is quoted unchanged
        for other in [
            "invalid type: string \"a sequence, expected a map\", expected a boolean",
            "unknown variant `struct A`, expected `map` or `sequence`",
            "the sequence is empty, expected more",
        ] {
            assert_eq!(of_json(other), other);
        }
    }
}
