//! Limits on the size and depth of what is read.

use crate::tests::*;
use crate::{MAX_ARGUMENT_BYTES, MAX_DEPTH, ReadError, read, read_document, read_value};

#[test]
fn text_above_the_limit_is_refused_without_being_read() {
    // neither the depth nor the syntax is checked
    let text = "[".repeat(10_000_000);
    let error = read::<Value>(&text).unwrap_err();
    let (bytes, max) = (10_000_000, MAX_ARGUMENT_BYTES);
    assert_eq!(error, ReadError::TooLarge { bytes, max });
    let exact = format!("\"{}\"", "x".repeat(MAX_ARGUMENT_BYTES - 2));
    assert!(read::<String>(&exact).is_ok());
    assert!(read::<String>(&format!("{exact} ")).is_err());
    let (bytes, max) = (3, 2);
    assert_eq!(
        read_document("[1]", 2),
        Err(ReadError::TooLarge { bytes, max })
    );
}

#[test]
fn no_depth_of_nesting_overflows_the_stack() {
    let too_deep = ReadError::TooDeep { max: MAX_DEPTH };
    for as_objects in [false, true] {
        let value = nested(100_000, as_objects);
        let (open, close) = if as_objects {
            ("{\"k\":", "}")
        } else {
            ("[", "]")
        };
        let text = format!("{}null{}", open.repeat(100_000), close.repeat(100_000));
        for text in [
            &text[..],
            &text[..text.len() / 2],
            &text[..open.len() * 128],
        ] {
            assert_eq!(read::<Value>(text), Err(too_deep.clone()));
            assert_eq!(read::<Everything>(text), Err(too_deep.clone()));
            assert_eq!(
                read::<serde::de::IgnoredAny>(text).err(),
                Some(too_deep.clone())
            );
            assert_eq!(read_document(text, usize::MAX), Err(too_deep.clone()));
        }
        assert_eq!(read_value::<Value>(&value), Err(too_deep.clone()));
        assert_eq!(read_value::<Everything>(&value), Err(too_deep.clone()));
        dismantle(value);
    }
}

#[test]
fn the_limit_of_nesting_is_the_same_for_text_and_values() {
    for levels in [126, 127, 128, 129] {
        let value = nested(levels, levels % 2 == 0);
        let text = value.to_string();
        let fits = levels < MAX_DEPTH;
        assert_eq!(read::<Value>(&text).is_ok(), fits);
        assert_eq!(read_document(&text, 10_000).is_ok(), fits);
        assert_eq!(read_value::<Value>(&value).is_ok(), fits);
    }
    let brackets = format!("[\"{}\\\"{}\"]", "[".repeat(200), "{".repeat(200));
    assert!(
        read::<Vec<String>>(&brackets).is_ok(),
        "brackets in a string are no nesting"
    );
    assert!(read::<Value>(&format!("[{}]", ["[]"; 500].join(","))).is_ok());
}
