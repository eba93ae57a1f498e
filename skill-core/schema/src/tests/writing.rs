use std::collections::HashMap;

use serde_json::json;

use super::*;
use crate::{WriteError, read_value, write, write_value};

fn not_finite<T: Serialize + ?Sized>(value: &T) -> (String, &'static str) {
    let error = write(value).unwrap_err();
    assert_eq!(write_value(value), Err(error.clone()));
    match error {
        WriteError::NotFinite { path, value } => (path, value),
        other => panic!("another error: {other}"),
    }
}

#[test]
fn a_float_that_json_cannot_hold_is_found_wherever_it_is() {
    let nan = f64::NAN;
    assert_eq!(not_finite(&nan), ("".into(), "NaN"));
    assert_eq!(not_finite(&f32::NEG_INFINITY), ("".into(), "-inf"));
    assert_eq!(not_finite(&Some(f64::INFINITY)), ("".into(), "inf"));
    assert_eq!(not_finite(&vec![0.0, nan]), ("[1]".into(), "NaN"));
    assert_eq!(not_finite(&(1, (2.0, nan))), ("[1][1]".into(), "NaN"));
    assert_eq!(
        not_finite(&HashMap::from([("a b", nan)])),
        (r#"["a b"]"#.into(), "NaN")
    );
    assert_eq!(
        not_finite(&HashMap::from([(3, [nan])])),
        ("3[0]".into(), "NaN")
    );
    assert_eq!(
        not_finite(&HashMap::from([(true, nan)])),
        ("true".into(), "NaN")
    );

    let all = Everything::default();
    let mut some = all.clone();
    some.maybe = Some(Inner {
        count: 0,
        ratio: nan,
    });
    assert_eq!(not_finite(&some).0, "maybe.ratio");
    let mut some = all.clone();
    some.shapes = vec![Shape::Empty, Shape::Circle { radius: nan }];
    assert_eq!(not_finite(&some).0, "shapes[1].Circle.radius");
    some.shapes = vec![Shape::Square(1.0), Shape::Square(nan)];
    assert_eq!(not_finite(&some).0, "shapes[1].Square");
    some.shapes = vec![Shape::Pair(nan, 0)];
    assert_eq!(not_finite(&some).0, "shapes[0].Pair[0]");
    let mut some = all.clone();
    some.tagged = Tagged::B { b: Some(nan) };
    assert_eq!(not_finite(&some).0, "tagged.b");
    let mut some = all;
    some.by_number.insert(9, f64::NEG_INFINITY);
    assert_eq!(not_finite(&some), ("by_number.9".into(), "-inf"));
}

#[test]
fn a_key_that_json_cannot_hold_is_found_as_well() {
    struct Key;
    impl Serialize for Key {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map([(f64::NAN, 1)])
        }
    }
    #[derive(Serialize)]
    struct Holder {
        map: Key,
    }
    assert_eq!(not_finite(&Holder { map: Key }), ("map".into(), "NaN"));
}

#[test]
fn an_absent_value_is_not_a_float() {
    let all = Everything {
        maybe: None,
        ..Everything::default()
    };
    let text = write(&all).unwrap();
    assert!(text.contains("null"));
    assert_eq!(serde_json::from_str::<Everything>(&text).unwrap(), all);
    assert_eq!(write(&()), Ok("null".into()));
    assert_eq!(write(&None::<f64>), Ok("null".into()));
    assert_eq!(write("null"), Ok("\"null\"".into()));
    assert_eq!(write_value(&json!([null])), Ok(json!([null])));
}

#[test]
fn a_map_whose_keys_are_no_texts_is_named() {
    let map = HashMap::from([((1, 2), 1)]);
    let names = HashMap::from([(Some("a"), true)]);
    for error in [
        write(&json_like(&map, &names)).unwrap_err(),
        write_value(&json_like(&map, &names)).unwrap_err(),
    ] {
        assert_eq!(
            error.to_string(),
            "`[1].board.grid` has a key that JSON cannot hold: a key is a `String`, a number, a `bool`, a `char` or an enum \
             without content; a `Vec` of pairs holds any keys"
        );
    }
    let error = write(&map).unwrap_err();
    assert_eq!(error, WriteError::NotAKey { path: "".into() });
}

/// Writes two maps with valid keys before one with other keys.
fn json_like(map: &impl Serialize, names: &impl Serialize) -> impl Serialize {
    #[derive(Serialize)]
    struct Board<A, B> {
        names: A,
        flags: HashMap<bool, char>,
        grid: B,
    }
    let board = Board {
        names,
        flags: HashMap::from([(true, 'x')]),
        grid: map,
    };
    ((), HashMap::from([("board", board)]))
}

#[test]
fn other_errors_keep_their_messages() {
    struct Never;
    impl Serialize for Never {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("not today"))
        }
    }
    assert_eq!(write(&Never), Err(WriteError::Other("not today".into())));
    assert_eq!(
        write_value(&[Never]),
        Err(WriteError::Other("not today".into()))
    );
}

proptest! {
    #[test]
    fn what_is_written_has_no_null_that_was_a_number(floats in prop::collection::vec(any::<f64>(), 0..5)) {
        match write(&floats) {
            Ok(text) => {
                prop_assert!(!text.contains("null"), "{text}");
                if floats.iter().all(|float| is_read_back(*float)) {
                    prop_assert_eq!(serde_json::from_str::<Vec<f64>>(&text).unwrap(), floats);
                }
            }
            Err(WriteError::NotFinite { path, .. }) => {
                let first = floats.iter().position(|float| !float.is_finite()).unwrap();
                prop_assert_eq!(path, format!("[{first}]"));
            }
            Err(other) => prop_assert!(false, "{other}"),
        }
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Singles {
    one: f32,
    wide: f64,
    many: Vec<(f32, u8)>,
    by_name: BTreeMap<String, Option<f32>>,
    shape: Option<Shape32>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Shape32 {
    Circle { radius: f32 },
}

#[test]
fn a_value_has_the_numbers_of_the_text() {
    let singles = Singles {
        one: 0.1,
        wide: f64::from(0.1_f32),
        many: vec![(0.1, 1), (0.5, 2), (3e38, 3), (1e-40, 4)],
        by_name: BTreeMap::from([("a.b".to_owned(), Some(0.7)), ("c".to_owned(), None)]),
        shape: Some(Shape32::Circle { radius: 2.2 }),
    };
    let value = write_value(&singles).unwrap();
    assert_eq!(value["one"], json!(0.1));
    assert_eq!(value["wide"], json!(0.10000000149011612));
    assert_eq!(value["by_name"]["a.b"], json!(0.7));
    assert_eq!(value["shape"]["Circle"]["radius"], json!(2.2));
    assert_eq!(
        value.to_string().parse::<Value>().unwrap(),
        write(&singles).unwrap().parse::<Value>().unwrap()
    );
    assert_eq!(read_value::<Singles>(&value), Ok(singles));
}
