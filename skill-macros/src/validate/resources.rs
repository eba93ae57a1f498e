//! The rules for `#[derive(Resources)]`.

use super::{compact_text, report};
use crate::errors::Errors;
use crate::messages;
use crate::parse::resources::ResourcesInput;
use crate::paths::{Paths, Root};
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Data, GenericArgument, Index, Member, PathArguments, Type, TypeParamBound, parse_quote};

/// A struct whose fields are resources.
pub(crate) struct Resources {
    pub(crate) paths: Paths,
    pub(crate) ident: Ident,
    /// The types that the fields provide.
    pub(crate) provided: Vec<Provided>,
    /// Whether impls can be generated. That is not possible for a generic type.
    pub(crate) can_have_stub: bool,
}

/// A type that a field provides.
pub(crate) struct Provided {
    pub(crate) field: Member,
    pub(crate) ty: Type,
    /// Whether the field is a `Box` or an `Arc` of the type.
    pub(crate) is_held: bool,
}

/// Checks all rules. Even if there are mistakes, the result contains each type only once.
pub(crate) fn check(input: ResourcesInput, root: Root, errors: &mut Errors) -> Resources {
    let ident = &input.item.ident;
    match &input.item.data {
        Data::Struct(_) => {}
        Data::Enum(_) => report(messages::resources_on("an enum"), ident, errors),
        Data::Union(_) => report(messages::resources_on("a union"), ident, errors),
    }
    let params = &input.item.generics.params;
    if let Some(param) = params.first() {
        report(messages::generic_resources(), param, errors);
    }
    Resources {
        paths: Paths::new(root, input.options.root.as_ref().map(|path| &path.0)),
        ident: ident.clone(),
        can_have_stub: params.is_empty(),
        provided: provided(&input, errors),
    }
}

/// Two fields must have different types, because a resource is found by its type. Both fields are marked.
fn provided(input: &ResourcesInput, errors: &mut Errors) -> Vec<Provided> {
    let mut provided: Vec<Provided> = Vec::new();
    // each provided type, with the type of its field for marking duplicates
    let mut seen: Vec<(String, &Type)> = Vec::new();
    for (index, (field, options)) in input.fields.iter().enumerate() {
        if options.skip.is_some() || options.attempts("skip") {
            continue;
        }
        let held = held(&field.ty);
        let provides = || [Some(&field.ty), held.as_ref()].into_iter().flatten();
        let first = |ty: &&Type| seen.iter().find(|(other, _)| *other == compact_text(ty));
        let twice = provides().find_map(|ty| Some((ty, first(&ty)?)));
        if let Some((ty, (_, first))) = twice {
            let name = written(ty);
            report(messages::provided_here(&name), first, errors);
            report(messages::provided_twice(&name), &field.ty, errors);
            continue;
        }
        seen.extend(provides().map(|ty| (compact_text(ty), &field.ty)));
        provided.push(Provided {
            field: member(index, field),
            ty: field.ty.clone(),
            is_held: false,
        });
        provided.extend(held.map(|ty| Provided {
            field: member(index, field),
            ty,
            is_held: true,
        }));
    }
    provided
}

/// Returns the type in an `Arc`, or the trait object in a `Box`. Actions take the content as `&Api` or `&dyn Trait`.
fn held(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let GenericArgument::Type(held) = arguments.args.first()? else {
        return None;
    };
    match held {
        Type::TraitObject(object) if last.ident == "Box" || last.ident == "Arc" => {
            let mut object = object.clone();
            // behind a reference, a trait object's default lifetime is not `'static`
            if !object
                .bounds
                .iter()
                .any(|bound| matches!(bound, TypeParamBound::Lifetime(_)))
            {
                object.bounds.push(parse_quote!('static));
            }
            Some(Type::TraitObject(object))
        }
        held if last.ident == "Arc" => Some(held.clone()),
        _ => None,
    }
}

/// Formats a type for messages, without the `'static` that was added to a trait object.
fn written(ty: &Type) -> String {
    let text = messages::written(ty);
    match text.strip_suffix(" + 'static") {
        Some(theirs) if matches!(ty, Type::TraitObject(_)) => theirs.to_owned(),
        _ => text,
    }
}

fn member(index: usize, field: &syn::Field) -> Member {
    match &field.ident {
        Some(ident) => Member::Named(ident.clone()),
        None => Member::Unnamed(Index {
            index: index as u32,
            span: field.ty.span(),
        }),
    }
}
