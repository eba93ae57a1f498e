//! Generates the code for arguments with `#[serde(…)]`. Such arguments need serde's and schemars' derives, because only these
//! derives understand the attributes. A private struct with the same fields reads and writes the action (`#[serde(remote = …)]`).
//! Defaults and limits use the functions from `argument_helpers`.

use super::argument_helpers::{
    Record, default_name, helpers, is_limited, is_refined, limits_name, refine_name,
};
use super::arguments::argument_at;
use crate::names;
use crate::validate::action::{Action, Arg};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn expand(action: &Action) -> TokenStream {
    let (record, args) = (&Record::from(action), action.args.iter().enumerate());
    let types = args
        .clone()
        .map(|(index, arg)| argument_at(record, index, arg));
    let helpers = args.map(|(index, arg)| helpers(record, index, arg));
    let (wire, impls, schema) = (wire(action), impls(action), schema(action));
    quote! {
        #(#types)*
        #(#helpers)*
        #wire
        #impls
        #schema
    }
}

fn wire(action: &Action) -> TokenStream {
    let Action {
        paths: p,
        ident,
        description,
        args,
        ..
    } = action;
    let (serde, schemars) = (p.text("serde"), p.text("schemars"));
    let description = description.attribute_value();
    let name = ident.to_string();
    let fields = args
        .iter()
        .enumerate()
        .map(|(index, arg)| field(index, arg));
    quote! {
        #[doc = #description]
        #[derive(#p::serde::Serialize, #p::serde::Deserialize, #p::schemars::JsonSchema)]
        #[serde(crate = #serde, remote = #name, deny_unknown_fields)]
        #[schemars(crate = #schemars)]
        struct __Wire {
            #(#fields,)*
        }
    }
}

fn field(index: usize, arg: &Arg) -> TokenStream {
    let Arg {
        ident,
        ty,
        docs,
        serde,
        ..
    } = arg;
    let default = arg.default.as_ref().map(|_| {
        let path = default_name(index).to_string();
        quote!(#[serde(default = #path)])
    });
    let rename = (arg.name != names::plain(ident)).then(|| {
        let name = &arg.name;
        quote!(#[serde(rename = #name)])
    });
    quote!(#(#docs)* #rename #default #(#serde)* #ident: #ty)
}

fn impls(action: &Action) -> TokenStream {
    let Action {
        paths: p,
        ident,
        args,
        ..
    } = action;
    let checks = args
        .iter()
        .enumerate()
        .filter(|(_, arg)| is_limited(arg))
        .map(|(index, arg)| {
            let (field, name, limits) = (&arg.ident, &arg.name, limits_name(index));
            quote!(#p::check_argument::<D::Error>(#name, #limits(#p::LimitUse::Check(&action.#field)))?;)
        });
    quote! {
        impl #p::serde::Serialize for #ident {
            fn serialize<S: #p::serde::Serializer>(&self, serializer: S) -> #p::Result<S::Ok, S::Error> {
                __Wire::serialize(self, serializer)
            }
        }
        impl #p::Wire for #ident {
            fn read_wire<'de, D: #p::serde::Deserializer<'de>>(deserializer: D) -> #p::Result<Self, D::Error> {
                __Wire::deserialize(deserializer)
            }
        }
        impl<'de> #p::serde::Deserialize<'de> for #ident {
            fn deserialize<D: #p::serde::Deserializer<'de>>(deserializer: D) -> #p::Result<Self, D::Error> {
                let action: Self = #p::read_wire(deserializer)?;
                #(#checks)*
                #p::Ok(action)
            }
        }
    }
}

fn schema(action: &Action) -> TokenStream {
    let Action {
        paths: p,
        ident,
        args,
        ..
    } = action;
    let name = ident.to_string();
    let refined = args
        .iter()
        .enumerate()
        .filter(|(_, arg)| is_refined(arg))
        .map(|(index, arg)| {
            let (name, refine) = (&arg.name, refine_name(index));
            quote!(#p::refine_property(&mut schema, #name, #refine);)
        });
    quote! {
        impl #p::schemars::JsonSchema for #ident {
            fn schema_name() -> #p::Cow<'static, str> {
                #p::Cow::Borrowed(#name)
            }
            fn json_schema(generator: &mut #p::schemars::SchemaGenerator) -> #p::schemars::Schema {
                let mut schema = <__Wire as #p::schemars::JsonSchema>::json_schema(generator);
                #(#refined)*
                schema
            }
        }
    }
}
