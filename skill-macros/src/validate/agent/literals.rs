//! Finds the literals in a configuration: `window: 100`, `name: "x".to_owned()`, `marks: vec![1, 2]`.

use crate::names;
use crate::parse::agent::ConfigField;
use crate::parse::values::ungrouped;
use crate::validate::constraints::number::{Number, number};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprCall, ExprMacro, Lit, Path, Token};

/// A literal to be checked against its field's constraints.
pub(crate) struct ConfigLiteral {
    pub(crate) cfg: Vec<Attribute>,
    pub(crate) field: String,
    /// The number of lists around the literal.
    pub(crate) depth: usize,
    pub(crate) value: LiteralValue,
    /// The spans of the literal's first and last tokens.
    pub(crate) span: (Span, Span),
}

/// A literal's comparable value.
pub(crate) enum LiteralValue {
    Number(Number),
    /// A number of characters or items.
    Length(usize),
}

/// Returns the literals of all fields.
pub(super) fn literals(fields: &[ConfigField]) -> Vec<ConfigLiteral> {
    let mut found = Vec::new();
    for field in fields {
        read(field, &field.value, 0, &mut found);
    }
    found
}

fn read(field: &ConfigField, expr: &Expr, depth: usize, found: &mut Vec<ConfigLiteral>) {
    let expr = ungrouped(expr);
    let mut add = |value, tokens: &dyn ToTokens| {
        let cfg = field
            .attrs
            .iter()
            .filter(|attr| attr.path().is_ident("cfg"));
        found.push(ConfigLiteral {
            cfg: cfg.cloned().collect(),
            field: names::plain(&field.ident),
            depth,
            value,
            span: ends(&tokens.to_token_stream()),
        });
    };
    if let Some(number) = number(expr) {
        add(LiteralValue::Number(number), expr);
    } else if let Some(text) = text(expr) {
        // JSON Schema counts characters, not bytes
        add(LiteralValue::Length(text.value().chars().count()), text);
    } else if let Some(items) = items(expr) {
        add(LiteralValue::Length(items.len()), expr);
        for item in &items {
            read(field, item, depth + 1, found);
        }
    } else if let Some(inner) = call_of(expr, &["Some"]) {
        read(field, inner, depth, found);
    }
}

/// Returns the text of `"x"`, or of an expression that converts it to an owned text.
fn text(expr: &Expr) -> Option<&syn::LitStr> {
    const METHODS: [&str; 2] = ["to_owned", "to_string"];
    match expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text),
            _ => None,
        },
        Expr::MethodCall(call) if METHODS.iter().any(|name| call.method == name) => {
            text(ungrouped(&call.receiver))
        }
        _ => text(call_of(expr, &["String", "from"])?),
    }
}

/// Returns the items of an array or a `vec!`. Ignores sets, which merge equal items.
fn items(expr: &Expr) -> Option<Vec<Expr>> {
    match expr {
        Expr::Array(array) => Some(array.elems.iter().cloned().collect()),
        Expr::Macro(ExprMacro { mac, .. }) if ends_in(&mac.path, &["vec"]) => {
            let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
            Some(mac.parse_body_with(parser).ok()?.into_iter().collect())
        }
        Expr::MethodCall(call) if call.method == "to_vec" => items(ungrouped(&call.receiver)),
        _ => items(call_of(expr, &["Vec", "from"])?),
    }
}

/// Returns the argument of a call with a single argument.
fn call_of<'e>(expr: &'e Expr, function: &[&str]) -> Option<&'e Expr> {
    let Expr::Call(ExprCall { func, args, .. }) = expr else {
        return None;
    };
    let Expr::Path(path) = ungrouped(func) else {
        return None;
    };
    let argument = args.first().filter(|_| args.len() == 1)?;
    ends_in(&path.path, function).then(|| ungrouped(argument))
}

fn ends_in(path: &Path, names: &[&str]) -> bool {
    let segments = path.segments.iter().rev();
    segments.len() >= names.len()
        && segments
            .zip(names.iter().rev())
            .all(|(segment, name)| segment.ident == name)
}

fn ends(tokens: &TokenStream) -> (Span, Span) {
    let mut spans = tokens.clone().into_iter().map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::mixed_site);
    (first, spans.last().unwrap_or(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn texts(field: ConfigField) -> Vec<String> {
        let found = literals(&[field]);
        let texts = found.iter().map(|literal| match &literal.value {
            LiteralValue::Number(Number::Integer(integer)) => {
                format!("{}: {integer}", literal.depth)
            }
            LiteralValue::Number(Number::Float(_, text)) => format!("{}: {text}", literal.depth),
            LiteralValue::Length(length) => format!("{}: #{length}", literal.depth),
        });
        texts.collect()
    }

    #[test]
    fn literals_are_found_in_every_form() {
        let of = |value: Expr| {
            texts(ConfigField {
                attrs: Vec::new(),
                ident: parse_quote!(field),
                value,
            })
        };
        assert_eq!(of(parse_quote!(-5)), ["0: -5"]);
        assert_eq!(of(parse_quote!(Some(0.5f32))), ["0: 0.5"]);
        assert_eq!(of(parse_quote!("äb".to_owned())), ["0: #2"]);
        assert_eq!(
            of(parse_quote!(std::string::String::from("abc"))),
            ["0: #3"]
        );
        assert_eq!(of(parse_quote!(Some("abc".to_owned()))), ["0: #3"]);
        assert_eq!(of(parse_quote!([1, LIMIT])), ["0: #2", "1: 1"]);
        assert_eq!(
            of(parse_quote!(std::vec![
                vec!["a".to_string()],
                Vec::from(["bc"])
            ])),
            ["0: #2", "1: #1", "2: #1", "1: #1", "2: #2"]
        );
        for other in [
            parse_quote!(LIMIT),
            parse_quote!(5 * 60),
            parse_quote!(None),
            parse_quote!(true),
            parse_quote!(BTreeSet::from([1, 1])),
            parse_quote!([1, 1].into()),
            parse_quote!("abc".into()),
            parse_quote!(vec![0; 5]),
            parse_quote!(Mode::from("fast")),
            parse_quote!("a".repeat(3)),
        ] {
            assert_eq!(of(other), [""; 0]);
        }
    }
}
