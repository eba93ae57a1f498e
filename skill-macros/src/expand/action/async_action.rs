//! Generates the code of an async action.

use super::{answer, types};
use crate::paths::Paths;
use crate::validate::action::{Action, ParameterValue};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

/// Generates `impl AsyncAction` for every type that provides the function's resources, and an `impl RunsOn` for the error message
/// of `cmd`.
pub(super) fn expand(action: &Action) -> TokenStream {
    let Action {
        paths: p, ident, ..
    } = action;
    let (output, error) = types(action);
    let run = run(action);
    // A second candidate makes rustc show the message of the trait for async actions. `do_not_recommend` is not available without
    // a prelude.
    let refused = runs_on(
        p,
        ident,
        &output,
        &error,
        quote!(where __G: #p::NeedsServer<#ident>),
    );
    quote!(#run #refused)
}

/// Generates `impl AsyncAction`. All its tokens have the span of the function's name, so that rustc reports a future that is not
/// `Send` there.
fn run(action: &Action) -> TokenStream {
    let Action {
        paths,
        ident,
        skill,
        function,
        ..
    } = action;
    let span = function.sig.ident.span();
    let p = paths.at(span);
    let cx = Ident::new("__cx", action.context.unwrap_or_else(Span::mixed_site));
    let context = action.context.map(|_| quote!(#cx,));
    // The definition and the use share one token, because the function may come from another macro with different hygiene.
    let [this, snapshot, resources] =
        ["__action", "__skill", "__resources"].map(|name| Ident::new(name, Span::mixed_site()));
    // Because of the alias, rustc shows the same message for a missing type as for the function, and shows it only once.
    let types = action
        .given
        .iter()
        .enumerate()
        .filter_map(|(index, given)| match given {
            ParameterValue::Argument(_) => None,
            ParameterValue::Resource(ty) => {
                let name = resource_name(index, ty);
                Some(quote_spanned!(ty.span()=> type #name = #ty;))
            }
        });
    let given = action
        .given
        .iter()
        .enumerate()
        .map(|(index, given)| match given {
            ParameterValue::Argument(name) => quote!(#this.#name),
            ParameterValue::Resource(ty) => {
                let (p, ty) = (paths.at(ty.span()), resource_name(index, ty));
                quote_spanned!(ty.span()=> <__R as #p::Provide<#ty>>::provide(#resources))
            }
        });
    let bounds = action
        .given
        .iter()
        .enumerate()
        .filter_map(|(index, given)| match given {
            ParameterValue::Argument(_) => None,
            ParameterValue::Resource(ty) => {
                let (p, ty) = (paths.at(ty.span()), resource_name(index, ty));
                Some(quote_spanned!(ty.span()=> + #p::Provide<#ty>))
            }
        });
    let body = answer(action, quote!(#snapshot, #context #(#given),*));
    quote_spanned! {span=>
        #(#types)*
        impl<__R: #p::Resources #(#bounds)*> #p::AsyncAction<__R> for #ident {
            async fn run(
                self,
                #snapshot: &#skill,
                #cx: &mut #p::Context<#skill>,
                #resources: &__R,
            ) -> #p::Result<Self::Output, Self::Error> {
                let #this = self;
                #body
            }
        }
    }
}

fn resource_name(index: usize, ty: &Type) -> Ident {
    format_ident!("__Resource{index}", span = ty.span())
}

/// Generates an `impl RunsOn` that is never called, for an action that no agent runs directly.
pub(super) fn runs_on(
    p: &Paths,
    ident: &Ident,
    output: &TokenStream,
    error: &TokenStream,
    bound: TokenStream,
) -> TokenStream {
    quote! {
        impl<__G: #p::Agent> #p::RunsOn<__G> for #ident #bound {
            type Output = #output;
            type Error = #error;
            fn __run_on(
                self,
                _: &mut __G,
                _: #p::Option<&#p::Stamp>,
            ) -> #p::Result<#p::Outcome<Self::Output>, Self::Error> {
                loop {}
            }
        }
    }
}
