//! Reading, writing and describing the arguments: a table and four short functions, in place of the derives.

use crate::validate::action::{Action, Arg};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

pub(super) fn expand(action: &Action) -> TokenStream {
    let Action {
        paths: p,
        ident,
        args,
        description,
        ..
    } = action;
    let types = args
        .iter()
        .enumerate()
        .map(|(index, arg)| argument_at(action, index, arg));
    let helpers = args
        .iter()
        .enumerate()
        .map(|(index, arg)| helpers(action, index, arg));
    let names = args.iter().map(|arg| &arg.name);
    let table = args
        .iter()
        .enumerate()
        .map(|(index, arg)| described(action, index, arg));
    let (slots, fill, build, write) = (slots(action), fill(action), build(action), write(action));
    let impls = impls(action);
    let struct_name = ident.to_string();
    quote! {
        #(#types)*
        #(#helpers)*
        impl #p::ArgumentList for #ident {
            const STRUCT: &'static str = #struct_name;
            const DESCRIPTION: &'static str = #description;
            const NAMES: &'static [&'static str] = &[#(#names),*];
            const ARGS: &'static [#p::Arg] = &[#(#table),*];
            #slots
            #fill
            #build
            #write
        }
        #impls
    }
}

/// The type of an argument, mentioned once where rustc may have something to say.
pub(super) fn argument_at(action: &Action, index: usize, arg: &Arg) -> TokenStream {
    let Action {
        paths: p, ident, ..
    } = action;
    let ty = &arg.ty;
    let at = p.at(ty.span());
    quote_spanned! {ty.span()=>
        impl #at::ArgumentAt<#index> for #ident {
            type Type = #ty;
        }
    }
}

/// serde's and schemars' traits, over the table.
fn impls(action: &Action) -> TokenStream {
    let Action {
        paths: p, ident, ..
    } = action;
    let name = ident.to_string();
    quote! {
        impl #p::serde::Serialize for #ident {
            fn serialize<S: #p::serde::Serializer>(&self, serializer: S) -> #p::Result<S::Ok, S::Error> {
                #p::write_arguments(self, serializer)
            }
        }
        impl<'de> #p::serde::Deserialize<'de> for #ident {
            fn deserialize<D: #p::serde::Deserializer<'de>>(deserializer: D) -> #p::Result<Self, D::Error> {
                #p::read_arguments(deserializer)
            }
        }
        impl #p::schemars::JsonSchema for #ident {
            fn schema_name() -> #p::Cow<'static, str> {
                #p::Cow::Borrowed(#name)
            }
            fn json_schema(generator: &mut #p::schemars::SchemaGenerator) -> #p::schemars::Schema {
                #p::arguments_schema::<Self>(generator)
            }
        }
    }
}

fn slots(action: &Action) -> TokenStream {
    let p = &action.paths;
    let types = action.args.iter().map(|arg| &arg.ty);
    let none = action.args.iter().map(|_| quote!(#p::None));
    quote! {
        type Slots = (#(#p::ArgumentSlot<#types>,)*);
        fn slots() -> Self::Slots {
            (#(#none,)*)
        }
    }
}

fn fill(action: &Action) -> TokenStream {
    let p = &action.paths;
    let arms = action.args.iter().enumerate().map(|(index, arg)| {
        let place = Literal::usize_unsuffixed(index);
        let check = match is_limited(arg) {
            true => {
                let check = check_name(index);
                quote!(#p::Checked(#check))
            }
            false => quote!(#p::Unchecked),
        };
        quote!(#place => #p::field::<Self, #place, M>(&mut slots.#place, #check, map),)
    });
    quote! {
        fn fill<'de, M: #p::serde::de::MapAccess<'de>>(
            slots: &mut Self::Slots,
            index: usize,
            map: &mut M,
        ) -> #p::Result<(), M::Error> {
            match index {
                #(#arms)*
                _ => #p::Ok(()),
            }
        }
    }
}

fn build(action: &Action) -> TokenStream {
    let p = &action.paths;
    let fields = action.args.iter().enumerate().map(|(index, arg)| {
        let (name, place) = (&arg.ident, Literal::usize_unsuffixed(index));
        match &arg.default {
            Some(_) => {
                let default = default_name(index);
                quote! {
                    #name: match slots.#place {
                        #p::Some(value) => value,
                        #p::None => #default(),
                    }
                }
            }
            None => quote!(#name: #p::need::<Self, #place, E>(slots.#place)?),
        }
    });
    quote! {
        fn build<E: #p::serde::de::Error>(slots: Self::Slots) -> #p::Result<Self, E> {
            #p::Ok(Self { #(#fields),* })
        }
    }
}

fn write(action: &Action) -> TokenStream {
    let p = &action.paths;
    let fields = action.args.iter().enumerate().map(|(index, arg)| {
        let (name, place) = (&arg.ident, Literal::usize_unsuffixed(index));
        quote!(#p::write_argument::<Self, #place, W>(&self.#name, out)?;)
    });
    quote! {
        fn write<W: #p::serde::ser::SerializeStruct>(&self, out: &mut W) -> #p::Result<(), W::Error> {
            #(#fields)*
            #p::Ok(())
        }
    }
}

/// A row of the table.
fn described(action: &Action, index: usize, arg: &Arg) -> TokenStream {
    let p = &action.paths;
    let (description, place) = (&arg.description, Literal::usize_unsuffixed(index));
    let default = arg.default.as_ref().map(|_| {
        let default = default_name(index);
        quote!(.default(|| #p::value::<Self, #place>(#default())))
    });
    let refine = is_refined(arg).then(|| {
        let refine = refine_name(index);
        quote!(.refine(#refine))
    });
    quote!(#p::Arg::of::<Self, #place>(#description) #default #refine)
}

/// The functions and statics that an argument with options needs.
pub(super) fn helpers(action: &Action, index: usize, arg: &Arg) -> TokenStream {
    let (default, limits) = (default(action, index, arg), limits(action, index, arg));
    let (check, refine) = (check(action, index, arg), refine(action, index, arg));
    quote!(#default #limits #check #refine)
}

fn default(action: &Action, index: usize, arg: &Arg) -> Option<TokenStream> {
    let (p, ty, name) = (&action.paths, &arg.ty, default_name(index));
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

/// One function or static for each constraint: what is checked is what the schema says.
fn limits(action: &Action, index: usize, arg: &Arg) -> TokenStream {
    let (p, ty) = (&action.paths, &arg.ty);
    let at = p.at(ty.span());
    let range = arg.range.as_ref().map(|range| {
        let name = format_ident!("__range_{index}");
        let number = quote_spanned!(ty.span()=> <#ty as #at::Ranged>::Number);
        quote! {
            fn #name() -> #p::RangeLimits<impl #p::RangeBounds<#number>> {
                #p::RangeLimits(#range)
            }
        }
    });
    let length = arg.length.as_ref().map(|length| {
        let name = format_ident!("__length_{index}");
        quote! {
            fn #name() -> #p::LengthLimits<impl #p::RangeBounds<usize>> {
                #p::LengthLimits(#length)
            }
        }
    });
    let pattern = arg.pattern.as_ref().map(|pattern| {
        let (name, source) = (format_ident!("__PATTERN_{index}"), &pattern.value);
        quote!(static #name: #p::Pattern = #p::Pattern::new(#source);)
    });
    quote!(#range #length #pattern)
}

/// Each constraint as an expression.
fn each_limit(index: usize, arg: &Arg) -> impl Iterator<Item = TokenStream> {
    let (range, length) = (
        format_ident!("__range_{index}"),
        format_ident!("__length_{index}"),
    );
    let pattern = format_ident!("__PATTERN_{index}");
    [
        arg.range.as_ref().map(|_| quote!(#range())),
        arg.length.as_ref().map(|_| quote!(#length())),
        arg.pattern.as_ref().map(|_| quote!(#pattern)),
    ]
    .into_iter()
    .flatten()
}

fn check(action: &Action, index: usize, arg: &Arg) -> Option<TokenStream> {
    let (p, ty, name) = (&action.paths, &arg.ty, check_name(index));
    let checks = each_limit(index, arg).map(|limit| quote!(#limit.check(value)?;));
    is_limited(arg).then(|| {
        quote! {
            fn #name(value: &#ty) -> #p::Result<(), #p::String> {
                #(#checks)*
                #p::Ok(())
            }
        }
    })
}

fn refine(action: &Action, index: usize, arg: &Arg) -> Option<TokenStream> {
    let Action {
        paths: p, ident, ..
    } = action;
    let (ty, name, place) = (
        &arg.ty,
        refine_name(index),
        Literal::usize_unsuffixed(index),
    );
    let limits = each_limit(index, arg).map(|limit| quote!(#limit.describe::<#ty>(schema);));
    let values = arg
        .examples
        .iter()
        .map(|example| quote!(#p::value::<#ident, #place>(#example)));
    let examples = (!arg.examples.is_empty()).then(|| {
        quote!(#p::examples(schema, <[#p::serde_json::Value]>::into_vec(#p::Box::new([#(#values),*])));)
    });
    is_refined(arg).then(|| {
        quote! {
            fn #name(schema: &mut #p::schemars::Schema) {
                #(#limits)*
                #examples
            }
        }
    })
}

pub(super) fn is_limited(arg: &Arg) -> bool {
    arg.range.is_some() || arg.length.is_some() || arg.pattern.is_some()
}

pub(super) fn is_refined(arg: &Arg) -> bool {
    is_limited(arg) || !arg.examples.is_empty()
}

pub(super) fn default_name(index: usize) -> Ident {
    format_ident!("__default_{index}")
}

pub(super) fn check_name(index: usize) -> Ident {
    format_ident!("__check_{index}")
}

pub(super) fn refine_name(index: usize) -> Ident {
    format_ident!("__refine_{index}")
}
