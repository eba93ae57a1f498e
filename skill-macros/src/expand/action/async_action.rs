//! The code of an async action.

use super::{answer, types};
use crate::paths::Paths;
use crate::validate::action::{Action, Given};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

/// `impl AsyncAction`, for all resources that have what the function takes; and what `cmd` says of it.
pub(super) fn expand(action: &Action) -> TokenStream {
    let Action {
        paths: p, ident, ..
    } = action;
    let (output, error) = types(action);
    let run = run(action);
    // a second impl that could be meant: rustc then shows what the trait says of async actions (no
    // `do_not_recommend`: without a prelude there is no `diagnostic`)
    let refused = runs_on(
        p,
        ident,
        &output,
        &error,
        quote!(where __G: #p::NeedsServer<#ident>),
    );
    quote!(#run #refused)
}

/// All of it at the function's name: a future that cannot be sent is told of there.
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
    // one token each where it is made and where it is used: another macro may have written the function
    let [this, snapshot, resources] =
        ["__action", "__skill", "__resources"].map(|name| Ident::new(name, Span::mixed_site()));
    // by a name: rustc tells of a type that does not exist in the words it has for the function, and so once
    let types = action
        .given
        .iter()
        .enumerate()
        .filter_map(|(index, given)| match given {
            Given::Argument(_) => None,
            Given::Resource(ty) => {
                let name = resource_name(index, ty);
                Some(quote_spanned!(ty.span()=> type #name = #ty;))
            }
        });
    let given = action
        .given
        .iter()
        .enumerate()
        .map(|(index, given)| match given {
            Given::Argument(name) => quote!(#this.#name),
            Given::Resource(ty) => {
                let (p, ty) = (paths.at(ty.span()), resource_name(index, ty));
                quote_spanned!(ty.span()=> <__R as #p::Provide<#ty>>::provide(#resources))
            }
        });
    let bounds = action
        .given
        .iter()
        .enumerate()
        .filter_map(|(index, given)| match given {
            Given::Argument(_) => None,
            Given::Resource(ty) => {
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

/// `impl RunsOn` without content: of an action that no agent runs at once.
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
            fn __run_on(self, _: &mut __G) -> #p::Result<#p::Outcome<Self::Output>, Self::Error> {
                loop {}
            }
            fn __run_stamped(
                self,
                _: &mut __G,
                _: &#p::Stamp,
            ) -> #p::Result<#p::Outcome<Self::Output>, Self::Error> {
                loop {}
            }
        }
    }
}
