//! The rules for documents that are read at compile time. Their contents are checked by the same function as at run time, so both
//! report the same errors.

mod file;
mod folder;
mod missing_path;
mod toolsets;

pub(crate) use file::{Document, read};

use super::report;
use crate::errors::Errors;
use crate::messages;
use crate::parse::include::{IncludeInput, Kind};
use crate::parse::values::TypePath;
use crate::paths::{Paths, Root};
use skill_manifest::Dialect;
use syn::Path;

/// Valid documents, and the Rust types of their toolsets.
pub(crate) struct Include {
    pub(crate) kind: Kind,
    /// The paths for the documents' code.
    pub(crate) paths: Paths,
    /// The paths for the code of the toolsets, which are skills.
    pub(crate) core: Paths,
    pub(crate) documents: Vec<Document>,
    pub(crate) toolsets: Vec<Path>,
}

/// Checks all rules. The result contains only valid parts.
pub(crate) fn check(input: &IncludeInput, errors: &mut Errors) -> Include {
    let root = input.options.root.as_ref().map(|path| &path.0);
    let mut include = Include {
        kind: input.kind,
        paths: Paths::of_documents(root),
        core: Paths::new(Root::Agent, root),
        documents: Vec::new(),
        toolsets: Vec::new(),
    };
    let dialect = dialect(input.options.dialect.as_ref(), errors);
    // if the dialect is unknown, the document is not read, because a different dialect would report wrong errors
    let (Some(path), Some(dialect)) = (&input.path, dialect) else {
        return include;
    };
    if input.options.attempts("dialect") {
        return include;
    }
    include.documents = match input.kind {
        Kind::File => read(path, dialect, errors).into_iter().collect(),
        Kind::Folder => folder::read(path, dialect, errors),
    };
    if !include.documents.is_empty() && !input.options.attempts("toolsets") {
        let types = input.options.toolsets.as_ref().map(|list| &list.0[..]);
        include.toolsets = toolsets::check(&include.documents, types, path.span, errors);
    }
    include
}

/// Returns the preset with this name. The macro cannot see dialects that the user defines.
pub(crate) fn dialect(written: Option<&TypePath>, errors: &mut Errors) -> Option<&'static Dialect> {
    let Some(TypePath(path)) = written else {
        return Some(&Dialect::AGENT_SKILLS);
    };
    let last = path.segments.last()?;
    let name = crate::names::plain(&last.ident);
    let dialect = Dialect::preset(&name);
    match dialect {
        None => report(messages::unknown_dialect(&name), path, errors),
        Some(_) if path.get_ident().is_none() => {
            report(messages::qualified_dialect(&name), path, errors);
            return None;
        }
        Some(_) => {}
    }
    dialect
}
