//! Generates the code of an action.

pub(super) mod argument_helpers;
pub(super) mod arguments;
mod async_action;
mod stub;
mod wire;

pub(crate) use stub::stub;

use crate::expand::constraints::literals::{set, shown_at, type_path};
use crate::parse::action::written;
use crate::validate::action::{Action, Arg, Route, answer_span};
use crate::validate::answer::{Answer, is_primitive};
use crate::validate::state::serde_names::{Keys, Renaming};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

/// Generates the function, the struct of its arguments, and the impls in an anonymous constant.
pub(crate) fn expand(action: &Action) -> TokenStream {
    let Action {
        paths,
        cfg,
        function,
        ..
    } = action;
    let (open, allow) = (paths.open(), super::allow());
    let structure = structure(action);
    let arguments = if has_serde(action) {
        wire::expand(action)
    } else {
        arguments::expand(&action.into())
    };
    let (implementation, checks) = (implementation(action), checks(action));
    let function = written(function);
    let routes = routes(action);
    let run = if action.is_async {
        async_action::expand(action)
    } else {
        run(action)
    };
    quote! {
        #cfg
        #function
        #cfg
        #structure
        #cfg
        #[automatically_derived]
        #allow
        const _: () = {
            #open
            #arguments
            #routes
            #implementation
            #run
            #checks
        };
    }
}

/// Returns whether serde's derives are needed. Only they understand serde's attributes.
fn has_serde(action: &Action) -> bool {
    action.args.iter().any(|arg| !arg.serde.is_empty())
}

/// Generates the struct of the arguments, with the function's documentation and visibility.
fn structure(action: &Action) -> TokenStream {
    let Action {
        ident,
        vis,
        args,
        derives,
        ..
    } = action;
    let docs = crate::parse::docs::attributes(&action.function.attrs);
    let derives = (!derives.is_empty()).then(|| quote!(#[derive(#(#derives),*)]));
    let fields = args.iter().map(|arg| {
        let (name, ty) = (&arg.ident, &arg.ty);
        let docs = match &arg.docs[..] {
            [] => {
                let text = format!("The argument `{}`.", arg.name);
                quote!(#[doc = #text])
            }
            docs => quote!(#(#docs)*),
        };
        quote!(#docs #vis #name: #ty)
    });
    let sig = &action.function.sig;
    let structure = shown_at(
        sig.fn_token.span,
        sig.ident.span(),
        vis,
        ident,
        quote!(#(#fields,)*),
    );
    quote! {
        #(#docs)*
        #derives
        #structure
    }
}

/// Generates `impl Action`: the types, the spec and the schemas.
fn implementation(action: &Action) -> TokenStream {
    let Action {
        paths: p,
        ident,
        skill,
        changes,
        ..
    } = action;
    let at = p.at(skill.span());
    let (output, error) = types(action);
    let kind = if action.is_async {
        quote!(Async)
    } else {
        quote!(Pure)
    };
    let fallible = !matches!(action.answer, Answer::Nothing(_) | Answer::Value(_));
    let (spec, when) = (spec(action), when(action));
    quote! {
        impl #at::Action for #ident {
            type Skill = #skill;
            type Output = #output;
            type Error = #error;
            type Kind = #p::#kind;
            const SPEC: #p::ActionSpec = #spec;
            const CHANGES: bool = #changes;
            const FALLIBLE: bool = #fallible;
            const JSON_SAFE: bool = {
                use #p::probe::AssumeUnsafe as _;
                #p::probe::Probe::<#output>::IS_JSON_SAFE
            };
            #when
            fn schemas() -> &'static #p::Schemas {
                static SCHEMAS: #p::Schemas = #p::Schemas::of::<#ident>();
                &SCHEMAS
            }
        }
    }
}

/// Returns the output and error types.
fn types(action: &Action) -> (TokenStream, TokenStream) {
    let p = &action.paths;
    match &action.answer {
        Answer::Nothing(_) => (quote!(()), quote!(#p::Infallible)),
        Answer::Value(ty) => (ty.to_token_stream(), quote!(#p::Infallible)),
        Answer::Result { ok, err, .. } => (ok.to_token_stream(), err.to_token_stream()),
        Answer::Alias(ty) => {
            let at = p.at(ty.span());
            (
                quote_spanned!(ty.span()=> <#ty as #at::probe::ResultParts>::Ok),
                quote_spanned!(ty.span()=> <#ty as #at::probe::ResultParts>::Err),
            )
        }
    }
}

fn spec(action: &Action) -> TokenStream {
    let Action {
        paths: p,
        ident,
        name,
        description,
        ..
    } = action;
    let type_path = type_path(p, ident);
    let title = set("title", &action.title);
    let internal = action.internal.then(|| quote!(.internal()));
    let hints = (!action.hints.is_empty()).then(|| {
        let hints = action
            .hints
            .iter()
            .map(|hint| Ident::new(hint, Span::mixed_site()));
        quote!(.hints(#p::Hints::NONE #(.#hints())*))
    });
    let routes = (!action.routes.is_empty()).then(|| quote!(.routes(__ROUTES)));
    let names = if has_serde(action) {
        let names = action.args.iter().map(|arg| &arg.name);
        quote!(&[#(#names),*])
    } else {
        quote!(<#ident as #p::ArgumentList>::NAMES)
    };
    let keys = |arg: &Arg| Keys::of(&arg.ident, &arg.serde, &Renaming::default());
    let aliases: Vec<_> = action
        .args
        .iter()
        .flat_map(|arg| keys(arg).aliases)
        .collect();
    let aliases = (!aliases.is_empty()).then(|| quote!(.__aliases(&[#(#aliases),*])));
    quote! {
        #p::ActionSpec::of::<#ident>(#name, #description)
            #type_path #title #hints #internal #routes .__arguments(#names) #aliases
    }
}

/// Generates the condition. rustc reports a wrong function at its path.
fn when(action: &Action) -> Option<TokenStream> {
    let p = &action.paths;
    let path = action.when.as_ref()?;
    let span = path.span();
    let skill = Ident::new("__skill", Span::mixed_site().located_at(span));
    let at = p.at(span);
    let check = quote_spanned!(span=> #at::ConditionResult::into_reason(#path(#skill)));
    Some(quote! {
        const __WHEN: #p::Option<#p::When<Self::Skill>> = #p::Some(|#skill| #check);
    })
}

/// Generates the routes in a separate constant, because references to them must be `'static`.
fn routes(action: &Action) -> Option<TokenStream> {
    let p = &action.paths;
    let routes = action.routes.iter().map(|route| {
        let Route {
            pattern,
            priority,
            lenient,
        } = route;
        let priority = (*priority != 0).then(|| quote!(.priority(#priority)));
        let lenient = lenient.then(|| quote!(.lenient()));
        quote!(#p::Route::new(#pattern) #priority #lenient)
    });
    (!action.routes.is_empty()).then(|| quote!(const __ROUTES: &[#p::Route] = &[#(#routes),*];))
}

/// Generates `impl PureAction`, which calls the function.
fn run(action: &Action) -> TokenStream {
    let Action {
        paths: p,
        ident,
        skill,
        ..
    } = action;
    let takes_context = action.context.is_some();
    // If the context belongs to a different skill, rustc reports the context argument.
    let cx = Ident::new("__cx", action.context.unwrap_or_else(Span::mixed_site));
    let context = takes_context.then(|| quote!(#cx,));
    let fields = action.args.iter().map(|arg| &arg.ident);
    let body = answer(action, quote!(__skill, #context #(self.#fields),*));
    quote! {
        impl #p::PureAction for #ident {
            const TAKES_CONTEXT: bool = #takes_context;
            #[inline]
            fn run(
                self,
                __skill: &mut #skill,
                #cx: &mut #p::Context<#skill>,
            ) -> #p::Result<Self::Output, Self::Error> {
                #body
            }
        }
    }
}

/// Generates a call to the function, and converts its return value to a `Result`.
fn answer(action: &Action, arguments: TokenStream) -> TokenStream {
    let (p, name) = (&action.paths, &action.function.sig.ident);
    let awaited = action.is_async.then(|| quote!(.await));
    match &action.answer {
        Answer::Nothing(_) | Answer::Value(_) => quote!(#p::Ok(#name(#arguments)#awaited)),
        Answer::Result { whole, .. } => into_result(action, whole.span(), &arguments),
        Answer::Alias(ty) => into_result(action, ty.span(), &arguments),
    }
}

/// Generates a call to the function, and converts its `Result`. If a type has the name `Result` but is not a `Result`, rustc
/// reports an error here.
fn into_result(action: &Action, span: Span, arguments: &TokenStream) -> TokenStream {
    let at = action.paths.at(span);
    let awaited = action.is_async.then(|| quote!(.await));
    let mut name = action.function.sig.ident.clone();
    name.set_span(name.span().located_at(span));
    quote_spanned!(span=> #at::probe::ResultParts::into_result(#name(#arguments)#awaited))
}

/// Generates checks that the skill lists the action, and that the return type is not a `Result` under another name.
fn checks(action: &Action) -> TokenStream {
    let Action {
        paths: p,
        ident,
        function,
        ..
    } = action;
    let span = function.sig.ident.span();
    let at = p.at(span);
    let listed = quote_spanned!(span=> const _: () = #at::report_unlisted::<#ident>(););
    let hidden = match &action.answer {
        Answer::Value(ty) if !is_primitive(ty) => {
            let span = answer_span(&action.answer);
            let at = p.at(span);
            let import = quote!(use #p::probe::AssumeUnsafe as _;);
            let report = quote_spanned! {span=>
                #at::probe::report_hidden_result(#at::probe::Probe::<#ty>::IS_RESULT)
            };
            Some(quote!(const _: () = { #import #report };))
        }
        _ => None,
    };
    quote!(#listed #hidden)
}
