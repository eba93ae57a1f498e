//! The code of a skill.

use super::defaults;
use super::literals::{set, set_list, tracked, type_path};
use crate::paths::Paths;
use crate::validate::skill::Skill;
use crate::validate::skill_manifest::Triggers;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned;

/// The impls of a skill, in one anonymous constant.
pub(crate) fn expand(skill: &Skill) -> TokenStream {
    let (open, allow) = (skill.paths.open(), super::allow());
    let (default, hooks) = (default(skill), hooks(skill));
    let runs_with = runs_with(&skill.paths, &skill.ident, &skill.actions);
    let tracked = skill
        .manifest
        .as_ref()
        .map(|file| tracked(&skill.paths, file));
    let (entries, schemas, implementation) = (
        entries(
            &skill.paths,
            &skill.ident,
            &skill.actions,
            first_action(skill),
        ),
        schemas(&skill.paths, &skill.ident),
        implementation(skill),
    );
    quote! {
        #[automatically_derived]
        #allow
        const _: () = {
            #open
            #entries
            #schemas
            #implementation
            #default
            #hooks
            #runs_with
            #tracked
        };
    }
}

/// Where the list of actions begins.
fn first_action(skill: &Skill) -> Span {
    skill
        .actions
        .first()
        .map_or_else(|| skill.ident.span(), Spanned::span)
}

fn implementation(skill: &Skill) -> TokenStream {
    let Skill {
        paths: p, ident, ..
    } = skill;
    let at = p.at(ident.span());
    let (config, init, spec) = (config(skill), init(skill), spec(skill));
    let actions = (!skill.actions.is_empty())
        .then(|| quote!(const ACTIONS: &'static [#p::ActionEntry<Self>] = __ENTRIES;));
    let hooks = hook_entry(p, skill.hooks);
    quote! {
        static __DATA: #p::StateData<#ident> = #p::StateData::<#ident>::of();
        impl #at::Skill for #ident {
            #config
            const SPEC: #p::SkillSpec = #spec;
            const __DATA: &'static #p::StateData<Self> = &__DATA;
            #actions
            #hooks
            #init
        }
    }
}

fn config(skill: &Skill) -> TokenStream {
    let p = &skill.paths;
    match &skill.config {
        Some(path) => quote!(type Config = #path;),
        None => {
            let at = p.at(skill.ident.span());
            quote_spanned!(skill.ident.span()=> type Config = #at::NoConfig;)
        }
    }
}

fn spec(skill: &Skill) -> TokenStream {
    let Skill {
        paths: p,
        ident,
        name,
        state_key,
        ..
    } = skill;
    let type_path = type_path(p, ident);
    let texts = [
        set("title", &skill.title),
        set("description", &skill.description),
        set("category", &skill.category),
        set("version", &skill.version),
        set("instructions", &skill.instructions),
        set_list("tags", &skill.tags),
        set_list("signals", &skill.signals),
        set_list("requires", &skill.requires),
    ];
    let texts = texts.iter().flatten();
    let triggers = triggers(p, &skill.triggers);
    let joined = skill.manifest.as_ref().map(|_| quote!(.__joined()));
    let actions = (!skill.actions.is_empty()).then(|| quote!(.actions(__SPECS).__listed(__LISTED)));
    quote! {
        #p::SkillSpec::new(#name)
            #type_path
            .state_key(#state_key)
            #(#texts)*
            #triggers
            #joined
            #actions
            .schemas(__state_schema, __config_schema)
            .__provenance(#p::Provenance::Derive)
    }
}

/// `.triggers(TriggerSpec::new().keywords(&["…"]))`, where there are any.
fn triggers(p: &Paths, triggers: &Triggers) -> Option<TokenStream> {
    let lists = [
        set_list("keywords", &triggers.keywords),
        set_list("verbs", &triggers.verbs),
        set_list("patterns", &triggers.patterns),
    ];
    let is_empty = lists.iter().all(Option::is_none);
    let lists = lists.iter().flatten();
    (!is_empty).then(|| quote!(.triggers(#p::TriggerSpec::new() #(#lists)*)))
}

/// The schemas of state and configuration, made at first use.
pub(super) fn schemas(p: &Paths, ident: &Ident) -> TokenStream {
    quote! {
        fn __state_schema() -> &'static #p::serde_json::Value {
            static SCHEMA: #p::OnceLock<#p::serde_json::Value> = #p::OnceLock::new();
            SCHEMA.get_or_init(#p::state_json_schema::<#ident>)
        }
        fn __config_schema() -> &'static #p::serde_json::Value {
            static SCHEMA: #p::OnceLock<#p::serde_json::Value> = #p::OnceLock::new();
            SCHEMA.get_or_init(#p::config_json_schema::<#ident>)
        }
    }
}

/// The actions of a skill or an agent. Each is mentioned once, with the span of the user's token, so that a wrong one causes one
/// error. Errors about all of them have `span`.
pub(super) fn entries(
    p: &Paths,
    ident: &Ident,
    actions: &[Path],
    span: Span,
) -> Option<TokenStream> {
    if actions.is_empty() {
        return None;
    }
    let entries = actions.iter().map(|action| {
        let at = p.at(action.span());
        quote_spanned!(action.span()=> #at::ActionEntry::<#ident>::of::<#action>())
    });
    let (count, indices) = (actions.len(), 0..actions.len());
    let at = p.at(span);
    let room = (actions.len() * 2 + 2).next_power_of_two();
    let check = quote_spanned!(span=> const _: () = #at::report_skill::<#ident, #room, { #at::route_room::<#ident>() }>(););
    Some(quote! {
        static __LIST: [#p::ActionEntry<#ident>; #count] = [#(#entries),*];
        const __ENTRIES: &[#p::ActionEntry<#ident>] = &__LIST;
        const __SPECS: &[#p::ActionSpec] = &[#(__ENTRIES[#indices].spec()),*];
        const __LISTED: &[u32] = &#p::listed::<#room>(__SPECS);
        #check
    })
}

/// `init`, where fields have defaults.
fn init(skill: &Skill) -> Option<TokenStream> {
    let init = skill.init.as_ref()?;
    let config = defaults::config_parameter(&skill.ident);
    let value = defaults::value(&skill.paths, &skill.ident, init);
    Some(quote! {
        fn init(#config: &Self::Config) -> Self {
            #value
        }
    })
}

fn default(skill: &Skill) -> Option<TokenStream> {
    let (p, init) = (&skill.paths, skill.init.as_ref()?);
    let at = p.at(init.span);
    let fresh = quote_spanned!(init.span=> #at::fresh::<Self>());
    Some(defaults::impl_default(p, &skill.ident, init.span, &fresh))
}

/// The hooks that the skill announces. If `impl Hooks` is missing, rustc reports it at the word `hooks`.
pub(super) fn hook_entry(p: &Paths, hooks: Option<Span>) -> Option<TokenStream> {
    hooks.map(|span| {
        let at = p.at(span);
        quote_spanned!(span=> const HOOKS: #at::Option<#at::HookEntry<Self>> = #at::Some(#at::HookEntry::<Self>::of());)
    })
}

/// Empty hooks for a skill that does not announce any.
fn hooks(skill: &Skill) -> Option<TokenStream> {
    let Skill {
        paths: p, ident, ..
    } = skill;
    skill.hooks.is_none().then(|| no_hooks(p, ident))
}

/// An empty `impl Hooks` with the span of the type, where rustc reports a conflict with hooks that are written but not announced.
pub(super) fn no_hooks(p: &Paths, ident: &Ident) -> TokenStream {
    let at = p.at(ident.span());
    quote_spanned! {ident.span()=>
        impl #at::Hooks for #ident {}
    }
}

/// `impl SkillRunsWith`: the resources that its actions need, and how they are started. The bounds are on tuples of actions:
/// one on each action takes rustc a quarter longer.
pub(super) fn runs_with(p: &Paths, ident: &Ident, actions: &[Path]) -> TokenStream {
    let at = p.at(ident.span());
    let chunks = actions.chunks(CHUNK).enumerate().map(|(index, actions)| {
        let name = chunk_name(index);
        quote!(type #name = (#(#actions,)*);)
    });
    let names = (0..actions.len().div_ceil(CHUNK)).map(chunk_name);
    let jobs = names.clone();
    let jobs = (!actions.is_empty()).then(|| {
        quote! {
            const ASYNC_ACTIONS: &'static [&'static [#p::Option<#p::AsyncEntry<Self, __R>>]] =
                &[#(<#jobs as #p::RunWith<Self, __R>>::ASYNC_ACTIONS),*];
        }
    });
    quote_spanned! {ident.span()=>
        #(#chunks)*
        impl<__R: #at::Resources> #at::SkillRunsWith<__R> for #ident
        where
            #(#names: #at::RunWith<#ident, __R>,)*
        {
            #jobs
        }
    }
}

/// How many types stand in one tuple: as many as `skill-core` has impls for.
pub(super) const CHUNK: usize = 16;

fn chunk_name(index: usize) -> Ident {
    quote::format_ident!("__Actions{index}")
}

/// Replaces a skill with mistakes by a skill without actions, so that nothing else fails because of it.
pub(crate) fn stub(skill: &Skill) -> TokenStream {
    if !skill.can_have_stub {
        return TokenStream::new();
    }
    let Skill {
        paths: p, ident, ..
    } = skill;
    let (open, allow) = (p.open(), super::allow());
    let config = config(skill);
    let type_path = type_path(p, ident);
    let name = crate::names::snake(ident);
    let default = skill.init.as_ref().map(|_| {
        quote! {
            impl #p::Default for #ident {
                fn default() -> Self {
                    loop {}
                }
            }
        }
    });
    let hooks = skill.hooks.is_none().then(|| no_hooks(p, ident));
    let runs_with = runs_with(p, ident, &[]);
    quote! {
        #[automatically_derived]
        #allow
        const _: () = {
            #open
            impl #p::Skill for #ident {
                #config
                const SPEC: #p::SkillSpec =
                    #p::SkillSpec::stub(#name) #type_path .__provenance(#p::Provenance::Stub);
            }
            #default
            #hooks
            #runs_with
        };
    }
}
