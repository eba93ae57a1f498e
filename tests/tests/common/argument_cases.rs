//! For every action of `argument_kinds`: arguments that are right, and arguments that are wrong.

use serde_json::{Value, json};

/// An action with arguments that it accepts and arguments that it refuses.
pub struct ArgumentCases {
    pub action: &'static str,
    pub valid: Vec<Value>,
    pub invalid: Vec<Value>,
}

fn cases_of(action: &'static str, valid: Value, invalid: Value) -> ArgumentCases {
    let list = |value| match value {
        Value::Array(items) => items,
        other => vec![other],
    };
    ArgumentCases {
        action,
        valid: list(valid),
        invalid: list(invalid),
    }
}

fn numbers(changes: Value) -> Value {
    let mut numbers = json!({
        "a": -128, "b": -129, "c": 65_536, "d": i64::MIN, "e": -1, "f": 255, "g": 256, "h": u32::MAX, "i": u64::MAX, "j": 0,
        "k": 0.5, "l": 1e300, "m": true,
    });
    change(&mut numbers, changes);
    numbers
}

fn twenty(changes: Value) -> Value {
    let mut twenty = json!({
        "a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7, "h": 8, "i": 9, "j": 10,
        "p": "p", "q": "q", "r": "r", "s": "s", "t": "t",
    });
    change(&mut twenty, changes);
    twenty
}

/// Sets keys of an object. The value `"-"` removes a key.
pub fn change(object: &mut Value, changes: Value) {
    let (Value::Object(object), Value::Object(changes)) = (object, changes) else {
        panic!("objects are changed by objects");
    };
    for (key, value) in changes {
        if value == "-" {
            object.shift_remove(&key);
        } else {
            object.insert(key, value);
        }
    }
}

/// Returns the cases of all actions, in the order of the skill.
pub fn all() -> Vec<ArgumentCases> {
    vec![
        cases_of(
            "numbers",
            json!([
                numbers(json!({})),
                numbers(json!({ "k": 1, "l": 2, "m": false }))
            ]),
            json!([
                {},
                [],
                numbers(json!({ "a": -129 })),
                numbers(json!({ "f": 256 })),
                numbers(json!({ "f": -1 })),
                numbers(json!({ "f": 0.5 })),
                numbers(json!({ "i": "1" })),
                numbers(json!({ "m": 1 })),
                numbers(json!({ "l": null })),
                numbers(json!({ "c": "-" })),
                numbers(json!({ "n": 1 })),
            ]),
        ),
        cases_of(
            "texts",
            json!([{ "text": "", "letter": "a" }, { "text": "日本", "letter": "é" }]),
            json!([{ "text": "a" }, { "text": 1, "letter": "a" }, { "text": "a", "letter": "ab" }, { "text": "a", "letter": "" }]),
        ),
        cases_of(
            "options",
            json!([
                {},
                { "number": null, "text": null, "person": null, "shape": null, "list": null },
                { "number": 3, "text": "", "person": { "fullName": "a" }, "shape": { "Square": 1 }, "list": ["red"] },
            ]),
            json!([{ "number": 256 }, { "person": {} }, { "shape": "Circle" }, { "list": [null] }, { "nummer": 1 }]),
        ),
        cases_of(
            "defaults",
            json!([{}, { "zero": 1, "ratio": 1, "state": "", "colour": "red", "level": null, "list": [] }]),
            json!([{ "zero": null }, { "colour": "blue" }, { "level": -1 }, { "list": [256] }, { "ratio": "2.5" }]),
        ),
        cases_of(
            "rename-it",
            json!([{ "type": "a", "from-date": 1 }, { "type": "a", "from-date": 1, "in": 2 }]),
            json!([
                { "type": "a", "from": 1 },
                { "r#type": "a", "from-date": 1 },
                { "type": "a", "from-date": 1, "within": 2 },
            ]),
        ),
        cases_of(
            "ranges",
            json!([
                { "stars": 1, "count": 1, "digit": 9, "offset": -0.5 },
                { "stars": 5, "count": u32::MAX, "digit": i64::MIN, "offset": 0, "percent": 100, "size": 10 },
                { "stars": 3, "count": 10, "digit": 5, "offset": 0.25, "percent": null, "size": 20 },
            ]),
            json!([
                { "stars": 0, "count": 1, "digit": 9, "offset": 0 },
                { "stars": 6, "count": 1, "digit": 9, "offset": 0 },
                { "stars": 1, "count": 0, "digit": 9, "offset": 0 },
                { "stars": 1, "count": 1, "digit": 10, "offset": 0 },
                { "stars": 1, "count": 1, "digit": 9, "offset": 0.5 },
                { "stars": 1, "count": 1, "digit": 9, "offset": 0, "percent": 101 },
                { "stars": 1, "count": 1, "digit": 9, "offset": 0, "size": 9 },
            ]),
        ),
        cases_of(
            "lengths",
            json!([
                { "word": "ab", "list": [], "map": { "a": 1 } },
                { "word": "日本", "note": null, "list": [1, 2], "map": { "a": 1, "b": 2 }, "set": null, "queue": null },
                { "word": "abcd", "note": "a", "list": [1], "map": { "a": 1 }, "set": [1, 2], "queue": [true] },
            ]),
            json!([
                { "word": "a", "list": [], "map": { "a": 1 } },
                { "word": "abcde", "list": [], "map": { "a": 1 } },
                { "word": "ab", "note": "", "list": [], "map": { "a": 1 } },
                { "word": "ab", "list": [1, 2, 3], "map": { "a": 1 } },
                { "word": "ab", "list": [], "map": {} },
                { "word": "ab", "list": [], "map": { "a": 1 }, "set": [] },
                { "word": "ab", "list": [], "map": { "a": 1 }, "set": [1, 2, 3] },
                { "word": "ab", "list": [], "map": { "a": 1 }, "queue": [] },
            ]),
        ),
        cases_of(
            "patterns",
            json!([{ "word": "a" }, { "word": "ab", "month": "2024-01", "part": "xbx" }, { "word": "a", "month": null }]),
            json!([
                { "word": "" },
                { "word": "A" },
                { "word": "a\n" },
                { "word": "a", "month": "2024-1" },
                { "word": "a", "month": "٢٠٢٤-٠١" },
                { "word": "a", "part": "abcd" },
                { "word": "a", "part": "c" },
            ]),
        ),
        cases_of(
            "examples",
            json!([{ "city": "Rome" }, { "city": "Bonn", "colour": "dark_green" }]),
            json!([{ "city": null }, { "city": "Rome", "colour": "Red" }]),
        ),
        cases_of(
            "enums",
            json!([
                {
                    "colour": "red", "shape": "Point", "payment": { "by": "Card", "number": "1" }, "answer": { "kind": "Count", "value": 3 },
                    "shapes": [{ "Circle": { "radius": 0.5 } }, { "Text": [1, "a"] }],
                },
                { "colour": "dark_green", "shape": { "Square": 2.5 }, "payment": { "by": "Cash" }, "answer": { "kind": "Yes" }, "shapes": [] },
            ]),
            json!([
                { "colour": "DarkGreen", "shape": "Point", "payment": { "by": "Cash" }, "shapes": [] },
                { "colour": "red", "shape": "Circle", "payment": { "by": "Cash" }, "shapes": [] },
                { "colour": "red", "shape": { "Circle": {} }, "payment": { "by": "Cash" }, "shapes": [] },
                { "colour": "red", "shape": { "Square": 1, "Circle": { "radius": 1 } }, "payment": { "by": "Cash" }, "shapes": [] },
                { "colour": "red", "shape": "Point", "payment": { "by": "Card" }, "shapes": [] },
                { "colour": "red", "shape": "Point", "payment": { "by": "Cheque" }, "shapes": [] },
                { "colour": "red", "shape": "Point", "payment": { "by": "Cash" }, "answer": { "kind": "Count" }, "shapes": [] },
                { "colour": "red", "shape": "Point", "payment": { "by": "Cash" }, "shapes": [{ "Text": [1] }] },
            ]),
        ),
        cases_of(
            "nested",
            json!([
                { "person": { "fullName": "a" }, "others": [] },
                { "person": { "fullName": "a", "home": { "street": "b", "floor": -1 }, "extra": 1 }, "others": [{ "fullName": "c", "home": null }] },
            ]),
            json!([
                { "person": { "full_name": "a" }, "others": [] },
                { "person": { "fullName": "a", "home": {} }, "others": [] },
                { "person": { "fullName": "a", "home": { "street": "b", "flor": 1 } }, "others": [] },
                { "person": { "fullName": "a" }, "others": [{}] },
            ]),
        ),
        cases_of(
            "recursive",
            json!([
                { "tree": { "size": 1 }, "trees": [] },
                { "tree": { "size": 1, "left": { "size": 2, "left": null, "right": [{ "size": 3 }] } }, "trees": [{ "size": 4 }], "perhaps": { "size": 5 } },
            ]),
            json!([
                { "tree": {}, "trees": [] },
                { "tree": { "size": 1, "left": { "size": 2, "right": [{ "size": 256 }] } }, "trees": [] },
                { "tree": { "size": 1 }, "trees": [null] },
            ]),
        ),
        cases_of(
            "maps",
            json!([
                { "prices": {}, "by_number": {}, "people": {} },
                { "prices": { "a": 1, "": 0.5 }, "by_number": { "7": "b", "10": "c" }, "people": { "x y": { "fullName": "d" } } },
            ]),
            json!([
                { "prices": { "a": "1" }, "by_number": {}, "people": {} },
                { "prices": {}, "by_number": { "a": "b" }, "people": {} },
                { "prices": {}, "by_number": { "-1": "b" }, "people": {} },
                { "prices": {}, "by_number": {}, "people": { "a": {} } },
            ]),
        ),
        cases_of(
            "tuples",
            json!([{ "pair": [0.5, "a"], "triple": [1, 2, 3], "height": 2.5, "nothing": null }]),
            json!([
                { "pair": [0.5], "triple": [1, 2, 3], "height": 2.5, "nothing": null },
                { "pair": ["a", 0.5], "triple": [1, 2, 3], "height": 2.5, "nothing": null },
                { "pair": [0.5, "a", 1], "triple": [1, 2, 3], "height": 2.5, "nothing": null },
                { "pair": [0.5, "a"], "triple": [1, 2], "height": 2.5, "nothing": null },
                { "pair": [0.5, "a"], "triple": [1, 2, 3], "height": {}, "nothing": null },
                { "pair": [0.5, "a"], "triple": [1, 2, 3], "height": 2.5, "nothing": {} },
                { "pair": [0.5, "a"], "triple": [1, 2, 3], "height": 2.5 },
            ]),
        ),
        cases_of(
            "by_serde",
            json!([{ "number": 1 }, { "number": 5, "note": "a", "other": 0 }, { "number": 3, "note": null }]),
            json!([{}, { "number": 0 }, { "number": 6 }, { "number": 1, "other": null }, { "number": 1, "count": 1 }]),
        ),
        cases_of(
            "free",
            json!([{ "value": null, "values": [] }, { "value": { "a": [1, "b"] }, "values": [null, {}, 0.5] }]),
            json!([{}, { "value": 1 }, { "value": 1, "values": {} }, { "value": 1, "values": [], "more": 1 }]),
        ),
        cases_of(
            "no_arguments",
            json!([{}]),
            json!([[[]], null, 0, "", { "a": 1 }]),
        ),
        cases_of(
            "twenty",
            json!([twenty(json!({})), twenty(json!({ "k": 1, "o": null }))]),
            json!([
                {},
                twenty(json!({ "t": "-" })),
                twenty(json!({ "a": 256 })),
                twenty(json!({ "k": "" })),
                twenty(json!({ "u": 1 }))
            ]),
        ),
    ]
}
