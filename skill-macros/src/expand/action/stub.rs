//! What stands in for an action with mistakes, so that a skill that lists it and code that makes it do not fail too.

use crate::validate::action::Stub;
use proc_macro2::TokenStream;
use quote::quote;

pub(in crate::expand) fn stub(stub: &Stub) -> TokenStream {
    let Stub {
        paths: p,
        ident,
        vis,
        skill,
        fields,
    } = stub;
    let (open, allow) = (p.open(), crate::expand::allow());
    let name = ident.to_string();
    let fields = fields.iter().map(|(name, ty)| quote!(#vis #name: #ty));
    let implementation = skill.as_ref().map(|skill| {
        quote! {
            impl #p::Action for #ident {
                type Skill = #skill;
                type Output = ();
                type Error = #p::Infallible;
                type Kind = #p::Pure;
                const SPEC: #p::ActionSpec = #p::ActionSpec::of::<Self>(#name, #name);
                fn schemas() -> &'static #p::Schemas {
                    static SCHEMAS: #p::Schemas = #p::Schemas::of::<#ident>();
                    &SCHEMAS
                }
            }
            impl #p::PureAction for #ident {
                fn run(self, _: &mut #skill, _: &mut #p::Context<#skill>) -> #p::Result<(), Self::Error> {
                    loop {}
                }
            }
        }
    });
    quote! {
        #[allow(missing_docs, dead_code)]
        #vis struct #ident {
            #(#fields,)*
        }
        #[automatically_derived]
        #allow
        const _: () = {
            #open
            impl #p::serde::Serialize for #ident {
                fn serialize<S: #p::serde::Serializer>(&self, _: S) -> #p::Result<S::Ok, S::Error> {
                    loop {}
                }
            }
            impl<'de> #p::serde::Deserialize<'de> for #ident {
                fn deserialize<D: #p::serde::Deserializer<'de>>(_: D) -> #p::Result<Self, D::Error> {
                    loop {}
                }
            }
            impl #p::schemars::JsonSchema for #ident {
                fn schema_name() -> #p::Cow<'static, str> {
                    #p::Cow::Borrowed(#name)
                }
                fn json_schema(_: &mut #p::schemars::SchemaGenerator) -> #p::schemars::Schema {
                    loop {}
                }
            }
            #implementation
        };
    }
}
