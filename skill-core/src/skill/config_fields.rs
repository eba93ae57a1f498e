//! Handles state fields with `#[skill(from_config)]` after the configuration has changed.

use crate::skill::SkillVtable;
use crate::stored::{Comparison, StoredValue};
use serde::Deserialize;
use serde_json::Value;
use std::any::Any;
use std::sync::Arc;

impl SkillVtable {
    /// Sets the fields with `always` to their values in the configuration.
    pub(crate) fn take_config(&self, state: &mut dyn Any, config: &dyn Any) {
        let Some(take) = self.take_fields else { return };
        let mut initial = (self.init)(config);
        if let Some(initial) = Arc::get_mut(&mut initial) {
            take(state, initial);
        }
    }

    /// Returns the keys of the fields that keep a stored value although the configuration has a different one. `stored` is the
    /// configuration at the time the state was stored. Only fields whose value in `stored` differs from `config` count; all
    /// fields count if `stored` is `None` or cannot be read.
    pub(crate) fn kept_fields(
        &self,
        state: &dyn Any,
        config: &dyn Any,
        stored: Option<&Value>,
    ) -> Vec<&'static str> {
        if self.kept_fields.is_empty() {
            return Vec::new();
        }
        let value = |state: &dyn Any| (self.state.value)(state).0;
        let before = stored.and_then(|stored| {
            let default = (self.config.default)();
            let layout = (self.spec)().config_layout();
            (self.config.merge)(&*default, stored, "", layout, &mut Vec::new())
        });
        let before = before.map(|config| value(&*(self.init)(&*config)));
        let initial = value(&*(self.init)(config));
        differing(
            self.kept_fields,
            &initial,
            [Some(&value(state)), before.as_ref()],
        )
    }
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
