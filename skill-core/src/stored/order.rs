//! The order of stored values, used to compare maps and sets.

use super::value::StoredValue;
use std::cmp::Ordering;

impl StoredValue {
    /// Sorts the entries of all maps.
    pub(super) fn sort_maps(&mut self) {
        match self {
            Self::List(items) => items.iter_mut().for_each(Self::sort_maps),
            Self::Map(entries) => {
                for (key, value) in &mut *entries {
                    key.sort_maps();
                    value.sort_maps();
                }
                entries.sort_by(|(left, _), (right, _)| left.order(right));
            }
            _ => {}
        }
    }

    /// Sorts the items of all lists, innermost first. Map keys stay unchanged, because a key may be a tuple, whose items have an
    /// order.
    fn sort_lists(&mut self) {
        match self {
            Self::List(items) => sort_items(items),
            Self::Map(entries) => entries.iter_mut().for_each(|(_, value)| value.sort_lists()),
            _ => {}
        }
    }

    /// Compares values with sorted maps in a total order, in which an integer equals the same float.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(left), Self::Bool(right)) => left.cmp(right),
            (Self::Integer(left), Self::Integer(right)) => left.cmp(right),
            (Self::Float(left), Self::Float(right)) => float_order(*left, *right),
            (Self::Integer(left), Self::Float(right)) => integer_order(*left, *right),
            (Self::Float(left), Self::Integer(right)) => integer_order(*right, *left).reverse(),
            (Self::Text(left), Self::Text(right)) => left.cmp(right),
            (Self::Bytes(left), Self::Bytes(right)) => left.cmp(right),
            (Self::List(left), Self::List(right)) => {
                let orders = left
                    .iter()
                    .zip(right)
                    .map(|(left, right)| left.order(right));
                first_order(orders).then(left.len().cmp(&right.len()))
            }
            (Self::Map(left), Self::Map(right)) => {
                let orders = left.iter().zip(right).map(|(left, right)| {
                    left.0.order(&right.0).then_with(|| left.1.order(&right.1))
                });
                first_order(orders).then(left.len().cmp(&right.len()))
            }
            _ => self.kind().cmp(&other.kind()),
        }
    }

    /// Returns whether two map keys are equal.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.order(other).is_eq()
    }

    fn kind(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Bool(_) => 1,
            Self::Integer(_) | Self::Float(_) => 2,
            Self::Text(_) => 3,
            Self::Bytes(_) => 4,
            Self::List(_) => 5,
            Self::Map(_) => 6,
        }
    }
}

/// Returns the first order that is not `Equal`.
fn first_order(mut orders: impl Iterator<Item = Ordering>) -> Ordering {
    orders
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Compares an integer with a float. They are equal only if both are exactly the same number.
fn integer_order(integer: i128, float: f64) -> Ordering {
    if float.is_nan() {
        return 0_f64.total_cmp(&float);
    }
    // A float outside the range of `i128` becomes the nearest bound.
    let rounded = float as i128;
    integer
        .cmp(&rounded)
        .then_with(|| float_order(rounded as f64, float))
}

/// Compares floats. NaN equals itself, and zero equals negative zero.
fn float_order(left: f64, right: f64) -> Ordering {
    left.partial_cmp(&right)
        .unwrap_or_else(|| left.total_cmp(&right))
}

pub(super) fn sort_items(items: &mut [StoredValue]) {
    items.iter_mut().for_each(StoredValue::sort_lists);
    items.sort_by(StoredValue::order);
}
