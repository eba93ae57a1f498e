//! Reads the constraints of a configuration's fields in the same way as schemars, which writes them into the schema.

pub(crate) mod number;

use super::serde_metas;
use crate::names;
use crate::parse::values::ungrouped;
use crate::validate::constraints::number::{Number, number};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprPath, Field, Lit, Meta, Token};

/// The attributes that schemars reads constraints from.
const ATTRIBUTES: [&str; 3] = ["schemars", "validate", "garde"];

/// The serde attributes that make the JSON differ from the Rust value.
const CONVERSIONS: [&str; 13] = [
    "deserialize_with",
    "flatten",
    "from",
    "getter",
    "into",
    "remote",
    "serialize_with",
    "skip",
    "skip_deserializing",
    "skip_serializing",
    "skip_serializing_if",
    "try_from",
    "with",
];

/// A field with constraints.
pub(crate) struct FieldConstraints {
    pub(crate) field: String,
    /// The constraints of the field, then of the items of its list, and so on.
    pub(crate) levels: Vec<Constraints>,
}

/// A value's constraints.
#[derive(Default)]
pub(crate) struct Constraints {
    pub(crate) range: Option<Bounds>,
    pub(crate) length: Option<Bounds>,
}

/// A range that includes both ends.
pub(crate) struct Bounds {
    pub(crate) low: Option<Bound>,
    pub(crate) high: Option<Bound>,
}

/// An end of a range.
pub(crate) enum Bound {
    Literal(Number),
    /// A constant of any numeric type.
    Constant(ExprPath),
}

/// Returns the fields with constraints, sorted by name. schemars itself reports attributes that it refuses.
pub(super) fn of_fields<'a>(
    attrs: &[Attribute],
    fields: impl Iterator<Item = &'a Field>,
) -> Vec<FieldConstraints> {
    if is_converted(attrs) {
        return Vec::new();
    }
    let mut found: Vec<_> = fields.filter_map(of_field).collect();
    found.sort_by(|a, b| a.field.cmp(&b.field));
    found
}

fn of_field(field: &Field) -> Option<FieldConstraints> {
    if is_converted(&field.attrs) {
        return None;
    }
    let mut levels = Vec::new();
    for attr in &field.attrs {
        let is_read = ATTRIBUTES.iter().any(|name| attr.path().is_ident(name));
        if let Meta::List(list) = &attr.meta
            && is_read
        {
            add(&mut levels, 0, &metas(&list.tokens));
        }
    }
    let has_any = |level: &Constraints| level.range.is_some() || level.length.is_some();
    levels.iter().any(has_any).then_some(FieldConstraints {
        field: names::plain(field.ident.as_ref()?),
        levels,
    })
}

/// Adds `range(…)`, `length(…)` and `inner(…)` to the level `depth`.
fn add(levels: &mut Vec<Constraints>, depth: usize, metas: &[Meta]) {
    if levels.len() <= depth {
        levels.push(Constraints::default());
    }
    for meta in metas {
        let Meta::List(list) = meta else { continue };
        let parts = self::metas(&list.tokens);
        if list.path.is_ident("range") {
            levels[depth].range = bounds(&parts);
        } else if list.path.is_ident("length") {
            levels[depth].length = bounds(&parts);
        } else if list.path.is_ident("inner") {
            add(levels, depth + 1, &parts);
        }
    }
}

/// Parses `min = 1, max = 5` or `equal = 3`.
fn bounds(parts: &[Meta]) -> Option<Bounds> {
    let (mut low, mut high) = (None, None);
    for part in parts {
        let Meta::NameValue(pair) = part else {
            continue;
        };
        let end = || end(&pair.value);
        if pair.path.is_ident("min") {
            low = Some(end()?);
        } else if pair.path.is_ident("max") {
            high = Some(end()?);
        } else if pair.path.is_ident("equal") {
            (low, high) = (Some(end()?), Some(end()?));
        }
    }
    Some(Bounds { low, high })
}

/// Parses an end of a range. As in schemars, the end may be in quotes. Returns `None` for an expression that may not be constant,
/// such as a call.
fn end(expr: &Expr) -> Option<Bound> {
    if let Expr::Lit(literal) = expr
        && let Lit::Str(text) = &literal.lit
    {
        return end(&text.parse().ok()?);
    }
    match (number(expr), ungrouped(expr)) {
        (Some(number), _) => Some(Bound::Literal(number)),
        (None, Expr::Path(path)) => Some(Bound::Constant(path.clone())),
        (None, _) => None,
    }
}

/// Parses the metas in a list. Ignores values that are not expressions, and lists that cannot be parsed.
fn metas(tokens: &proc_macro2::TokenStream) -> Vec<Meta> {
    let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
    let parsed = parser.parse2(tokens.clone());
    parsed
        .map(|metas| metas.into_iter().collect())
        .unwrap_or_default()
}

fn is_converted(attrs: &[Attribute]) -> bool {
    let is_conversion = |meta: &Meta| CONVERSIONS.iter().any(|name| meta.path().is_ident(name));
    serde_metas(attrs).iter().any(is_conversion)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn text(bounds: &Bounds) -> String {
        let end = |end: &Option<Bound>| match end {
            Some(Bound::Literal(Number::Integer(integer))) => integer.to_string(),
            Some(Bound::Literal(Number::Float(_, text))) => text.clone(),
            Some(Bound::Constant(expr)) => crate::messages::written(expr),
            None => String::new(),
        };
        format!("{}..={}", end(&bounds.low), end(&bounds.high))
    }

    /// Formats a field's ranges in the order of its levels, with `#` before lengths.
    fn texts(field: &Field) -> Vec<String> {
        let levels = of_fields(&[], std::iter::once(field));
        let levels = levels.iter().flat_map(|field| &field.levels);
        let texts = levels.map(|level| {
            let range = level.range.iter().map(text);
            let length = level
                .length
                .iter()
                .map(|bounds| format!("#{}", text(bounds)));
            range.chain(length).collect::<Vec<_>>().join(" ")
        });
        texts.collect()
    }

    #[test]
    fn the_constraints_of_schemars_are_read() {
        let of = |field: Field| texts(&field);
        assert_eq!(
            of(parse_quote!(#[schemars(range(min = 1, max = "LIMIT"))] a: u8)),
            ["1..=LIMIT"]
        );
        assert_eq!(
            of(
                parse_quote!(#[schemars(length(min = 2), regex(pattern = "a"))] #[garde(range(max = -0.5))] a: u8)
            ),
            ["..=-0.5 #2..="]
        );
        assert_eq!(
            of(
                parse_quote!(#[schemars(inner(inner(length(equal = 3)), range(max = limits::MAX)))] a: u8)
            ),
            ["", "..=limits::MAX", "#3..=3"]
        );
        for field in [
            parse_quote!(#[schemars(email)] a: u8),
            parse_quote!(#[schemars(range(min = 1, max = most()))] a: u8),
        ] {
            assert_eq!(of(field), [""; 0]);
        }
    }

    #[test]
    fn a_value_that_serde_converts_has_none() {
        let field = parse_quote!(#[serde(with = "percent")] #[schemars(range(max = 1))] a: u8);
        assert_eq!(texts(&field), [""; 0]);
        let left_out = parse_quote!(#[serde(skip_serializing_if = "is_none")] #[schemars(range(min = 1))] a: u8);
        assert_eq!(texts(&left_out), [""; 0]);
        let field = parse_quote!(#[schemars(range(max = 1))] a: u8);
        let attrs = [parse_quote!(#[serde(try_from = "Raw")])];
        assert!(of_fields(&attrs, std::iter::once(&field)).is_empty());
    }
}
