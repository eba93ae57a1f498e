//! `#[action]` as written.

use super::options::{self, Options};
use super::values::{
    DefaultValue, Limits, On, PathList, Regex, Text, TypePath, Value, Word, metas, metas_of,
};
use crate::errors::Errors;
use darling::FromMeta;
use proc_macro2::TokenStream;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, FnArg, ItemFn, PatType, Type};

/// `#[action(…)]`
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct ActionOptions {
    pub(crate) name: Option<Text>,
    pub(crate) title: Option<Text>,
    #[darling(rename = "type")]
    pub(crate) struct_name: Option<TypePath>,
    pub(crate) derive: Option<PathList>,
    #[darling(multiple)]
    pub(crate) on: Vec<On>,
    pub(crate) internal: Option<Word>,
    pub(crate) read_only: Option<Word>,
    pub(crate) destructive: Option<Word>,
    pub(crate) idempotent: Option<Word>,
    pub(crate) open_world: Option<Word>,
    #[darling(rename = "crate")]
    pub(crate) root: Option<TypePath>,
}

impl Options for ActionOptions {
    const ATTRIBUTE: &'static str = "`#[action(...)]`";
    const KNOWN: &'static [&'static str] = &[
        "name",
        "title",
        "type",
        "derive",
        "on",
        "internal",
        "read_only",
        "destructive",
        "idempotent",
        "open_world",
        "crate",
    ];
    const ELSEWHERE: &'static [(&'static str, &'static str)] = &[
        (
            "description",
            "an action is described by its doc comment: `/// Add two numbers.`",
        ),
        (
            "skill",
            "an action belongs to the skill that its function takes first",
        ),
        ("default", "write `#[arg(default = ...)]` on a parameter"),
        ("state_key", "write it in `#[skill(...)]`"),
        ("requires", "write it in `#[skill(...)]`"),
    ];
    const REPEATED: &'static [&'static str] = &["on"];
}

/// `#[arg(…)]` on a parameter.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct ArgOptions {
    pub(crate) default: Option<DefaultValue>,
    pub(crate) rename: Option<Text>,
    pub(crate) range: Option<Limits>,
    pub(crate) length: Option<Limits>,
    pub(crate) pattern: Option<Regex>,
    #[darling(multiple)]
    pub(crate) example: Vec<Value>,
}

impl Options for ArgOptions {
    const ATTRIBUTE: &'static str = "`#[arg(...)]`";
    const KNOWN: &'static [&'static str] =
        &["default", "rename", "range", "length", "pattern", "example"];
    const ELSEWHERE: &'static [(&'static str, &'static str)] = &[
        ("name", "write `rename = \"...\"`"),
        ("description", "an argument is described by its doc comment"),
        ("doc", "an argument is described by its doc comment"),
    ];
    const REPEATED: &'static [&'static str] = &["example"];
}

/// Everything an attribute was given.
pub(crate) struct ActionInput {
    pub(crate) function: ItemFn,
    pub(crate) options: ActionOptions,
    /// The options of each parameter, in the order of the signature.
    pub(crate) params: Vec<ArgOptions>,
}

/// Reads the attribute and those of the parameters.
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

/// Takes types out of the invisible groups in which another macro passes them.
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

/// The function as the user wrote it, without what only the macro reads.
pub(crate) fn without_helpers(mut function: ItemFn) -> ItemFn {
    for input in &mut function.sig.inputs {
        let attrs = match input {
            FnArg::Receiver(receiver) => &mut receiver.attrs,
            FnArg::Typed(PatType { attrs, .. }) => attrs,
        };
        attrs.retain(|attr| !is_helper(attr));
    }
    function
}

/// Attributes of a parameter that rustc does not know there.
fn is_helper(attr: &Attribute) -> bool {
    ["arg", "serde", "doc"]
        .iter()
        .any(|name| attr.path().is_ident(name))
}

pub(crate) fn attrs_of(input: &FnArg) -> &[Attribute] {
    match input {
        FnArg::Receiver(receiver) => &receiver.attrs,
        FnArg::Typed(typed) => &typed.attrs,
    }
}
