//! The constraints on a configuration's fields. In const evaluation, the literals in `agent!` are compared with them.

/// The constraints on one field of a configuration. `#[derive(SkillConfig)]` takes them from the schemars attributes.
#[derive(Clone, Copy, Debug)]
pub struct FieldConstraints {
    pub(crate) field: &'static str,
    /// The constraints on the field, then on the items of its list, and so on.
    pub(crate) levels: &'static [Constraints],
}

impl FieldConstraints {
    /// Creates the constraints on `field`.
    pub const fn new(field: &'static str, levels: &'static [Constraints]) -> Self {
        Self { field, levels }
    }
}

/// The constraints on a value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Constraints {
    pub(crate) range: Option<Bounds>,
    pub(crate) length: Option<Bounds>,
}

impl Constraints {
    /// No constraints.
    pub const NONE: Self = Self {
        range: None,
        length: None,
    };

    crate::setters! {
        /// Sets the range of a number.
        pub const fn range(bounds: Bounds) { range = Some(bounds) }

        /// Sets the range of the length.
        pub const fn length(bounds: Bounds) { length = Some(bounds) }
    }
}

/// A range that includes both ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    pub(crate) low: Option<Number>,
    pub(crate) high: Option<Number>,
}

impl Bounds {
    /// The range without bounds.
    pub const ALL: Self = Self {
        low: None,
        high: None,
    };

    crate::setters! {
        /// Sets the lower bound.
        pub const fn low(low: Number) { low = Some(low) }

        /// Sets the upper bound.
        pub const fn high(high: Number) { high = Some(high) }
    }

    pub(crate) const fn contain(&self, number: Number) -> bool {
        let is_low = match self.low {
            Some(low) => number.is_less(low),
            None => false,
        };
        let is_high = match self.high {
            Some(high) => high.is_less(number),
            None => false,
        };
        !is_low && !is_high
    }
}

/// A number of any primitive type.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// An integer that fits into an `i128`.
    Integer(i128),
    /// A float, or an integer too large for an `i128`, and its text for messages.
    Float(f64, &'static str),
}

impl Number {
    /// Wraps a constant that was cast to both types. If both casts agree, the constant is an integer. `text` is the source
    /// expression.
    pub const fn of(integer: i128, float: f64, text: &'static str) -> Self {
        if integer as f64 == float {
            Self::Integer(integer)
        } else {
            Self::Float(float, text)
        }
    }

    const fn is_less(self, other: Self) -> bool {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a < b,
            // an `f32` constant differs from the `f64` with the same digits, so numbers that are equal as `f32` do not count as
            // less; the exact comparison happens at startup
            (a, b) => a.float() < b.float() && a.float() as f32 != b.float() as f32,
        }
    }

    const fn float(self) -> f64 {
        match self {
            Self::Integer(integer) => integer as f64,
            Self::Float(float, _) => float,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_include_their_ends() {
        let bounds = Bounds::ALL
            .low(Number::Integer(-1))
            .high(Number::Float(5.0, "5.0"));
        for (number, is_in) in [
            (Number::Integer(-2), false),
            (Number::Integer(-1), true),
            (Number::Float(-1.5, "-1.5"), false),
            (Number::Float(5.0, "5.0"), true),
            (Number::Integer(6), false),
        ] {
            assert_eq!(bounds.contain(number), is_in, "{number:?}");
        }
        assert!(Bounds::ALL.contain(Number::Integer(i128::MIN)));
    }

    #[test]
    fn a_constant_of_any_primitive_type_is_compared_exactly() {
        let large = (1_u64 << 53) + 1;
        let bounds = Bounds::ALL.high(Number::of(large.into(), large as f64, "LARGE"));
        assert!(bounds.contain(Number::Integer(large.into())));
        assert!(!bounds.contain(Number::Integer(i128::from(large) + 1)));
        assert!(matches!(Number::of(0, 0.5, "HALF"), Number::Float(..)));
        // this `f32` is slightly less than the number that its digits show
        let share = Bounds::ALL.high(Number::of(0, f64::from(0.7_f32), "MOST"));
        assert!(share.contain(Number::Float(0.7, "0.7")));
        assert!(!share.contain(Number::Float(0.71, "0.71")));
        // `u128::MAX as i128` is -1
        let most = Number::of(-1, u128::MAX as f64, "MAX");
        assert!(matches!(most, Number::Float(..)));
    }
}
