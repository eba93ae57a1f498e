//! Merge patches, RFC 7396.

use serde_json::json;

use super::shelf::*;
use crate::tests::*;

/// Applies a patch with the algorithm in section 2 of the RFC.
fn by_the_rfc(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        return target.clone_from(patch);
    };
    if !target.is_object() {
        *target = json!({});
    }
    let target = target.as_object_mut().unwrap();
    for (key, value) in patch {
        if value.is_null() {
            target.retain(|name, _| name != key);
        } else {
            by_the_rfc(target.entry(key.clone()).or_insert(Value::Null), value);
        }
    }
}

/// Returns the patch that turns `from` into `to`, where the objects at these paths merge.
fn difference(from: &Value, to: &Value, path: &str) -> Value {
    const MERGE: [&str; 9] = [
        "",
        ".byName",
        ".byNumber",
        ".byDay",
        ".wrapped",
        ".sparse",
        ".strictly",
        ".tree",
        ".perhapsNamed",
    ];
    let (Value::Object(from), Value::Object(to)) = (from, to) else {
        return to.clone();
    };
    if !MERGE.contains(&path) {
        return Value::Object(to.clone());
    }
    let removed = from.keys().filter(|key| !to.contains_key(*key));
    let mut patch: Map<String, Value> = removed.map(|key| (key.clone(), Value::Null)).collect();
    for (key, value) in to {
        if from.get(key) != Some(value) {
            let before = from.get(key).unwrap_or(&Value::Null);
            patch.insert(
                key.clone(),
                difference(before, value, &format!("{path}.{key}")),
            );
        }
    }
    Value::Object(patch)
}

proptest! {
    #[test]
    fn a_map_is_merged_as_in_the_rfc(
        current in prop::collection::btree_map("[abc]", any_json(), 0..4),
        patch in prop::collection::btree_map("[abcd]", any_json(), 0..4),
    ) {
        let mut expected = serde_json::to_value(&current).unwrap();
        let patch = serde_json::to_value(patch).unwrap();
        by_the_rfc(&mut expected, &patch);
        let now = merged(&current, patch).unwrap();
        prop_assert_eq!(serde_json::to_value(now).unwrap(), expected);
    }

    #[test]
    fn every_value_is_a_patch_away_from_every_other(mut from in any_shelf(), mut to in any_shelf()) {
        // a patch cannot set a map entry to `null`, and must have all fields of an enum or of a struct in a map
        for shelf in [&mut from, &mut to] {
            shelf.perhaps_named.iter_mut().for_each(|map| map.retain(|_, value| value.is_some()));
            shelf.by_number.clear();
            shelf.maybe = None;
            shelf.days_by_day.clear();
            shelf.tree.named.clear();
            shelf.tree.left = None;
            shelf.maybe_strictly = None;
            shelf.flat = Flat::default();
            shelf.sparse.tags.clear();
        }
        let patch = difference(
            &serde_json::to_value(&from).unwrap(),
            &serde_json::to_value(&to).unwrap(),
            "",
        );
        prop_assert_eq!(merged(&from, patch), Ok(to));
    }
}

#[test]
fn null_removes_the_entry_of_a_map_and_is_a_value_at_a_field() {
    let now = merged(
        &Shelf::default(),
        json!({
            "byName": { "cap": 5, "pen": null, "absent": null },
            "byNumber": { "7": null, "8": { "note": null, "tags": { "a": 1, "b": null } } },
            "byDay": { "mon": null },
            "daysByDay": { "tue": null, "mon": { "tags": { "new": null }, "note": null } },
            "perhapsNamed": { "a": null, "b": 2 },
            "wrapped": { "ink": null },
            "sparse": { "tags": { "new": null } },
            "maybe-sparse": { "note": null },
            "strictly": { "right": null },
            "limit": null,
        }),
    )
    .unwrap();
    let names = |map: &BTreeMap<String, u8>| map.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&now.by_name), ["cap", "ink"]);
    assert_eq!(now.by_number.len(), 1);
    assert_eq!(
        (&now.by_number[&8].note, names(&now.by_number[&8].tags)),
        (&None, vec!["a".into()])
    );
    assert_eq!(now.by_day, BTreeMap::from([(Day::Tue, 2)]));
    assert_eq!(now.days_by_day.len(), 1);
    assert_eq!(
        (
            &now.days_by_day[&Day::Mon].note,
            now.days_by_day[&Day::Mon].tags.len()
        ),
        (&None, 0)
    );
    assert_eq!(
        now.perhaps_named,
        Some(BTreeMap::from([("b".into(), Some(2))]))
    );
    assert_eq!(names(&now.wrapped.0), ["pen"]);
    assert!(now.sparse.tags.is_empty());
    assert_eq!((now.maybe.unwrap().note, now.limit), (None, None));
    assert_eq!(
        now.strictly,
        Strictly {
            left: 1,
            right: None
        }
    );
}

#[test]
fn null_at_a_field_that_cannot_be_null_is_a_mistake() {
    let patch = json!({
        "count": null,
        "strictly": { "left": null },
        "flat": { "count": null },
        "byNumber": { "7": { "weight": null } },
        "tagged": { "kind": "A", "a": null },
        "nonsense": null,
        "byName": null,
    });
    let problems = merged(&Shelf::default(), patch).unwrap_err();
    let mut found = paths(&problems);
    found.sort_unstable();
    let expected = [
        "byName",
        "byNumber.7.weight",
        "count",
        "flat",
        "nonsense",
        "strictly.left",
        "tagged",
    ];
    let found: Vec<&str> = found
        .into_iter()
        .map(|path| {
            path.strip_suffix(".count")
                .or(path.strip_suffix(".a"))
                .unwrap_or(path)
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn an_entry_whose_value_is_null_stays_unless_the_patch_removes_it() {
    let mut shelf = Shelf {
        perhaps_named: Some(BTreeMap::from([("a".into(), None), ("b".into(), None)])),
        ..Shelf::default()
    };
    shelf = merged(&shelf, json!({ "perhapsNamed": { "b": null, "c": 1 } })).unwrap();
    let expected = BTreeMap::from([("a".into(), None), ("c".into(), Some(1))]);
    assert_eq!(shelf.perhaps_named, Some(expected));
}

#[test]
fn an_enum_and_a_list_are_replaced_with_every_null_in_them() {
    let now = merged(
        &Shelf::default(),
        json!({
            "adjacent": { "t": "Some", "c": { "x": 5, "y": null } },
            "tagged": { "kind": "B", "b": null },
            "untagged": { "x": 1, "y": 2 },
            "sparseList": [{ "note": null, "weight": 1 }],
            "flat": { "own": null, "a": false, "b": true },
        }),
    )
    .unwrap();
    assert_eq!(now.adjacent, Adjacent::Some { x: 5, y: None });
    assert_eq!(now.tagged, Tagged::B { b: None });
    assert_eq!(now.untagged, Untagged::Pair { x: 1, y: 2 });
    assert_eq!(now.sparse_list[0].note, None);
    assert_eq!((now.flat.own, now.flat.rest.len()), (None, 2));
}

#[test]
fn a_field_is_patched_under_its_alias() {
    let now = merged(
        &Shelf::default(),
        json!({ "qty": 3, "old_sparse": { "note": null } }),
    )
    .unwrap();
    assert_eq!((now.count, now.sparse.note), (3, None));
    let twice = merged(&Shelf::default(), json!({ "qty": 3, "count": 4 })).unwrap_err();
    assert_eq!(twice[0].message, "duplicate field `count`");
}

#[test]
fn a_removed_float_that_json_cannot_hold_is_gone() {
    let current = BTreeMap::from([("a".to_owned(), f64::NAN), ("b".to_owned(), f64::INFINITY)]);
    let now = merged(&current, json!({ "a": null })).unwrap();
    assert_eq!(now, BTreeMap::from([("b".to_owned(), f64::INFINITY)]));
}
