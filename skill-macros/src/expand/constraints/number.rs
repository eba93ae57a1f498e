//! Generates numbers for checks in const evaluation.

use crate::messages;
use crate::paths::Paths;
use crate::validate::constraints::Bound;
use crate::validate::constraints::number::Number;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// Generates `Number::Integer(5)`. `p` is the path of the hidden module.
pub(crate) fn number(p: &TokenStream, number: &Number) -> TokenStream {
    match number {
        Number::Integer(integer) => {
            let minus = (*integer < 0).then(|| quote!(-));
            let digits = Literal::u128_unsuffixed(integer.unsigned_abs());
            quote!(#p::Number::Integer(#minus #digits))
        }
        Number::Float(float, text) => {
            let minus = float.is_sign_negative().then(|| quote!(-));
            let digits = Literal::f64_unsuffixed(float.abs());
            quote!(#p::Number::Float(#minus #digits, #text))
        }
    }
}

/// Generates the end of a range. Only rustc knows whether a constant is an integer, and both casts are valid for any number.
pub(crate) fn bound(p: &Paths, bound: &Bound) -> TokenStream {
    match bound {
        Bound::Literal(value) => number(&quote!(#p), value),
        Bound::Constant(expr) => {
            let text = messages::written(expr);
            quote!(#p::Number::of({ #expr } as #p::i128, { #expr } as #p::f64, #text))
        }
    }
}
