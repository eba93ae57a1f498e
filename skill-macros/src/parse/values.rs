//! Parses the values of options. Each type keeps its tokens and has its own message for an invalid value.

use crate::errors::Errors;
use crate::messages;
use darling::ast::NestedMeta;
use darling::{Error, FromMeta, Result};
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprRange, Lit, LitStr, Meta, Path, Token};

/// A string, as in `name = "calculator"`.
#[derive(Clone)]
pub(crate) struct Text {
    pub(crate) value: String,
    pub(crate) span: Span,
}

impl From<&LitStr> for Text {
    fn from(literal: &LitStr) -> Self {
        Self {
            value: literal.value(),
            span: literal.span(),
        }
    }
}

impl FromMeta for Text {
    fn from_meta(item: &Meta) -> Result<Self> {
        let written = match item {
            Meta::NameValue(pair) => literal(&pair.value),
            _ => None,
        };
        match written {
            Some(Lit::Str(text)) => Ok(Self::from(text)),
            _ if is_macro(item) => Err(wrong_value(item, messages::text_of_macro)),
            _ => Err(wrong_value(item, messages::takes_text)),
        }
    }
}

/// A path of a type or function, as in `config = CalculatorConfig`.
#[derive(Clone)]
pub(crate) struct TypePath(pub(crate) Path);

impl FromMeta for TypePath {
    fn from_meta(item: &Meta) -> Result<Self> {
        if let Meta::NameValue(pair) = item
            && let Expr::Path(path) = ungrouped(&pair.value)
            && path.qself.is_none()
        {
            return Ok(Self(path.path.clone()));
        }
        Err(wrong_value(item, messages::takes_path))
    }
}

/// A list of paths, as in `actions(Add, Divide)`.
#[derive(Clone)]
pub(crate) struct PathList(pub(crate) Vec<Path>);

impl FromMeta for PathList {
    fn from_meta(item: &Meta) -> Result<Self> {
        let list = match item {
            Meta::List(list) => list
                .parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)
                .ok(),
            _ => None,
        };
        match list {
            Some(paths) => Ok(Self(paths.into_iter().collect())),
            None => Err(wrong_value(item, messages::takes_paths)),
        }
    }
}

/// A list of strings, as in `tags("math", "utility")`.
#[derive(Clone)]
pub(crate) struct TextList(pub(crate) Vec<Text>);

impl FromMeta for TextList {
    fn from_meta(item: &Meta) -> Result<Self> {
        let list = match item {
            Meta::List(list) => list
                .parse_args_with(Punctuated::<LitStr, Token![,]>::parse_terminated)
                .ok(),
            _ => None,
        };
        match list {
            Some(texts) => Ok(Self(texts.iter().map(Text::from).collect())),
            None => Err(wrong_value(item, messages::takes_texts)),
        }
    }
}

/// An option without a value, as in `hooks`.
#[derive(Clone, Copy)]
pub(crate) struct Word(pub(crate) Span);

impl FromMeta for Word {
    fn from_meta(item: &Meta) -> Result<Self> {
        match item {
            Meta::Path(path) => Ok(Self(path.span())),
            _ => Err(wrong_value(item, messages::takes_nothing)),
        }
    }
}

/// An optional expression, as in `default` or `default = 2`.
#[derive(Clone)]
pub(crate) struct DefaultValue {
    pub(crate) value: Option<Expr>,
    pub(crate) span: Span,
}

impl FromMeta for DefaultValue {
    fn from_meta(item: &Meta) -> Result<Self> {
        let span = item.path().span();
        match item {
            Meta::Path(_) => Ok(Self { value: None, span }),
            Meta::NameValue(pair) => Ok(Self {
                value: Some(pair.value.clone()),
                span,
            }),
            Meta::List(_) => Err(wrong_value(item, messages::takes_value)),
        }
    }
}

/// An expression, as in `example = 2.5`.
#[derive(Clone)]
pub(crate) struct Value(pub(crate) Expr);

impl FromMeta for Value {
    fn from_meta(item: &Meta) -> Result<Self> {
        match item {
            Meta::NameValue(pair) => Ok(Self(pair.value.clone())),
            _ => Err(wrong_value(item, messages::takes_value)),
        }
    }
}

/// A range, as in `range(1..=5)`.
#[derive(Clone)]
pub(crate) struct Limits(pub(crate) ExprRange);

impl FromMeta for Limits {
    fn from_meta(item: &Meta) -> Result<Self> {
        if let Meta::List(list) = item
            && let Ok(Expr::Range(range)) = list.parse_args::<Expr>()
        {
            return Ok(Self(range));
        }
        Err(wrong_value(item, messages::takes_range))
    }
}

/// A regular expression, as in `pattern("^[a-z]+$")`.
#[derive(Clone)]
pub(crate) struct Regex(pub(crate) Text);

impl FromMeta for Regex {
    fn from_meta(item: &Meta) -> Result<Self> {
        if let Meta::List(list) = item
            && let Ok(text) = list.parse_args::<LitStr>()
        {
            return Ok(Self(Text::from(&text)));
        }
        Err(wrong_value(item, messages::takes_regex))
    }
}

/// A route, as in `on("calculator.add", priority = 10, lenient)`.
#[derive(Clone, Default)]
pub(crate) struct On {
    pub(crate) patterns: Vec<Text>,
    pub(crate) priority: Option<Expr>,
    pub(crate) lenient: Option<Word>,
}

impl On {
    /// The options other than the patterns.
    const OPTIONS: [&str; 2] = ["priority", "lenient"];

    fn read_option(&mut self, meta: &Meta) -> Result<()> {
        let name = darling::util::path_to_string(meta.path());
        let is_repeated = match &*name {
            "priority" => match meta {
                Meta::NameValue(pair) => self.priority.replace(pair.value.clone()).is_some(),
                _ => return Err(wrong_value(meta, messages::takes_priority)),
            },
            "lenient" => self.lenient.replace(Word::from_meta(meta)?).is_some(),
            _ => {
                let message = messages::unknown_option(&name, "`on(...)`", &Self::OPTIONS);
                return Err(Error::custom(message).with_span(meta.path()));
            }
        };
        if is_repeated {
            return Err(Error::custom(messages::on_twice(&name)).with_span(meta.path()));
        }
        Ok(())
    }
}

impl FromMeta for On {
    fn from_meta(item: &Meta) -> Result<Self> {
        let Meta::List(list) = item else {
            return Err(wrong_value(item, |_| messages::takes_signals()));
        };
        let items = list
            .parse_args_with(Punctuated::<NestedMeta, Token![,]>::parse_terminated)
            .map_err(|_| match common_mistake(list.tokens.clone()) {
                Some(mistake) => mistake.into(),
                None => wrong_value(item, |_| messages::takes_signals()),
            })?;
        let mut on = Self::default();
        for part in &items {
            match part {
                NestedMeta::Lit(Lit::Str(text)) => on.patterns.push(Text::from(text)),
                NestedMeta::Meta(meta) => on.read_option(meta)?,
                other => {
                    return Err(Error::custom(messages::takes_signals()).with_span(other));
                }
            }
        }
        if on.patterns.is_empty() {
            return Err(wrong_value(item, |_| messages::takes_signals()));
        }
        Ok(on)
    }
}

/// Returns the expression inside the invisible groups of `macro_rules!`.
pub(crate) fn ungrouped(mut expr: &Expr) -> &Expr {
    while let Expr::Group(group) = expr {
        expr = &group.expr;
    }
    expr
}

/// Returns the literal, or `None` if the expression is not a literal.
pub(crate) fn literal(expr: &Expr) -> Option<&Lit> {
    match ungrouped(expr) {
        Expr::Lit(literal) => Some(&literal.lit),
        _ => None,
    }
}

/// Returns whether the value is a macro, such as `include_str!("plan.md")`.
fn is_macro(item: &Meta) -> bool {
    matches!(item, Meta::NameValue(pair) if matches!(ungrouped(&pair.value), Expr::Macro(_)))
}

/// Creates the error for a value of the wrong form. The error is reported at the value, or at the whole option if it has no
/// value.
pub(super) fn wrong_value(item: &Meta, message: impl FnOnce(&str) -> String) -> Error {
    let name = darling::util::path_to_string(item.path());
    let error = Error::custom(message(&name));
    match item {
        Meta::NameValue(pair) => error.with_span(&pair.value),
        Meta::List(list) if !list.tokens.is_empty() => error.with_span(&list.tokens),
        _ => error.with_span(item),
    }
}

/// Parses the metas in an attribute. An error at their end is reported at the last token instead of the whole attribute.
pub(crate) fn metas(tokens: TokenStream) -> syn::Result<Vec<NestedMeta>> {
    let last = tokens.clone().into_iter().last();
    let mut group = Group::new(proc_macro2::Delimiter::Parenthesis, tokens);
    if let Some(last) = last {
        group.set_span(last.span());
    }
    let parser = |input: ParseStream<'_>| {
        let content;
        syn::parenthesized!(content in input);
        Punctuated::<NestedMeta, Token![,]>::parse_terminated(&content)
    };
    let written = group.stream();
    match parser.parse2(TokenTree::Group(group).into()) {
        Ok(items) => Ok(items.into_iter().collect()),
        Err(error) => Err(common_mistake(written).unwrap_or(error)),
    }
}

/// Recognizes common mistakes: `name: "..."` for `name = "..."`, and a missing comma between two options.
fn common_mistake(written: TokenStream) -> Option<syn::Error> {
    let tokens: Vec<TokenTree> = written.into_iter().collect();
    (0..tokens.len()).find_map(|at| match &tokens[at..] {
        [
            TokenTree::Ident(_),
            TokenTree::Punct(colon),
            TokenTree::Literal(_),
            ..,
        ] if colon.as_char() == ':' => {
            Some(syn::Error::new(colon.span(), messages::colon_for_equals()))
        }
        [TokenTree::Literal(_), next @ TokenTree::Ident(_), ..] => Some(syn::Error::new(
            next.span(),
            messages::comma_between_options(),
        )),
        _ => None,
    })
}

/// Parses the metas of every `#[name(…)]`. Also returns whether an attribute could not be parsed.
pub(crate) fn metas_of(
    name: &str,
    attrs: &[Attribute],
    errors: &mut Errors,
) -> (Vec<NestedMeta>, bool) {
    let (mut all, mut broken) = (Vec::new(), false);
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        let read = match &attr.meta {
            Meta::List(list) => metas(list.tokens.clone()),
            other => Err(syn::Error::new_spanned(
                other,
                messages::attribute_without_list(name),
            )),
        };
        match read {
            Ok(metas) => all.extend(metas),
            Err(error) => {
                errors.push(error);
                broken = true;
            }
        }
    }
    (all, broken)
}
