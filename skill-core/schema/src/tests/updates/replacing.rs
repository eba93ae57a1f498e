//! Tests of whole documents: a type reads its own output unchanged, and the present value fills in missing fields.

use serde_json::json;

use super::shelf::*;
use crate::tests::*;

fn written(shelf: &Shelf) -> Value {
    serde_json::to_value(shelf).unwrap()
}

proptest! {
    #[test]
    fn what_was_written_is_read_as_it_was(present in any_shelf(), other in any_shelf()) {
        prop_assert_eq!(replaced(&present, written(&other)), Ok(other));
    }

    #[test]
    fn the_parts_of_a_type_are_read_as_they_were(present in any_shelf(), other in any_shelf()) {
        fn check<T>(present: &T, other: &T)
        where
            T: PartialEq + std::fmt::Debug + Serialize + serde::de::DeserializeOwned + JsonSchema,
        {
            let read = replaced(present, serde_json::to_value(other).unwrap());
            assert_eq!(read.as_ref(), Ok(other));
        }
        check(&present.by_name, &other.by_name);
        check(&present.by_number, &other.by_number);
        check(&present.by_day, &other.by_day);
        check(&present.days_by_day, &other.days_by_day);
        check(&present.perhaps_named, &other.perhaps_named);
        check(&present.wrapped, &other.wrapped);
        check(&present.sparse, &other.sparse);
        check(&present.maybe, &other.maybe);
        check(&present.sparse_list, &other.sparse_list);
        check(&present.strictly, &other.strictly);
        check(&present.maybe_strictly, &other.maybe_strictly);
        check(&present.shape, &other.shape);
        check(&present.tagged, &other.tagged);
        check(&present.adjacent, &other.adjacent);
        check(&present.untagged, &other.untagged);
        check(&present.flat, &other.flat);
        check(&present.tree, &other.tree);
        check(&present.set, &other.set);
        check(&present.pair, &other.pair);
        check(&present.short, &other.short);
    }

    #[test]
    fn a_field_that_is_missing_is_that_of_the_present_value(
        present in any_shelf(),
        other in any_shelf(),
        missing in prop::sample::subsequence(
            vec!["byName", "byDay", "wrapped", "sparse", "maybe-sparse", "strictly", "count", "shape", "adjacent", "flat", "tree"],
            0..6,
        ),
    ) {
        let mut document = written(&other);
        let mut expected = document.clone();
        for key in missing {
            document.as_object_mut().unwrap().retain(|name, _| name != key);
            expected[key] = written(&present)[key].clone();
        }
        // `limit` is left out when it is `None`
        let expected: Shelf = serde_json::from_value(expected).unwrap();
        prop_assert_eq!(replaced(&present, document), Ok(expected));
    }

    #[test]
    fn a_whole_document_ends_with_a_value_or_problems(document in prop_oneof![any_json(), damaged()]) {
        let _ = replaced(&Everything::default(), document.clone()); // panics unless it is a value or problems
        let _ = replaced(&Shelf::default(), document.clone());
        let _ = replaced(&Tagged::A { a: 1.0 }, document);
    }
}

#[test]
fn a_removed_entry_does_not_come_back_and_a_missing_field_does() {
    let present = Shelf::default();
    let document = json!({
        "byName": { "ink": 1 },
        "byDay": { "mon": 1 },
        "daysByDay": { "mon": {} },
        "byNumber": { "7": {} },
        "strictly": { "right": null },
        "maybe-sparse": { "tags": { "old": 2 } },
        "tree": { "named": { "a": {} } },
    });
    let now = replaced(&present, document).unwrap();
    assert_eq!(now.by_name.len(), 1);
    assert_eq!(now.by_day, BTreeMap::from([(Day::Mon, 1)]));
    assert_eq!(
        now.strictly,
        Strictly {
            left: 1,
            right: None
        }
    );
    // a struct in a map gets the defaults of its type, since the entry is a new one
    let sparse = Sparse {
        note: None,
        tags: BTreeMap::new(),
        weight: 7,
    };
    assert_eq!(now.by_number[&7], sparse);
    assert_eq!(now.days_by_day, BTreeMap::from([(Day::Mon, sparse)]));
    // a field that the type leaves out when writing is not missing
    let maybe = now.maybe.unwrap();
    assert_eq!((maybe.note, maybe.tags.len(), maybe.weight), (None, 1, 7));
    assert_eq!((now.tree.size, now.tree.left), (1, present.tree.left));
    assert_eq!((now.count, now.limit), (9, None));
}

#[test]
fn a_nested_field_that_is_missing_is_that_of_the_present_value() {
    let mut present = Shelf::default();
    present.sparse.weight = 20;
    present.maybe.as_mut().unwrap().weight = 30;
    present.tree.left.as_mut().unwrap().size = 40;
    present.days_by_day.get_mut(&Day::Mon).unwrap().weight = 50;
    let document = json!({
        "sparse": {},
        "maybe-sparse": {},
        "tree": { "left": {} },
        "daysByDay": { "mon": {} },
    });
    let now = replaced(&present, document).unwrap();
    assert_eq!(now.sparse.weight, 20);
    assert_eq!(now.maybe.unwrap().weight, 30);
    assert_eq!(now.tree.left.unwrap().size, 40);
    assert_eq!(now.days_by_day[&Day::Mon].weight, 7);
}

#[test]
fn a_field_is_read_under_its_alias() {
    let present = Shelf::default();
    assert_eq!(replaced(&present, json!({ "qty": 3 })).unwrap().count, 3);
    let now = replaced(&present, json!({ "old_sparse": { "weight": 3 } })).unwrap();
    assert_eq!(now.sparse.weight, 3);
    let twice = replaced(&present, json!({ "qty": 3, "count": 4, "byName": 1 })).unwrap_err();
    assert_eq!(
        in_key_order(paths(&twice)),
        in_key_order(vec!["", "byName"])
    );
}

#[test]
fn all_mistakes_are_reported_and_no_missing_field() {
    let document = json!({
        "strictly": { "rihgt": 1 },
        "maybeStrictly": { "left": "l" },
        "byName": { "pen": null },
        "nonsense": 1,
    });
    let problems = replaced(&Shelf::default(), document).unwrap_err();
    let mut found: Vec<String> = problems.iter().map(Problem::to_string).collect();
    found.sort();
    let unknown = found.iter().find(|text| text.starts_with("`nonsense`"));
    assert!(unknown.is_some(), "{found:#?}");
    found.retain(|text| !text.starts_with("`nonsense`"));
    assert_eq!(
        found,
        [
            "`byName.pen`: invalid type: null, expected a non-negative integer",
            "`maybeStrictly.left`: invalid type: string \"l\", expected an integer",
            "`strictly.rihgt`: unknown field `rihgt`, expected `left` or `right`; did you mean `right`?",
        ]
    );
}

#[test]
fn a_field_that_json_cannot_hold_stays_if_it_is_missing() {
    let present = Everything {
        last_result: f64::INFINITY,
        maybe: Some(Inner {
            count: 1,
            ratio: f64::NEG_INFINITY,
        }),
        ..Everything::default()
    };
    let now = replaced(&present, json!({ "maybe": { "count": 2 } })).unwrap();
    assert_eq!(now.last_result, f64::INFINITY);
    assert_eq!(now.maybe.unwrap().ratio, f64::NEG_INFINITY);
    let wrong = replaced(&present, json!({ "last_result": null })).unwrap_err();
    assert_eq!(paths(&wrong), ["last_result"]);
}

#[test]
fn a_type_that_always_lacks_a_field_is_an_error_and_not_an_endless_loop() {
    #[derive(Debug, Default, PartialEq, Serialize, JsonSchema)]
    struct Never {
        x: u8,
    }
    impl<'de> Deserialize<'de> for Never {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Visitor;
            impl<'de> serde::de::Visitor<'de> for Visitor {
                type Value = Never;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("nothing")
                }
                fn visit_map<A: serde::de::MapAccess<'de>>(
                    self,
                    mut map: A,
                ) -> Result<Never, A::Error> {
                    while map.next_entry::<String, Value>()?.is_some() {}
                    Err(serde::de::Error::missing_field("x"))
                }
            }
            deserializer.deserialize_struct("Never", &["x"], Visitor)
        }
    }
    let problems = replaced(&Never::default(), json!({})).unwrap_err();
    assert_eq!(
        problems[0].to_string(),
        "at the top level: missing field `x`"
    );
}
