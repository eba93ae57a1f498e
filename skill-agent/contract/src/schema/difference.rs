//! Values that one schema allows and another one does not.

use super::Role;
use serde_json::Value;
use std::mem::discriminant;

/// The most characters of a value in a message.
const MOST_CHARACTERS: usize = 60;

/// A part of a schema that allows more than the same part of another one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Difference {
    /// The path of the part in the values of the schemas.
    pub(super) path: String,
    pub(super) what: What,
}

/// How the second schema allows less than the first one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// The first has a property that the second does not have.
    Lacks { is_ignored: bool },
    /// The second has a property that the first does not have.
    Adds { is_required: bool },
    /// The first has a property that the second has under another name.
    Renamed(String),
    /// The second requires a property that the first has, and does not require.
    Requires,
    /// Values or variants of the first.
    Values(Vec<String>),
    /// The types of both.
    Types(String, String),
    /// Any value of a type in the first, a list of values in the second.
    Listed(String),
    /// A keyword with a number.
    Bound {
        keyword: &'static str,
        first: Option<String>,
        second: Option<String>,
    },
    /// A keyword with a value in the second that the first does not have.
    Keyword {
        keyword: String,
        first: Option<String>,
        second: String,
    },
    /// Keys that only the first allows.
    Keys,
    /// The reason why nothing is known.
    Unknown(&'static str),
}

impl Difference {
    /// Whether both are about the same part of the same schema, seen from both sides.
    pub(super) fn is_reverse_of(&self, other: &Self) -> bool {
        let same = match (&self.what, &other.what) {
            (What::Bound { keyword: one, .. }, What::Bound { keyword: other, .. }) => one == other,
            (What::Keyword { keyword: one, .. }, What::Keyword { keyword: other, .. }) => {
                one == other
            }
            (What::Values(_), What::Values(_)) => false,
            // the property is gone or new, whatever else is said of it
            (What::Lacks { .. } | What::Adds { .. }, What::Lacks { .. } | What::Adds { .. }) => {
                true
            }
            (one, other) => discriminant(one) == discriminant(other),
        };
        let is_unknown = matches!(other.what, What::Unknown(_));
        (same || is_unknown) && self.path == other.path
    }

    /// The sentence about a difference in which the first schema is the old one, or else the new one.
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

/// The text of a value, cut if it is long.
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
