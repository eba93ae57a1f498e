//! Generates deserialization, serialization and schemas of arguments. A table and five short functions compile faster than
//! derives.

use super::argument_helpers::{
    Record, default_name, helpers, is_limited, is_refined, limits_name, refine_name,
};
use crate::validate::action::{Arg, is_argument_type};
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

pub(in crate::expand) fn expand(record: &Record<'_>) -> TokenStream {
    let Record {
        paths: p,
        ident,
        args,
        description,
        ..
    } = record;
    let types = args
        .iter()
        .enumerate()
        .map(|(index, arg)| argument_at(record, index, arg));
    let helpers = args
        .iter()
        .enumerate()
        .map(|(index, arg)| helpers(record, index, arg));
    let names = args.iter().map(|arg| &arg.name);
    let table = args
        .iter()
        .enumerate()
        .map(|(index, arg)| described(record, index, arg));
    let (slots, position, fill) = (slots(record), position(record), fill(record));
    let (build, write) = (build(record), write(record));
    let impls = impls(record);
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
            #position
            #fill
            #build
            #write
        }
        #impls
    }
}

/// Generates `impl ArgumentAt`. The argument's type is used only there, so an error in the type is reported once. A named type may
/// be a whole signal, which is an error.
pub(super) fn argument_at(record: &Record<'_>, index: usize, arg: &Arg) -> TokenStream {
    let Record {
        paths: p, ident, ..
    } = record;
    let ty = &arg.ty;
    let at = p.at(ty.span());
    let report = (!is_argument_type(ty)).then(
        || quote_spanned!(ty.span()=> const _: () = #at::report_whole_signal::<#ident, #index>();),
    );
    quote_spanned! {ty.span()=>
        impl #at::ArgumentAt<#index> for #ident {
            type Type = #ty;
        }
        #report
    }
}

/// Generates the impls of serde's and schemars' traits, based on the table.
fn impls(record: &Record<'_>) -> TokenStream {
    let Record {
        paths: p, ident, ..
    } = record;
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

fn slots(record: &Record<'_>) -> TokenStream {
    let p = record.paths;
    let types = record.args.iter().map(|arg| &arg.ty);
    let none = record.args.iter().map(|_| quote!(#p::None));
    quote! {
        type Slots = (#(#p::ArgumentSlot<#types>,)*);
        #[inline]
        fn slots() -> <Self as #p::ArgumentList>::Slots {
            (#(#none,)*)
        }
    }
}

/// Generates a `match` on names, which rustc compiles to comparisons of machine words.
fn position(record: &Record<'_>) -> TokenStream {
    let p = record.paths;
    let arms = record.args.iter().enumerate().map(|(index, arg)| {
        let (name, position) = (&arg.name, Literal::usize_unsuffixed(index));
        quote!(#name => #p::Some(#position),)
    });
    quote! {
        #[inline]
        fn place(name: &str) -> #p::Option<usize> {
            match name {
                #(#arms)*
                _ => #p::None,
            }
        }
    }
}

fn fill(record: &Record<'_>) -> TokenStream {
    let p = record.paths;
    let arms = record.args.iter().enumerate().map(|(index, arg)| {
        let position = Literal::usize_unsuffixed(index);
        let check = if is_limited(arg) {
            let check = limits_name(index);
            quote!(#p::Checked(#check))
        } else {
            quote!(#p::Unchecked)
        };
        quote!(#position => #p::field::<Self, #position, M>(&mut slots.#position, #check, map),)
    });
    quote! {
        #[inline]
        fn fill<'de, M: #p::serde::de::MapAccess<'de>>(
            slots: &mut <Self as #p::ArgumentList>::Slots,
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

fn build(record: &Record<'_>) -> TokenStream {
    let p = record.paths;
    let fields = record.args.iter().enumerate().map(|(index, arg)| {
        let (name, position) = (&arg.ident, Literal::usize_unsuffixed(index));
        match &arg.default {
            Some(_) => {
                let default = default_name(index);
                quote! {
                    #name: match slots.#position {
                        #p::Some(value) => value,
                        #p::None => #default(),
                    }
                }
            }
            None => quote!(#name: #p::need::<Self, #position, E>(slots.#position)?),
        }
    });
    quote! {
        #[inline]
        fn build<E: #p::serde::de::Error>(
            slots: <Self as #p::ArgumentList>::Slots,
        ) -> #p::Result<Self, E> {
            #p::Ok(Self { #(#fields),* })
        }
    }
}

fn write(record: &Record<'_>) -> TokenStream {
    let p = record.paths;
    let fields = record.args.iter().enumerate().map(|(index, arg)| {
        let (name, position) = (&arg.ident, Literal::usize_unsuffixed(index));
        quote!(#p::write_argument::<Self, #position, W>(&self.#name, out)?;)
    });
    quote! {
        fn write<W: #p::serde::ser::SerializeStruct>(&self, out: &mut W) -> #p::Result<(), W::Error> {
            #(#fields)*
            #p::Ok(())
        }
    }
}

/// Generates an argument's row in the table.
fn described(record: &Record<'_>, index: usize, arg: &Arg) -> TokenStream {
    let p = record.paths;
    let (description, position) = (&arg.description, Literal::usize_unsuffixed(index));
    let default = arg.default.as_ref().map(|_| {
        let default = default_name(index);
        quote!(.default(|| #p::value::<Self, #position>(#default())))
    });
    let refine = is_refined(arg).then(|| {
        let refine = refine_name(index);
        quote!(.refine(#refine))
    });
    quote!(#p::Arg::of::<Self, #position>(#description) #default #refine)
}
