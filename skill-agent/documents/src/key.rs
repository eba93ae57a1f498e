//! Normalizes ids for comparison, so that ids that look the same to a person are equal.

use skill_manifest::__private::folded_id;
use std::borrow::Cow;

/// Returns an id in lower case and in Unicode form NFKC.
pub(crate) fn key(id: &str) -> Cow<'_, str> {
    if id.is_ascii() {
        return if id.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(id.to_ascii_lowercase())
        } else {
            Cow::Borrowed(id)
        };
    }
    Cow::Owned(folded_id(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_look_alike_are_equal() {
        for (one, other) in [
            ("plan", "Plan"),
            ("caf\u{e9}", "cafe\u{301}"),
            ("\u{ff50}lan", "plan"),
            ("STRA\u{1e9e}E", "stra\u{df}e"),
        ] {
            assert_eq!(key(one), key(other));
        }
        assert_ne!(key("plan-a"), key("plan_a"));
    }
}
