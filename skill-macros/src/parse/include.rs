//! Parses `include_skill!` and `include_skills!`.

use super::options::{self, Read, options};
use super::values::{self, PathList, Text, TypePath};
use crate::errors::Errors;
use crate::messages;
use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::{LitStr, Macro, Token};

options! {
    /// The options after the path.
    IncludeOptions of "`include_skill!`" {
        dialect: Option<TypePath>,
        toolsets: Option<PathList>,
        root as "crate": Option<TypePath>,
    }
    constants are "dialect"
}

/// The macro that is parsed.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// `include_skill!`, for a file.
    File,
    /// `include_skills!`, for a folder.
    Folder,
}

impl Kind {
    /// Returns the macro's name for messages.
    fn name(self) -> &'static str {
        match self {
            Self::File => "`include_skill!`",
            Self::Folder => "`include_skills!`",
        }
    }
}

/// The macro's whole input.
pub(crate) struct IncludeInput {
    pub(crate) kind: Kind,
    /// The path, or `None` if it could not be parsed.
    pub(crate) path: Option<Text>,
    pub(crate) options: Read<IncludeOptions>,
}

/// Parses a path and, after a comma, options.
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
                Ok(metas) => input.options = options::read_as(kind.name(), metas, errors),
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
