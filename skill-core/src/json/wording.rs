//! Messages of serde in terms of JSON: a caller knows no `u32`.

use std::borrow::Cow;

/// The names that serde's visitors have for numbers, and what JSON has for them: the type, and its values.
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

/// The message with what JSON has for the type of a number.
pub(super) fn of_json(message: &str) -> Cow<'_, str> {
    let Some((found, expected)) = message.rsplit_once(", expected ") else {
        return Cow::Borrowed(message);
    };
    let Some((_, kind, values)) = NUMBERS.iter().find(|(name, ..)| *name == expected) else {
        return Cow::Borrowed(message);
    };
    let expected = if found.starts_with("invalid type: ") {
        kind
    } else {
        values
    };
    Cow::Owned(format!("{found}, expected {expected}"))
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
}
