//! Parses `#[action]`.

use super::options::{self, options};
use super::values::{
    DefaultValue, Limits, On, PathList, Regex, Text, TypePath, Value, Word, metas, metas_of,
};
use crate::conditions::Case;
use crate::errors::Errors;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, FnArg, ItemFn, PatType, Stmt, Type};

options! {
    /// The options of `#[action(…)]`.
    ActionOptions of "`#[action(...)]`" {
        name: Option<Text>,
        title: Option<Text>,
        struct_name as "type": Option<TypePath>,
        derive: Option<PathList>,
        rename_all: Option<Text>,
        on: Vec<On>,
        when: Option<TypePath>,
        internal: Option<Word>,
        read_only: Option<Word>,
        destructive: Option<Word>,
        idempotent: Option<Word>,
        open_world: Option<Word>,
        reads_sensitive: Option<Word>,
        reads_untrusted: Option<Word>,
        sends_out: Option<Word>,
        root as "crate": Option<TypePath>,
    }
    elsewhere {
        "description": "an action is described by its doc comment: `/// Add two numbers.`",
        "skill": "an action belongs to the skill that its function takes first",
        "default": "write `#[arg(default = ...)]` on a parameter",
        "rename": "write `#[arg(rename = \"...\")]` on a parameter, or `name = \"...\"` for the action",
        "secret": "write it on a field of a skill or configuration",
        "sensitive": "write `reads_sensitive` if the answer may have sensitive data",
        "reads_private": "write `reads_sensitive` if the answer may have sensitive data",
        "untrusted": "write `reads_untrusted` if the answer may have untrusted content",
        "forbid": "an agent forbids hints: write `forbid: [...]` in `agent!`",
        "allow_data_flow": "an agent allows it: write `allow_data_flow: \"reason\"` in `agent!`",
        "state_key": "write it in `#[skill(...)]`",
        "requires": "write it in `#[skill(...)]`",
        "lenient": "write it in `on(...)`: `on(\"...\", lenient)`",
        "priority": "write it in `on(...)`: `on(\"...\", priority = 5)`",
    }
}

options! {
    /// The options of `#[arg(…)]` on a parameter.
    ArgOptions of "`#[arg(...)]`" {
        default: Option<DefaultValue>,
        rename: Option<Text>,
        range: Option<Limits>,
        length: Option<Limits>,
        pattern: Option<Regex>,
        example: Vec<Value>,
    }
    elsewhere {
        "name": "write `rename = \"...\"`",
        "min": "write `range(1..=5)`, or `length(1..=80)` for a text or a list",
        "max": "write `range(1..=5)`, or `length(1..=80)` for a text or a list",
        "regex": "write `pattern(\"...\")`",
        "rename_all": "write it in `#[action(...)]`, or `rename = \"...\"` here",
        "description": "an argument is described by its doc comment",
        "doc": "an argument is described by its doc comment",
        "secret": "an argument cannot be secret, because the caller writes it, and approvers and histories show it; take a secret from a `#[skill(secret)]` field of the configuration, or from a resource",
    }
}

/// The attribute's whole input.
pub(crate) struct ActionInput {
    pub(crate) function: ItemFn,
    pub(crate) options: ActionOptions,
    /// The options of each parameter, in signature order.
    pub(crate) params: Vec<ArgOptions>,
}

/// Parses a function without parsing its body, so that only rustc reports a mistake in the body. An editor therefore also sees
/// the whole action while a body is incomplete.
pub(crate) fn function(item: TokenStream) -> syn::Result<ItemFn> {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    let body = match tokens.last_mut() {
        Some(TokenTree::Group(last)) if last.delimiter() == Delimiter::Brace => {
            let empty = Group::new(Delimiter::Brace, TokenStream::new());
            Some(std::mem::replace(last, empty))
        }
        _ => None,
    };
    let mut function: ItemFn = syn::parse2(tokens.into_iter().collect())?;
    let body = Expr::Verbatim(body.into_token_stream());
    function.block.stmts.push(Stmt::Expr(body, None));
    Ok(function)
}

/// Returns the tokens of a function parsed by [`function`], including the braces of its body at their original places.
pub(crate) fn written(function: &ItemFn) -> TokenStream {
    let mut tokens: Vec<TokenTree> = function.to_token_stream().into_iter().collect();
    if let Some(TokenTree::Group(block)) = tokens.pop() {
        tokens.extend(block.stream());
    }
    tokens.into_iter().collect()
}

/// Parses the attributes of the function and its parameters.
pub(crate) fn read(options: TokenStream, mut function: ItemFn, errors: &mut Errors) -> ActionInput {
    Ungroup.visit_signature_mut(&mut function.sig);
    let options = match metas(options) {
        Ok(metas) => options::read(metas, errors).options,
        Err(error) => {
            errors.push(error);
            ActionOptions::default()
        }
    };
    let params = function
        .sig
        .inputs
        .iter()
        .map(|input| options::read(metas_of("arg", attrs_of(input), errors).0, errors).options)
        .collect();
    ActionInput {
        function,
        options,
        params,
    }
}

/// Takes types out of invisible groups, which come from `macro_rules!`.
struct Ungroup;

impl VisitMut for Ungroup {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        while let Type::Group(group) = ty
            && matches!(&*group.elem, Type::Path(_) | Type::Group(_))
        {
            *ty = (*group.elem).clone();
        }
        visit_mut::visit_type_mut(self, ty);
    }
}

/// Returns the function with a case's parameters.
pub(crate) fn of_case(mut function: ItemFn, case: &Case<'_>) -> ItemFn {
    let inputs = std::mem::take(&mut function.sig.inputs);
    let kept = inputs
        .into_iter()
        .filter(|input| case.keeps(attrs_of(input)));
    function.sig.inputs = kept.collect();
    for input in &mut function.sig.inputs {
        case.write_out(attrs_of_mut(input));
    }
    function
}

/// Returns the user's function without the attributes that only the macro reads.
pub(crate) fn without_helper_attributes(mut function: ItemFn) -> ItemFn {
    function
        .attrs
        .retain(|attr| !is_of_structs(attr) && !is_of_arguments(attr));
    for input in &mut function.sig.inputs {
        attrs_of_mut(input).retain(|attr| !is_helper(attr));
    }
    function
}

/// Returns whether rustc would refuse the attribute on a parameter.
fn is_helper(attr: &Attribute) -> bool {
    attr.path().is_ident("doc") || is_of_structs(attr) || is_of_arguments(attr)
}

/// Returns whether the attribute is about an argument. Validation refuses it on a function.
pub(crate) fn is_of_arguments(attr: &Attribute) -> bool {
    let is_named = |name: &&str| attr.path().is_ident(name);
    ["arg", "serde"].iter().any(is_named) || is_of_fields(attr)
}

/// Returns whether schemars reads the attribute on a field. Validation refuses it on a parameter.
pub(crate) fn is_of_fields(attr: &Attribute) -> bool {
    attr.path().is_ident("schemars")
}

/// Returns whether the attribute is `#[skill(…)]`, which validation refuses on a function.
pub(crate) fn is_of_structs(attr: &Attribute) -> bool {
    attr.path().is_ident("skill")
}

fn attrs_of_mut(input: &mut FnArg) -> &mut Vec<Attribute> {
    match input {
        FnArg::Receiver(receiver) => &mut receiver.attrs,
        FnArg::Typed(PatType { attrs, .. }) => attrs,
    }
}

pub(crate) fn attrs_of(input: &FnArg) -> &[Attribute] {
    match input {
        FnArg::Receiver(receiver) => &receiver.attrs,
        FnArg::Typed(typed) => &typed.attrs,
    }
}
