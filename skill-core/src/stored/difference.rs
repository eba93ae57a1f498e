//! Compares stored values.

use super::order::sort_items;
use super::value::StoredValue;
use std::cmp::Ordering;

/// The differences that matter in a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// All differences matter.
    Exact,
    /// The read value may have additional fields, may lack fields that are stored as `null`, and may have a float in place of an
    /// integer.
    MayHaveMore,
}

/// Whether the order of list items matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListOrder {
    /// Lists with the same items in a different order are equal.
    Any,
    /// Lists with the same items in a different order differ.
    Kept,
}

/// The first difference between a stored value and the value read back from it.
#[derive(Debug)]
pub struct Difference {
    /// The keys and indices that lead to the value, innermost first.
    steps: Vec<StoredValue>,
    /// The stored value, or `None` if only the read one has a value there.
    pub stored: Option<StoredValue>,
    /// The read value, or `None` if only the stored one has a value there.
    pub read: Option<StoredValue>,
}

impl Difference {
    fn of(stored: Option<&StoredValue>, read: Option<&StoredValue>) -> Self {
        Self {
            steps: Vec::new(),
            stored: stored.cloned(),
            read: read.cloned(),
        }
    }

    fn below(mut self, step: StoredValue) -> Self {
        self.steps.push(step);
        self
    }

    /// Returns the keys and indices that lead to the value.
    pub fn steps(&self) -> Vec<StoredValue> {
        self.steps.iter().rev().cloned().collect()
    }

    /// Returns the same difference with other keys and indices.
    #[must_use]
    pub fn with_steps(mut self, steps: Vec<StoredValue>) -> Self {
        self.steps = steps;
        self.steps.reverse();
        self
    }

    /// Returns the path of the value, such as `stock.pen` or `lines.3`.
    pub fn path(&self) -> String {
        joined(self.steps.iter().rev())
    }

    /// Returns the path of the innermost value around the difference that [`StoredValue::remove`] can remove. May be empty.
    pub fn removable_path(&self) -> String {
        let steps = self.steps.iter().rev();
        joined(steps.take_while(|step| matches!(step, StoredValue::Text(_))))
    }
}

fn joined<'a>(steps: impl Iterator<Item = &'a StoredValue>) -> String {
    let steps: Vec<String> = steps.map(ToString::to_string).collect();
    steps.join(".")
}

impl StoredValue {
    /// Compares a stored value with the value read back from it. Lists with the same items in a different order are equal,
    /// because sets and heaps are stored as lists.
    pub fn difference(mut self, mut read: Self, comparison: Comparison) -> Option<Difference> {
        self.sort_maps();
        read.sort_maps();
        self.first_difference(&read, comparison, ListOrder::Any)
    }

    fn first_difference(
        &self,
        read: &Self,
        comparison: Comparison,
        list_order: ListOrder,
    ) -> Option<Difference> {
        match (self, read) {
            (Self::Map(stored), Self::Map(read)) => {
                map_difference(stored, read, comparison, list_order)
            }
            (Self::List(stored), Self::List(read)) => {
                list_difference(stored, read, comparison, list_order)
            }
            (Self::Integer(_), Self::Float(_)) | (Self::Float(_), Self::Integer(_))
                if comparison == Comparison::Exact =>
            {
                Some(Difference::of(Some(self), Some(read)))
            }
            (stored, read) if stored.order(read).is_eq() => None,
            (stored, read) => Some(Difference::of(Some(stored), Some(read))),
        }
    }
}

/// Returns the first difference between sorted maps.
fn map_difference(
    stored: &[(StoredValue, StoredValue)],
    read: &[(StoredValue, StoredValue)],
    comparison: Comparison,
    list_order: ListOrder,
) -> Option<Difference> {
    let (mut stored, mut read) = (stored.iter().peekable(), read.iter().peekable());
    let is_needed = |value: &StoredValue| {
        comparison == Comparison::Exact || !matches!(value, StoredValue::Null)
    };
    loop {
        let order = match (stored.peek(), read.peek()) {
            (None, None) => return None,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((left, _)), Some((right, _))) => left.order(right),
        };
        let found = match order {
            Ordering::Less => {
                let (key, value) = stored.next()?;
                let lost = is_needed(value).then(|| Difference::of(Some(value), None));
                lost.map(|found| found.below(key.clone()))
            }
            Ordering::Greater => {
                let (key, value) = read.next()?;
                let added = comparison == Comparison::Exact;
                added.then(|| Difference::of(None, Some(value)).below(key.clone()))
            }
            Ordering::Equal => {
                let ((key, stored), (_, read)) = (stored.next()?, read.next()?);
                let found = stored.first_difference(read, comparison, list_order);
                found.map(|found| found.below(key.clone()))
            }
        };
        if found.is_some() {
            return found;
        }
    }
}

/// Returns the first difference between lists. Only the first comparison sorts inner lists one by one. If the second did too, the
/// time would double with each level of nested lists.
fn list_difference(
    stored: &[StoredValue],
    read: &[StoredValue],
    comparison: Comparison,
    list_order: ListOrder,
) -> Option<Difference> {
    let found = item_difference(stored, read, comparison, list_order)?;
    if list_order == ListOrder::Any {
        let (mut stored, mut read) = (stored.to_vec(), read.to_vec());
        sort_items(&mut stored);
        sort_items(&mut read);
        item_difference(&stored, &read, comparison, ListOrder::Kept)?;
    }
    Some(found)
}

fn item_difference(
    stored: &[StoredValue],
    read: &[StoredValue],
    comparison: Comparison,
    list_order: ListOrder,
) -> Option<Difference> {
    (0..stored.len().max(read.len())).find_map(|index| {
        let found = match (stored.get(index), read.get(index)) {
            (Some(stored), Some(read)) => stored.first_difference(read, comparison, list_order)?,
            (stored, read) => Difference::of(stored, read),
        };
        Some(found.below(StoredValue::Integer(index as i128)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, from_value, json};

    fn stored(value: &Value) -> StoredValue {
        from_value(value.clone()).unwrap()
    }

    fn paths(left: &Value, right: &Value) -> [Option<String>; 2] {
        [Comparison::Exact, Comparison::MayHaveMore].map(|comparison| {
            let found = stored(left).difference(stored(right), comparison);
            found.map(|found| found.path())
        })
    }

    #[test]
    fn values_differ_at_their_first_path() {
        let state = json!({ "a": 1, "b": { "c": [1, { "d": "x" }], "e": null } });
        let same = json!({ "b": { "e": null, "c": [1, { "d": "x" }] }, "a": 1 });
        assert_eq!(paths(&state, &same), [None, None]);
        let float = json!({ "b": { "e": null, "c": [1, { "d": "x" }] }, "a": 1.0 });
        assert_eq!(paths(&state, &float), [Some("a".to_owned()), None]);
        let at = |path: &str| [Some(path.to_owned()), Some(path.to_owned())];
        let other = json!({ "a": 1, "b": { "c": [1, { "d": "y" }], "e": null } });
        assert_eq!(paths(&state, &other), at("b.c.1.d"));
        let other = json!({ "a": 1, "b": { "c": [1], "e": null } });
        assert_eq!(paths(&state, &other), at("b.c.1"));
        let other = json!({ "b": { "c": [1, { "d": "x" }], "e": null } });
        assert_eq!(paths(&state, &other), at("a"));
        let more = json!({ "a": 1, "f": 0, "b": { "c": [1, { "d": "x", "g": 0 }] } });
        assert_eq!(paths(&state, &more), [Some("b.c.1.g".to_owned()), None]);
    }

    #[test]
    fn a_difference_is_removed_with_the_innermost_map_around_it() {
        let without = |state: &Value, read: &Value| {
            let found = stored(state)
                .difference(stored(read), Comparison::MayHaveMore)
                .unwrap();
            let (path, mut state) = (found.removable_path(), stored(state));
            assert!(path.is_empty() || state.remove(&path), "{path}");
            (path, state.to_json())
        };
        let state = json!({ "a": { "b.c": { "d": 1 } }, "e": [{ "f": 1 }] });
        let read = json!({ "a": { "b.c": {} }, "e": [{ "f": 1 }] });
        let rest = json!({ "a": { "b.c": {} }, "e": [{ "f": 1 }] });
        assert_eq!(without(&state, &read), ("a.b.c.d".to_owned(), rest));
        let read = json!({ "a": { "b.c": { "d": 1 } }, "e": [{}] });
        let rest = json!({ "a": { "b.c": { "d": 1 } } });
        assert_eq!(without(&state, &read), ("e".to_owned(), rest));
        assert_eq!(
            without(&json!([1]), &json!([2])),
            (String::new(), json!([1]))
        );
    }

    #[test]
    fn lists_are_compared_without_their_order_and_numbers_by_their_values() {
        let count = |numbers: std::ops::Range<i32>| json!(numbers.collect::<Vec<_>>());
        let back = json!((0..50).rev().collect::<Vec<_>>());
        assert_eq!(paths(&count(0..50), &back), [None, None]);
        assert_eq!(
            paths(&count(0..50), &count(1..50)),
            ["0", "0"].map(|at| Some(at.to_owned()))
        );
        let list = |floats: &[f64]| {
            StoredValue::List(floats.iter().copied().map(StoredValue::Float).collect())
        };
        let floats = list(&[f64::NAN, f64::INFINITY, -0.0]);
        let is_same = |other| {
            let found = floats.clone().difference(other, Comparison::Exact);
            found.is_none()
        };
        assert!(is_same(list(&[f64::NAN, f64::INFINITY, 0.0])));
        assert!(!is_same(list(&[0.0, f64::INFINITY, 0.0])));
        let long = 9_007_199_254_740_993_i128;
        for (integer, float, is_same) in
            [(long, long as f64, false), (5, 5.0, true), (5, 5.5, false)]
        {
            let (integer, float) = (StoredValue::Integer(integer), StoredValue::Float(float));
            let text = format!("{integer} and {float}");
            let found = integer.difference(float, Comparison::MayHaveMore);
            assert_eq!(found.is_none(), is_same, "{text}");
        }
        let number = StoredValue::Map(vec![(StoredValue::Integer(1), StoredValue::Null)]);
        let found = stored(&json!({ "1": null })).difference(number, Comparison::Exact);
        assert!(found.is_some());
    }

    #[test]
    fn sets_within_sets_are_compared_without_their_order() {
        let sets = json!([[1, 9], [2, 3], [[4, 8], [5, 6]]]);
        let back = json!([[[6, 5], [8, 4]], [3, 2], [9, 1]]);
        assert_eq!(paths(&sets, &back), [None, None]);
        let other = json!([[[6, 5], [8, 7]], [3, 2], [9, 1]]);
        let path = Some("0.0".to_owned());
        assert_eq!(paths(&sets, &other), [path.clone(), path]);
    }

    #[test]
    fn lists_within_lists_are_compared_in_time_that_does_not_double_with_each() {
        let nested = |leaf| (0..64).fold(json!(leaf), |inner, _| json!([inner]));
        let path = ["0"; 64].join(".");
        assert_eq!(paths(&nested(1), &nested(1)), [None, None]);
        assert_eq!(
            paths(&nested(1), &nested(2)),
            [Some(path.clone()), Some(path)]
        );
    }
}
