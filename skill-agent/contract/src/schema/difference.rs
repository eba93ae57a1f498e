//! The differences between schemas: values that one of them accepts and the other does not.

use super::Role;
use serde_json::Value;
use std::mem::discriminant;

/// The maximum number of characters to show of a value in a message.
const MOST_CHARACTERS: usize = 60;

/// A part in which the first schema accepts more than the second.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Difference {
    /// The path of the part in the values.
    pub(super) path: String,
    pub(super) what: What,
}

/// In what way the second schema accepts less than the first.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// Only the first schema has the property.
    Lacks { is_ignored: bool },
    /// Only the second schema has the property.
    Adds { is_required: bool },
    /// The property has a different name in the second schema.
    Renamed(String),
    /// Both schemas have the property, but only the second requires it.
    Requires,
    /// The values or variants that only the first schema accepts.
    Values(Vec<String>),
    /// The types of the first and the second schema.
    Types(String, String),
    /// The first schema accepts any value of a type, while the second accepts only listed values.
    Listed(String),
    /// The limits of a numeric keyword differ.
    Bound {
        keyword: &'static str,
        first: Option<String>,
        second: Option<String>,
    },
    /// The second schema has a keyword with a value that the first schema lacks.
    Keyword {
        keyword: String,
        first: Option<String>,
        second: String,
    },
    /// Only the first schema allows certain keys.
    Keys,
    /// Why the schemas cannot be compared.
    Unknown(&'static str),
}

impl Difference {
    /// Returns whether both differences concern the same part, seen from opposite sides.
    pub(super) fn is_reverse_of(&self, other: &Self) -> bool {
        let same = match (&self.what, &other.what) {
            (What::Bound { keyword: one, .. }, What::Bound { keyword: other, .. }) => one == other,
            (What::Keyword { keyword: one, .. }, What::Keyword { keyword: other, .. }) => {
                one == other
            }
            (What::Values(_), What::Values(_)) => false,
            // a removed or new property needs no second report
            (What::Lacks { .. } | What::Adds { .. }, What::Lacks { .. } | What::Adds { .. }) => {
                true
            }
            (one, other) => discriminant(one) == discriminant(other),
        };
        let is_unknown = matches!(other.what, What::Unknown(_));
        (same || is_unknown) && self.path == other.path
    }

    /// Returns the message about a difference. `first_is_old` says whether the first schema is the old one.
    pub(super) fn message(&self, role: Role, first_is_old: bool) -> String {
        let was = |first: &str, second: &str| {
            let (old, new) = if first_is_old {
                (first, second)
            } else {
                (second, first)
            };
            format!("was {old}, is {new}")
        };
        match &self.what {
            What::Lacks { is_ignored: true } if first_is_old => {
                "gone, and a value for it is ignored".into()
            }
            What::Lacks { .. } if first_is_old => "gone".into(),
            What::Adds { .. } if !first_is_old => "gone".into(),
            What::Adds { is_required: true } if role != Role::Answer => "new and required".into(),
            What::Lacks { .. } | What::Adds { .. } => "new".into(),
            What::Renamed(name) => format!("gone; `{name}` is new with the same schema"),
            What::Requires if first_is_old && role == Role::Answer => "now always there".into(),
            What::Requires if first_is_old => "now required".into(),
            What::Requires if role == Role::Answer => "may be missing now".into(),
            What::Requires => "no longer required".into(),
            What::Values(values) => {
                let values = values.join("`, `");
                let verb = if first_is_old {
                    "no longer"
                } else {
                    "now also"
                };
                format!("{verb} `{values}`")
            }
            What::Types(first, second) => was(first, second),
            What::Listed(values) => was("any value", &format!("one of {values}")),
            What::Bound {
                keyword,
                first,
                second,
            } => {
                let [first, second] = [first, second].map(|text| text.as_deref().unwrap_or("none"));
                format!("`{keyword}` {}", was(first, second))
            }
            What::Keyword {
                keyword,
                first: Some(first),
                second,
            } => format!("cannot be compared: `{keyword}` {}", was(first, second)),
            What::Keyword {
                keyword, second, ..
            } => format!("`{keyword}` {}", was("none", second)),
            What::Keys if first_is_old => "other keys are refused now".into(),
            What::Keys => "other keys are possible now".into(),
            What::Unknown(reason) => format!("cannot be compared: {reason}"),
        }
    }
}

/// Returns the text of a value, truncated if it is long.
pub(super) fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
