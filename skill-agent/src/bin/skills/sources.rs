//! The catalog of the folders that a command names, or of the usual ones.

use crate::args::Sources as Args;
use crate::failure::Failure;
use skill_agent::manifest::{Catalog, Code, Diagnostic, Source, Sources};
use std::path::{Path, PathBuf};

/// Loads the documents below the paths, which are trusted, since the user names them; without paths, those of the folders in
/// which agents keep skills, which are listed only.
///
/// # Errors
/// A path is no folder that can be read, or is that of one skill.
pub(crate) fn load(args: &Args) -> Result<Catalog, Failure> {
    let mut builder = Catalog::builder(args.dialect);
    if args.paths.is_empty() {
        builder = builder.sources(Sources::discover("."));
    }
    for path in &args.paths {
        let files = args.dialect.file_names.iter();
        if path.is_file() || files.into_iter().any(|it| path.join(it).exists()) {
            return Err(Failure::OneSkill(path.display().to_string()));
        }
        builder = builder.source(source(path));
    }
    Ok(builder.try_load()?)
}

/// What is wrong with its documents; that one is not trusted is no mistake.
pub(crate) fn findings(catalog: &Catalog) -> impl Iterator<Item = &Diagnostic> {
    let all = catalog.diagnostics().iter();
    all.filter(|it| it.code != Code::Untrusted)
}

/// A path is one of the shell, which has put the home in place of `~` already.
fn source(path: &Path) -> Source {
    let plain = match path.starts_with("~") {
        true => Path::new(".").join(path),
        false => PathBuf::from(path),
    };
    Source::named(path.display().to_string(), plain).required()
}
