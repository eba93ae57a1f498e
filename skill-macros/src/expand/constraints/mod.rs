//! Generates the constraints of a configuration's fields.

pub(crate) mod literals;
pub(crate) mod number;

use crate::expand::constraints::number::bound;
use crate::paths::Paths;
use crate::validate::constraints::{Bounds, Constraints, FieldConstraints};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Generates `impl ConstrainedFields`, or nothing if there are no constraints.
pub(super) fn expand(p: &Paths, ident: &Ident, fields: &[FieldConstraints]) -> Option<TokenStream> {
    let rows = fields.iter().map(|FieldConstraints { field, levels }| {
        let levels = levels.iter().map(|level| constraints(p, level));
        quote!(#p::FieldConstraints::new(#field, &[#(#levels),*]))
    });
    (!fields.is_empty()).then(|| {
        quote! {
            impl #p::probe::ConstrainedFields for #ident {
                const FIELDS: &'static [#p::FieldConstraints] = &[#(#rows),*];
            }
        }
    })
}

/// Generates `.__constraints(…)` for a skill with a configuration. Only rustc knows whether the configuration's fields have
/// constraints.
pub(super) fn of_config(p: &Paths) -> TokenStream {
    quote! {
        .__constraints({
            use #p::probe::AssumeUnsafe as _;
            #p::probe::Probe::<<Self as #p::Skill>::Config>::CONSTRAINTS
        })
    }
}

fn constraints(p: &Paths, constraints: &Constraints) -> TokenStream {
    let set = |method: TokenStream, value: &Option<Bounds>| {
        let value = bounds(p, value.as_ref()?);
        Some(quote!(.#method(#value)))
    };
    let range = set(quote!(range), &constraints.range);
    let length = set(quote!(length), &constraints.length);
    quote!(#p::Constraints::NONE #range #length)
}

fn bounds(p: &Paths, bounds: &Bounds) -> TokenStream {
    let low = bounds.low.as_ref().map(|low| bound(p, low));
    let high = bounds.high.as_ref().map(|high| bound(p, high));
    let (low, high) = (low.into_iter(), high.into_iter());
    quote!(#p::Bounds::ALL #(.low(#low))* #(.high(#high))*)
}
