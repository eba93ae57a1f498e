//! Generates a check of each literal in a configuration against its field's constraints, which only rustc knows.

use super::instance;
use crate::expand::constraints::number::number;
use crate::validate::agent::{Agent, ConfigLiteral, LiteralValue};
use proc_macro2::{Delimiter, Group, Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::Attribute;

pub(super) fn expand(agent: &Agent) -> Option<TokenStream> {
    let (ident, base) = (&agent.ident, &agent.base);
    let own = agent.literals.iter();
    let own = own.map(|literal| check(agent, &[], &quote!(#ident, #base, 0), literal));
    let listed = agent.skills.iter().flat_map(|skill| {
        let instance = instance(agent, skill);
        let literals = skill.literals.iter();
        literals.map(move |literal| check(agent, &skill.cfg, &instance, literal))
    });
    (!agent.is_broken).then(|| own.chain(listed).collect())
}

/// Generates `const _: () = report_literal::<…>(…);`, with a span from the literal's first token to its last.
fn check(
    agent: &Agent,
    cfg: &[Attribute],
    instance: &TokenStream,
    literal: &ConfigLiteral,
) -> TokenStream {
    let (first, last) = literal.span;
    let (at, field, own_cfg) = (agent.paths.at(first), &literal.field, &literal.cfg);
    let depth = (literal.depth > 0).then(|| {
        let depth = Literal::usize_unsuffixed(literal.depth);
        quote!(.depth(#depth))
    });
    let value = match &literal.value {
        LiteralValue::Number(value) => {
            let number = number(&at, value);
            quote!(#at::ConfigLiteral::number(#field, #number))
        }
        LiteralValue::Length(length) => {
            let length = Literal::usize_unsuffixed(*length);
            quote!(#at::ConfigLiteral::length(#field, #length))
        }
    };
    let mut arguments = Group::new(Delimiter::Parenthesis, quote!(#value #depth));
    arguments.set_span(last);
    quote_spanned! {first=>
        #(#cfg)*
        #(#own_cfg)*
        const _: () = #at::report_literal::<#instance> #arguments;
    }
}
