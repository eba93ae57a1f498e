//! Generates the agent's forbidden hints, its allowed data flow and its schedules, and their checks.

use crate::paths::end_of;
use crate::validate::agent::{Agent, Schedule};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

/// Generates `.forbid(&[…]).allow_data_flow("…")` for the agent's spec.
pub(super) fn rules(agent: &Agent) -> TokenStream {
    let p = &agent.paths;
    let forbid = (!agent.forbid.is_empty()).then(|| {
        let hints = agent.forbid.iter();
        let hints = hints.map(|hint| Ident::new(hint, Span::mixed_site()));
        quote!(.forbid(&[#(#p::Hint::#hints),*]))
    });
    let allow = agent.allow_data_flow.as_ref().map(|allow| {
        let reason = &allow.reason.value;
        quote!(.allow_data_flow(#reason))
    });
    let schedules = (!agent.schedules.is_empty()).then(|| quote!(.schedules(__SCHEDULES)));
    quote!(#forbid #allow #schedules)
}

/// Generates the list of schedules, and the check of each at its rhythm.
pub(super) fn schedules(agent: &Agent) -> Option<TokenStream> {
    if agent.schedules.is_empty() {
        return None;
    }
    let p = &agent.paths;
    let entries = agent.schedules.iter().map(|schedule| {
        let Schedule {
            name,
            repeat,
            signal,
        } = schedule;
        quote!(#p::ScheduleSpec::new(#name, #repeat, #signal))
    });
    let checked = agent.schedules.iter().enumerate();
    let checks = checked
        .filter(|_| !agent.is_broken)
        .map(|(index, schedule)| {
            let span = schedule.repeat.span();
            let at = p.at(span);
            quote_spanned!(end_of(span)=> const _: () = #at::report_schedule(&__SCHEDULES[#index]);)
        });
    Some(quote! {
        const __SCHEDULES: &[#p::ScheduleSpec] = &[#(#entries),*];
        #(#checks)*
    })
}

/// Generates the agent's spec for its tables, from which the checks read the rules.
pub(super) fn table_spec(agent: &Agent) -> Option<TokenStream> {
    let (p, ident) = (&agent.paths, &agent.ident);
    let has_rules = !agent.forbid.is_empty() || agent.allow_data_flow.is_some();
    has_rules.then(|| quote!(.spec(<#ident as #p::Agent>::SPEC)))
}

/// Generates the checks of the agent's own actions, each at its token, and of the whole agent's data flow.
pub(super) fn checks(agent: &Agent) -> Option<TokenStream> {
    if agent.is_broken {
        return None;
    }
    let has_rules = !agent.forbid.is_empty();
    let own = agent.actions.iter().enumerate().filter(|_| has_rules);
    let own = own.map(|(index, path)| {
        let span = path
            .segments
            .last()
            .map_or(path.span(), |last| last.ident.span());
        let at = agent.paths.at(span);
        quote_spanned!(end_of(span)=> const _: () = #at::report_own_action(&__TABLES, #index);)
    });
    let (span, check) = match &agent.allow_data_flow {
        // skills mounted at run time may complete the flow
        Some(_) if agent.mountable.is_some() => return Some(quote!(#(#own)*)),
        Some(allow) => (allow.key, "report_unneeded_data_flow"),
        None => (agent.ident.span(), "report_data_flow"),
    };
    let (at, check) = (agent.paths.at(span), Ident::new(check, end_of(span)));
    let flow = quote_spanned!(end_of(span)=> const _: () = #at::#check(&__TABLES););
    Some(quote!(#(#own)* #flow))
}
