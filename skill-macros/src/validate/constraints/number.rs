//! Parses number literals.

use crate::parse::values::{literal, ungrouped};
use syn::{Expr, Lit, UnOp};

/// The value of a number literal, possibly with a minus sign.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Number {
    Integer(i128),
    /// The value, and the digits as written.
    Float(f64, String),
}

impl Number {
    /// Returns the nearest float.
    pub(crate) fn float(&self) -> f64 {
        match self {
            Self::Integer(integer) => *integer as f64,
            Self::Float(float, _) => *float,
        }
    }
}

/// Parses a number literal. Returns `None` for any other expression, and for an integer that does not fit into an `i128`.
pub(crate) fn number(expr: &Expr) -> Option<Number> {
    match ungrouped(expr) {
        Expr::Paren(paren) => number(&paren.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            Some(match number(&unary.expr)? {
                Number::Integer(integer) => Number::Integer(-integer),
                Number::Float(float, text) => Number::Float(-float, format!("-{text}")),
            })
        }
        _ => match literal(expr)? {
            // syn parses `1f64` as an integer
            Lit::Int(integer) => match integer.suffix() {
                "f32" | "f64" => float(integer.base10_digits()),
                _ => Some(Number::Integer(integer.base10_parse().ok()?)),
            },
            Lit::Float(literal) => float(literal.base10_digits()),
            _ => None,
        },
    }
}

fn float(digits: &str) -> Option<Number> {
    let value: f64 = digits.parse().ok()?;
    // rustc reports a literal that overflows
    let finite = value.is_finite();
    finite.then(|| Number::Float(value, digits.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_of_a_literal_is_read_without_its_suffix() {
        let read = |text: &str| number(&syn::parse_str(text).unwrap());
        let float = |value, text: &str| Some(Number::Float(value, text.to_owned()));
        assert_eq!(read("1_000u32"), Some(Number::Integer(1000)));
        assert_eq!(read("-(0x10)"), Some(Number::Integer(-16)));
        assert_eq!(read("0.5_f32"), float(0.5, "0.5"));
        assert_eq!(read("-2f64"), float(-2.0, "-2"));
        assert_eq!(read("1e3"), float(1000.0, "1e3"));
        for other in [
            "1e400",
            "-1e999f64",
            "MAX",
            "1 + 1",
            "\"1\"",
            "!1",
            "u128::MAX",
            "true",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
        assert_eq!(read(&u128::MAX.to_string()), None);
    }
}
