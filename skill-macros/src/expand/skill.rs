//! Generates the code of a skill.

use super::{constraints, defaults, secrets, tools, version};
use crate::expand::constraints::literals::{set, set_list, tracked, type_path};
use crate::names::{hides_common_type, snake};
use crate::paths::{Paths, end_of};
use crate::validate::compact_text;
use crate::validate::instructions::{Instructions, References};
use crate::validate::skill::Skill;
use crate::validate::skill_manifest::Triggers;
use crate::validate::tools::ToolTexts;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned;

/// Generates a skill's impls in an anonymous constant.
pub(crate) fn expand(skill: &Skill) -> TokenStream {
    let (open, allow) = (skill.paths.open(), super::allow());
    let (default, hooks) = (default(skill), hooks(skill));
    let runs_with = runs_with(&skill.paths, &skill.ident, &skill.actions);
    let (debug, copies) = (debug(skill), secrets::copies(&skill.paths, skill));
    let package_version = version::of_package(&skill.paths, skill.version.as_ref());
    let references = reference_check(skill);
    let tracked = skill
        .manifest
        .as_ref()
        .map(|file| tracked(&skill.paths, file));
    let (entries, schemas, implementation) = (
        entries(
            &skill.paths,
            &skill.ident,
            (&skill.actions, &skill.tools),
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
            #package_version
            #entries
            #schemas
            #implementation
            #default
            #debug
            #copies
            #hooks
            #runs_with
            #references
            #tracked
        };
    }
}

/// Returns the span of the first action, or of the skill's name if the skill has no actions.
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
    let of = match skill.config {
        Some(_) => quote!(of),
        None => quote!(without_config),
    };
    let defaults = skill.init.as_ref();
    let config_fields = defaults.and_then(|init| defaults::config_fields(p, init));
    quote! {
        static __VTABLE: #p::SkillVtable = #p::SkillVtable::#of::<#ident>();
        impl #at::Skill for #ident {
            #config
            const SPEC: #p::SkillSpec = #spec;
            const __VTABLE: &'static #p::SkillVtable = &__VTABLE;
            #actions
            #hooks
            #config_fields
            #init
        }
    }
}

pub(super) fn config(skill: &Skill) -> TokenStream {
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
        skill.version.as_ref().map(version::set),
        instructions(skill.instructions.as_ref()),
        set_list("tags", &skill.tags),
        set_list("signals", &skill.signals),
        set_list("requires", &skill.requires),
    ];
    let texts = texts.iter().flatten();
    let triggers = triggers(p, &skill.triggers);
    let joined = skill.manifest.as_ref().map(|_| quote!(.__joined()));
    let actions = (!skill.actions.is_empty()).then(|| quote!(.actions(__SPECS).__listed(__LISTED)));
    let state_secrets = secrets::of_state(skill.secrets.as_ref());
    let config_secrets = skill.config.as_ref().map(|_| secrets::of_config(p));
    let constraints = skill.config.as_ref().map(|_| constraints::of_config(p));
    quote! {
        #p::SkillSpec::new(#name)
            #type_path
            .state_key(#state_key)
            #(#texts)*
            #triggers
            #joined
            #actions
            .schemas(__state_schema, __config_schema)
            #state_secrets
            #config_secrets
            #constraints
            .__provenance(#p::Provenance::Derive)
    }
}

/// Generates `.instructions("…")`, or nothing if there are no instructions.
fn instructions(instructions: Option<&Instructions>) -> Option<TokenStream> {
    let Instructions { text, references } = instructions?;
    let plain = matches!(references, References::None).then(|| quote!(.__without_references()));
    Some(quote!(.instructions(#text) #plain))
}

/// Generates the check of the references in the instructions. The check reports errors at the text.
fn reference_check(skill: &Skill) -> Option<TokenStream> {
    let References::Own(span) = skill.instructions.as_ref()?.references else {
        return None;
    };
    let (at, ident) = (skill.paths.at(span), &skill.ident);
    Some(quote_spanned!(span=> const _: () = #at::report_references::<#ident>();))
}

/// Generates `.triggers(TriggerSpec::new().keywords(&["…"]))`, or nothing if there are no triggers.
fn triggers(p: &Paths, triggers: &Triggers) -> Option<TokenStream> {
    let lists = [
        set_list("keywords", &triggers.keywords),
        set_list("verbs", &triggers.verbs),
        set_list("patterns", &triggers.patterns),
        set_list("paths", &triggers.paths),
    ];
    let is_empty = lists.iter().all(Option::is_none);
    let lists = lists.iter().flatten();
    (!is_empty).then(|| quote!(.triggers(#p::TriggerSpec::new() #(#lists)*)))
}

/// Generates the schemas of the state and the configuration, which are created on first use.
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

/// Generates the actions of a skill or an agent. Each action is mentioned once, at the user's token, so that an error in it is
/// reported once. Mistakes that involve several actions are reported at `span`.
pub(super) fn entries(
    p: &Paths,
    ident: &Ident,
    (actions, tools): (&[Path], &[ToolTexts]),
    span: Span,
) -> Option<TokenStream> {
    if actions.is_empty() {
        return None;
    }
    let entries = actions.iter().map(|action| {
        let at = p.at(action.span());
        match hidden_function(action) {
            Some(function) => {
                let name = compact_text(&function);
                quote_spanned!(end_of(action.span())=> {
                    let _ = #function;
                    #at::ActionEntry::<#ident>::__stub(#name)
                })
            }
            None => {
                quote_spanned!(end_of(action.span())=> #at::ActionEntry::<#ident>::of::<#action>())
            }
        }
    });
    let (count, indices) = (actions.len(), 0..actions.len());
    let texts = (0..count).map(|index| tools::texts(tools, index));
    let schemas = tools::schemas(p, tools);
    let at = p.at(span);
    let capacity = quote_spanned!(end_of(span)=> { #at::capacity(#count) });
    let check = quote_spanned!(end_of(span)=> const _: () = #at::report_skill::<#ident, #capacity, { #at::route_room::<#ident>() }>(););
    Some(quote! {
        static __LIST: [#p::ActionEntry<#ident>; #count] = [#(#entries),*];
        const __ENTRIES: &[#p::ActionEntry<#ident>] = &__LIST;
        const __SPECS: &[#p::ActionSpec] = &[#(__ENTRIES[#indices].spec() #texts),*];
        const __LISTED: &[u32] = &#p::listed::<#capacity>(__SPECS);
        #schemas
        #check
    })
}

/// Returns the function of an action whose listed name `#[action]` refuses, such as `String`. The type with this name is not the
/// action, so the list contains a stub instead, which only checks that the function exists.
fn hidden_function(action: &Path) -> Option<Path> {
    let mut function = action.clone();
    let last = function.segments.last_mut()?;
    if !hides_common_type(&last.ident) {
        return None;
    }
    last.ident = Ident::new(&snake(&last.ident), last.ident.span());
    Some(function)
}

/// Generates `init`, or nothing if no field has a default.
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

/// Generates `impl Debug`, or nothing if the state has no secrets.
pub(super) fn debug(skill: &Skill) -> Option<TokenStream> {
    let found = skill.secrets.as_ref()?;
    Some(secrets::debug(&skill.paths, &skill.ident, found))
}

/// Generates `HOOKS` if the skill declares `hooks`. rustc reports a missing impl of `Hooks` at the word `hooks`.
pub(super) fn hook_entry(p: &Paths, hooks: Option<Span>) -> Option<TokenStream> {
    hooks.map(|span| {
        let at = p.at(span);
        quote_spanned!(span=> const HOOKS: #at::Option<#at::HookEntry<Self>> = #at::Some(#at::HookEntry::<Self>::of());)
    })
}

/// Generates an empty `impl Hooks` if the skill does not declare `hooks`.
fn hooks(skill: &Skill) -> Option<TokenStream> {
    let Skill {
        paths: p, ident, ..
    } = skill;
    skill.hooks.is_none().then(|| no_hooks(p, ident))
}

/// Generates an empty `impl Hooks` at the type, where rustc reports a second impl if `hooks` was forgotten.
pub(super) fn no_hooks(p: &Paths, ident: &Ident) -> TokenStream {
    let at = p.at(ident.span());
    quote_spanned! {ident.span()=>
        impl #at::Hooks for #ident {}
    }
}

/// Generates `impl SkillRunsWith`, which defines the resources that the actions need and how async actions start. The bounds are
/// on tuples of actions: with a bound per action, rustc takes a quarter longer.
pub(super) fn runs_with(p: &Paths, ident: &Ident, actions: &[Path]) -> TokenStream {
    let at = p.at(ident.span());
    let actions: Vec<&Path> = actions
        .iter()
        .filter(|action| hidden_function(action).is_none())
        .collect();
    let chunks = actions.chunks(CHUNK).enumerate().map(|(index, actions)| {
        let name = chunk_name(index);
        quote!(type #name = (#(#actions,)*);)
    });
    let names = (0..actions.len().div_ceil(CHUNK)).map(chunk_name);
    let chunk_types = names.clone();
    let async_actions = (!actions.is_empty()).then(|| {
        quote! {
            const ASYNC_ACTIONS: &'static [&'static [#p::Option<#p::AsyncEntry<Self, __R>>]] =
                &[#(<#chunk_types as #p::RunWith<Self, __R>>::ASYNC_ACTIONS),*];
        }
    });
    quote_spanned! {ident.span()=>
        #(#chunks)*
        impl<__R: #at::Resources> #at::SkillRunsWith<__R> for #ident
        where
            #(#names: #at::RunWith<#ident, __R>,)*
        {
            #async_actions
        }
    }
}

/// The maximum number of types per tuple. `skill-core` has impls for tuples up to this size.
pub(super) const CHUNK: usize = 16;

fn chunk_name(index: usize) -> Ident {
    quote::format_ident!("__Actions{index}")
}
