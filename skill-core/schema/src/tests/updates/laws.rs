//! The laws that hold for every document.

use serde_json::json;

use crate::problem::wording::of_json;
use crate::tests::*;
use crate::{ReadError, read, read_document, read_value};

fn plain() -> impl Strategy<Value = Everything> {
    let inner =
        || (any::<u32>(), -1e300..1e300f64).prop_map(|(count, ratio)| Inner { count, ratio });
    let shape = || {
        prop_oneof![
            Just(Shape::Empty),
            any::<i32>().prop_map(|radius| Shape::Circle {
                radius: radius.into()
            }),
            any::<u8>().prop_map(|side| Shape::Square(side.into())),
        ]
    };
    (
        (
            any::<u32>(),
            -1e300..1e300f64,
            any::<String>(),
            any::<char>(),
            any::<bool>(),
        ),
        (
            any::<i16>(),
            any::<i8>(),
            inner(),
            prop::option::of(inner()),
            prop::option::of(0.0..1f64),
        ),
        (
            prop::collection::vec(-1.0..1f64, 0..3),
            prop::collection::vec(inner(), 0..3),
        ),
        (shape(), prop::collection::vec(shape(), 0..3)),
    )
        .prop_map(|(a, b, c, d)| Everything {
            precision: a.0,
            last_result: a.1,
            name: a.2,
            letter: a.3,
            on: a.4,
            pair: (b.0.into(), b.1),
            inner: b.2,
            maybe: b.3,
            perhaps: b.4,
            samples: c.0,
            inners: c.1,
            shape: d.0,
            shapes: d.1,
            ..Everything::default()
        })
}

/// Returns whether serde_json has refused a float such as `2.0` for an integer.
fn is_about_a_whole_float(message: &str) -> bool {
    let found = message.strip_prefix("invalid type: floating point `");
    let float = found.and_then(|rest| rest.split_once("`, expected "));
    float.is_some_and(|(float, expected)| {
        expected.starts_with(['i', 'u'])
            && float.parse::<f64>().is_ok_and(|float| float.fract() == 0.0)
    })
}

proptest! {
    #[test]
    fn a_text_and_its_value_are_read_alike(value in prop_oneof![any_json(), damaged()]) {
        let text = value.to_string();
        prop_assert_eq!(read_document(&text, usize::MAX), Ok(value.clone()));
        prop_assert_eq!(read::<Everything>(&text), read_value::<Everything>(&value));
        prop_assert_eq!(read::<Strict>(&text), read_value::<Strict>(&value));
        prop_assert_eq!(read::<Shape>(&text), read_value::<Shape>(&value));
        prop_assert_eq!(read::<Vec<Shape>>(&text), read_value::<Vec<Shape>>(&value));
        prop_assert_eq!(read::<Tagged>(&text), read_value::<Tagged>(&value));
        prop_assert_eq!(read::<Value>(&text), read_value::<Value>(&value));
    }

    #[test]
    fn what_serde_json_reads_from_a_value_is_what_is_read_here(value in damaged()) {
        let theirs = serde_json::from_value::<Everything>(value.clone());
        match (theirs, read_value::<Everything>(&value)) {
            (Ok(theirs), Ok(ours)) => prop_assert_eq!(theirs, ours),
            // serde_json reads a number too large for an `f32` as infinity
            (_, Err(ReadError::Data(ours))) if ours.message.contains("out of range, expected a number") => {}
            // serde_json never reads a float as an integer
            (Err(theirs), _) if is_about_a_whole_float(&theirs.to_string()) => {}
            // serde_json reads a list as a struct variant from text, and not from a value
            (Err(theirs), _)
                if theirs.to_string() == "invalid type: sequence, expected struct variant" => {}
            // serde_json names the variant, and not the list that is its content
            (Err(theirs), Err(ReadError::Data(ours)))
                if theirs.to_string().ends_with(", expected tuple variant")
                    && ours.message.ends_with(", expected a list") => {}
            (Err(theirs), Err(ReadError::Data(ours))) => {
                let theirs = theirs.to_string();
                let theirs: String = of_json(&theirs).chars().take(1_000).collect();
                let theirs = theirs.replace("invalid value: expected key", "expected key");
                prop_assert!(ours.message.starts_with(&theirs[..]), "{} / {}", theirs, ours);
            }
            (theirs, ours) => prop_assert!(false, "{theirs:?} / {ours:?}"),
        }
    }

    #[test]
    fn what_is_in_a_string_is_neither_nesting_nor_a_key(
        texts in prop::collection::vec(r#"[\[\]{}:"\\a]{0,8}"#, 150..200),
    ) {
        let text = serde_json::to_string(&texts).unwrap();
        prop_assert_eq!(read::<Vec<String>>(&text), Ok(texts.clone()));
        prop_assert_eq!(read_document(&text, usize::MAX), Ok(json!(texts)));
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in any::<String>()) {
        let _ = read::<Everything>(&text);
        let _ = read_document(&text, usize::MAX);
    }
}

proptest! {
    #[test]
    fn laying_nothing_over_a_value_changes_nothing(value in plain()) {
        prop_assert_eq!(merged(&value, json!({})), Ok(value));
    }

    #[test]
    fn laying_a_whole_value_over_another_gives_the_first(x in plain(), y in plain()) {
        prop_assert_eq!(merged(&x, serde_json::to_value(&y).unwrap()), Ok(y));
    }

    #[test]
    fn laying_a_value_over_itself_twice_is_laying_it_once(x in plain(), patch in damaged()) {
        if let Ok(once) = merged(&x, patch.clone()) {
            prop_assert_eq!(merged(&once, patch), Ok(once));
        }
    }

    #[test]
    fn a_merge_ends_with_a_value_or_problems(patch in prop_oneof![any_json(), damaged()]) {
        let _ = merged(&Everything::default(), patch.clone()); // panics unless it is a value or problems
        let _ = merged(&Shape::Empty, patch.clone());
        let _ = merged(&Tagged::A { a: 1.0 }, patch);
    }

    #[test]
    fn each_wrong_value_is_reported_once(wrong in prop::sample::subsequence(
        vec!["precision", "last_result", "name", "letter", "on", "inner", "samples", "shape", "tagged"], 0..=9,
    )) {
        let patch: Map<String, Value> = wrong.iter().map(|key| (key.to_string(), json!([[]]))).collect();
        match merged(&Everything::default(), Value::Object(patch)) {
            Ok(_) => prop_assert!(wrong.is_empty()),
            Err(problems) => prop_assert_eq!(problems.len(), wrong.len(), "{:?}", problems),
        }
    }
}
