//! A struct with a table of arguments, and the functions that the table refers to: defaults, limits and refined schemas.

use crate::parse::docs::Docs;
use crate::parse::values::literal;
use crate::paths::Paths;
use crate::validate::action::{Action, Arg};
use crate::validate::answer::is_primitive;
use crate::validate::state::owned::type_argument;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprRange, Lit, PathSegment, Type};

/// A struct that is read, written and described with a table of its fields: an action's arguments, or an agent's base fields.
pub(in crate::expand) struct Record<'a> {
    pub(in crate::expand) paths: &'a Paths,
    pub(in crate::expand) ident: &'a Ident,
    pub(in crate::expand) description: &'a Docs,
    pub(in crate::expand) args: &'a [Arg],
}

impl<'a> From<&'a Action> for Record<'a> {
    fn from(action: &'a Action) -> Self {
        Self {
            paths: &action.paths,
            ident: &action.ident,
            description: &action.description,
            args: &action.args,
        }
    }
}

/// Generates the functions and statics of an argument with options.
pub(super) fn helpers(record: &Record<'_>, index: usize, arg: &Arg) -> TokenStream {
    let (default, limits) = (default(record, index, arg), limits(record, index, arg));
    let refine = refine(record, index, arg);
    quote!(#default #limits #refine)
}

fn default(record: &Record<'_>, index: usize, arg: &Arg) -> Option<TokenStream> {
    let (p, ty, name) = (record.paths, &arg.ty, default_name(index));
    let value = match arg.default.as_ref()? {
        Some(value) => quote!(#value),
        None => {
            let at = p.at(ty.span());
            quote_spanned!(ty.span()=> <#ty as #at::Default>::default())
        }
    };
    Some(quote! {
        fn #name() -> #ty {
            #value
        }
    })
}

/// Generates an argument's limits. Each limit is generated only once, because the same call checks a value and describes the
/// schema.
fn limits(record: &Record<'_>, index: usize, arg: &Arg) -> Option<TokenStream> {
    let (p, ty, name) = (record.paths, &arg.ty, limits_name(index));
    let at = p.at(ty.span());
    let pattern_name = format_ident!("__PATTERN_{index}");
    let range = arg.range.as_ref().map(|range| {
        let ranged = p.bound("Ranged", ty.span());
        let number = quote_spanned!(ty.span()=> <#ty as #ranged>::Number);
        let range = typed(range, &number);
        quote_spanned!(ty.span()=> #at::limit_range::<#ty, _>(&mut limit_use, #range)?;)
    });
    let length = arg.length.as_ref().map(|length| {
        let length = typed(length, &quote!(usize));
        quote_spanned!(ty.span()=> #at::limit_length::<#ty, _>(&mut limit_use, #length)?;)
    });
    let pattern = arg.pattern.as_ref().map(|pattern| {
        let source = &pattern.value;
        let limit = quote_spanned! {ty.span()=>
            #at::limit_pattern::<#ty>(&mut limit_use, &#pattern_name)?;
        };
        quote! {
            static #pattern_name: #p::Pattern = #p::Pattern::new(#source);
            #limit
        }
    });
    let limit_use = Ident::new("limit_use", ty.span());
    is_limited(arg).then(|| {
        quote! {
            fn #name(mut #limit_use: #p::LimitUse<'_, #ty>) -> #p::Result<(), #p::String> {
                #range
                #length
                #pattern
                #p::Ok(())
            }
        }
    })
}

/// Gives the range's ends the type `number`, so that an end with a different type is reported where it is written.
fn typed(range: &ExprRange, number: &TokenStream) -> TokenStream {
    let end = |end: &Option<Box<Expr>>| {
        let end = end.as_ref()?;
        Some(quote!({ let end: #number = #end; end }))
    };
    let (start, limits, end) = (end(&range.start), &range.limits, end(&range.end));
    quote!(#start #limits #end)
}

/// Generates the function that adds limits and examples to the schema.
fn refine(record: &Record<'_>, index: usize, arg: &Arg) -> Option<TokenStream> {
    let Record {
        paths: p, ident, ..
    } = record;
    let ty = &arg.ty;
    let (name, position) = (refine_name(index), Literal::usize_unsuffixed(index));
    let limits = is_limited(arg).then(|| {
        let limits = limits_name(index);
        quote!(let _ = #limits(#p::LimitUse::Describe(schema));)
    });
    let values = arg.examples.iter().map(|example| {
        if is_json_form(example, ty) {
            return quote!(#p::serde_json::Value::from(#example));
        }
        quote!(#p::value::<#ident, #position>({ let value: #ty = #example; value }))
    });
    let examples = (!arg.examples.is_empty()).then(|| {
        quote!(#p::examples(schema, <[#p::serde_json::Value]>::into_vec(#p::Box::new([#(#values),*])));)
    });
    is_refined(arg).then(|| {
        quote! {
            fn #name(schema: &mut #p::schemars::Schema) {
                #limits
                #examples
            }
        }
    })
}

/// Returns whether an example is already its value's JSON form: a string literal for a named type, such as a date, or for an
/// `Option` of such a type.
fn is_json_form(example: &Expr, ty: &Type) -> bool {
    let ty = type_argument(ty, "Option").unwrap_or(ty);
    let Type::Path(path) = ty else { return false };
    let has_arguments = |segment: &PathSegment| !segment.arguments.is_none();
    let is_named = !is_primitive(ty) && !path.path.segments.iter().any(has_arguments);
    is_named && matches!(literal(example), Some(Lit::Str(_)))
}

pub(super) fn is_limited(arg: &Arg) -> bool {
    arg.range.is_some() || arg.length.is_some() || arg.pattern.is_some()
}

pub(super) fn is_refined(arg: &Arg) -> bool {
    is_limited(arg) || !arg.examples.is_empty()
}

pub(in crate::expand) fn default_name(index: usize) -> Ident {
    format_ident!("__default_{index}")
}

pub(super) fn limits_name(index: usize) -> Ident {
    format_ident!("__limits_{index}")
}

pub(super) fn refine_name(index: usize) -> Ident {
    format_ident!("__refine_{index}")
}
