//! Handles state fields with `#[skill(from_config)]` after the configuration has changed.

use crate::Skill;
use crate::bounds::{ConfigOf, Configuration};
use crate::stored::{Comparison, StoredValue};
use serde::Deserialize;
use serde_json::Value;

/// Returns whether a skill has such fields.
pub(crate) const fn has_any<S: Skill>() -> bool {
    !S::__CONFIG_FIELDS.kept.is_empty() || S::__CONFIG_FIELDS.take.is_some()
}

/// Sets the fields with `always` to their values in the configuration.
pub(crate) fn take<S: Skill>(state: &mut S, config: &S::Config) {
    if let Some(take) = S::__CONFIG_FIELDS.take {
        take(state, &mut S::init(config));
    }
}

/// Returns the keys of the fields that keep a stored value although the configuration has a different one. `stored` is the
/// configuration at the time the state was stored. Only fields whose value in `stored` differs from `config` count; all fields
/// count if `stored` is `None` or cannot be read.
pub(crate) fn kept<S: Skill>(
    state: &S,
    config: &S::Config,
    stored: Option<&Value>,
) -> Vec<&'static str> {
    let keys = S::__CONFIG_FIELDS.kept;
    if keys.is_empty() {
        return Vec::new();
    }
    let value = |state: &S| S::Config::__state_value(state).0;
    let before = stored.and_then(|stored| {
        let (layout, mut problems) = (S::SPEC.config_layout(), Vec::new());
        S::Config::__default().__merge(stored, "", layout, &mut problems)
    });
    let before = before.map(|config| value(&S::init(&config)));
    let initial = value(&S::init(config));
    differing(keys, &initial, [Some(&value(state)), before.as_ref()])
}

/// Returns the keys whose values in `initial` differ from the values in each of `others`.
fn differing(
    keys: &[&'static str],
    initial: &Value,
    others: [Option<&Value>; 2],
) -> Vec<&'static str> {
    let differs_from_all = |key: &&&str| {
        let mut others = others.iter().flatten();
        others.all(|other| differs(other.get(**key), initial.get(**key)))
    };
    keys.iter().filter(differs_from_all).copied().collect()
}

/// Returns whether two values differ. The order of lists does not count, because a set has no order.
pub(crate) fn differs(one: Option<&Value>, other: Option<&Value>) -> bool {
    let stored = |value: Option<&Value>| StoredValue::deserialize(value?).ok();
    match (stored(one), stored(other)) {
        (Some(one), Some(other)) => one.difference(other, Comparison::Exact).is_some(),
        (one, other) => one.is_some() != other.is_some(),
    }
}
