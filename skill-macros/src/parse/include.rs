//! `include_skill!` and `include_skills!` as written.

use super::options::{self, Options, Read};
use super::values::{self, PathList, Text, TypePath};
use crate::errors::Errors;
use crate::messages;
use darling::FromMeta;
use darling::ast::NestedMeta;
use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::{LitStr, Macro, Token};

/// What stands behind the path.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct IncludeOptions {
    pub(crate) dialect: Option<TypePath>,
    pub(crate) toolsets: Option<PathList>,
    #[darling(rename = "crate")]
    pub(crate) root: Option<TypePath>,
}

impl Options for IncludeOptions {
    const ATTRIBUTE: &'static str = "`include_skill!`";
    const KNOWN: &'static [&'static str] = &["dialect", "toolsets", "crate"];
    const OF_CAPITALS: Option<&'static str> = Some("dialect");
}

/// The same, of `include_skills!`.
#[derive(Default)]
struct OfFolder(IncludeOptions);

impl FromMeta for OfFolder {
    fn from_list(items: &[NestedMeta]) -> darling::Result<Self> {
        IncludeOptions::from_list(items).map(Self)
    }
}

impl Options for OfFolder {
    const ATTRIBUTE: &'static str = "`include_skills!`";
    const KNOWN: &'static [&'static str] = IncludeOptions::KNOWN;
    const OF_CAPITALS: Option<&'static str> = IncludeOptions::OF_CAPITALS;
}

/// Which of the two macros it is.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// `include_skill!`, of a file.
    File,
    /// `include_skills!`, of a folder.
    Folder,
}

/// Everything the macro was given.
pub(crate) struct IncludeInput {
    pub(crate) kind: Kind,
    /// `None` when it could not be read.
    pub(crate) path: Option<Text>,
    pub(crate) options: Read<IncludeOptions>,
}

/// Reads a path, and options behind a comma.
pub(crate) fn read(tokens: TokenStream, kind: Kind, errors: &mut Errors) -> IncludeInput {
    let mut input = IncludeInput {
        kind,
        path: None,
        options: Read::default(),
    };
    let parser = |stream: ParseStream<'_>| path_and_rest(stream, kind);
    match parser.parse2(tokens) {
        Ok((path, rest)) => {
            input.path = Some(path);
            match values::metas(rest) {
                Ok(metas) => input.options = options_of(kind, metas, errors),
                Err(error) => errors.push(error),
            }
        }
        Err(error) => errors.push(error),
    }
    input
}

fn path_and_rest(stream: ParseStream<'_>, kind: Kind) -> syn::Result<(Text, TokenStream)> {
    if let Ok(found) = stream.fork().parse::<Macro>() {
        let message = messages::macro_for_path(kind == Kind::Folder);
        return Err(syn::Error::new_spanned(found, message));
    }
    let path: LitStr = stream.parse().map_err(|error| {
        let message = messages::path_first(kind == Kind::Folder);
        syn::Error::new(error.span(), message)
    })?;
    if !stream.is_empty() {
        stream
            .parse::<Token![,]>()
            .map_err(|error| syn::Error::new(error.span(), messages::comma_behind_path()))?;
    }
    Ok((Text::from(&path), stream.parse()?))
}

fn options_of(kind: Kind, metas: Vec<NestedMeta>, errors: &mut Errors) -> Read<IncludeOptions> {
    match kind {
        Kind::File => options::read(metas, errors),
        Kind::Folder => options::read::<OfFolder>(metas, errors).map(|options| options.0),
    }
}
