//! The differences between schemas and readers, which are rows of `docs/schemas.md`.

use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Row {
    EqualItems,
    Keys,
    Buffered,
    MissingFields,
    FurtherKeys,
    Times,
    WithinArguments,
}

impl Row {
    /// The first column.
    pub fn title(self) -> &'static str {
        match self {
            Self::EqualItems => "equal items of a set",
            Self::Keys => "keys of a map",
            Self::Buffered => "`2.0` where serde buffers",
            Self::MissingFields => "missing fields and `null` next to `#[serde(flatten)]`",
            Self::FurtherKeys => {
                "extra keys in types of the standard library, and next to `tag` and `content`"
            }
            Self::Times => "times that are too large",
            Self::WithinArguments => "constraints within the type of an argument",
        }
    }

    /// Whether a value is such a difference.
    pub fn explains(self, kind: &str, value: &Value) -> bool {
        let value = &value["value"];
        match self {
            Self::EqualItems => any(value, &has_equal_items),
            Self::Keys => value
                .as_object()
                .is_some_and(|map| map.keys().any(|key| key.chars().count() != 1)),
            Self::Buffered => any(value, &is_whole_float),
            Self::MissingFields => {
                let is_missing = |field: &&str| value.get(field).is_none();
                ["a", "b"].iter().any(is_missing) || value.get("unknown") == Some(&Value::Null)
            }
            Self::FurtherKeys => any(value, &|part| {
                ["more", "unknown"]
                    .iter()
                    .any(|key| part.get(key).is_some())
            }),
            Self::Times => any(value, &|part| {
                part.as_u64().is_some_and(|number| number > i64::MAX as u64)
            }),
            Self::WithinArguments => kind == "argument" && value["stars"].is_number(),
        }
    }
}

/// Whether a part of a value has a property.
fn any(value: &Value, property: &dyn Fn(&Value) -> bool) -> bool {
    let within = match value {
        Value::Array(items) => items.iter().any(|item| any(item, property)),
        Value::Object(entries) => entries.values().any(|entry| any(entry, property)),
        _ => false,
    };
    within || property(value)
}

fn has_equal_items(value: &Value) -> bool {
    let items = value.as_array().into_iter().flatten();
    let mut seen: Vec<&Value> = Vec::new();
    items.into_iter().any(|item| {
        let is_equal = seen.contains(&item);
        seen.push(item);
        is_equal
    })
}

fn is_whole_float(value: &Value) -> bool {
    value.is_f64() && value.as_f64().is_some_and(|float| float.fract() == 0.0)
}
