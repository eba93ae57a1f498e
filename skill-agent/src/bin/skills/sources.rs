//! The catalog of the folders that a command names, or of the usual ones.

use crate::args::Sources as Args;
use crate::failure::Failure;
use crate::screen::Screen;
use skill_agent::manifest::{Catalog, Code, Diagnostic, Dialect, Source, Sources};
use std::ffi::OsStr;
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
        one_skill(path, &args.dialect)?;
        builder = builder.source(source(path));
    }
    Ok(builder.try_load()?)
}

/// A path of one skill, or of its document, is not what is asked for.
fn one_skill(path: &Path, dialect: &Dialect) -> Result<(), Failure> {
    let has = |folder: &Path| dialect.file_names.iter().any(|it| folder.join(it).exists());
    let is_named = |name: &OsStr| dialect.file_names.iter().any(|it| name == *it);
    let shown = |path: &Path| path.display().to_string();
    let skill = match path.is_file() {
        true if !path.file_name().is_some_and(is_named) => return Err(Failure::AFile(shown(path))),
        true => above(path),
        false if has(path) => path.to_owned(),
        false => return Ok(()),
    };
    Err(Failure::OneSkill {
        path: shown(path),
        above: shown(&above(&skill)),
    })
}

/// The folder of a file or folder, as a person would name it.
fn above(path: &Path) -> PathBuf {
    match path.parent() {
        // `.` and `..` have no name
        _ if path.file_name().is_none() => path.join(".."),
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// What is wrong with its documents; that one is not trusted is no mistake.
pub(crate) fn findings(catalog: &Catalog) -> impl Iterator<Item = &Diagnostic> {
    let all = catalog.diagnostics().iter();
    all.filter(|it| it.code != Code::Untrusted)
}

/// Says that there are none, which is no mistake.
pub(crate) fn none(args: &Args, screen: &Screen) {
    let help = "name the folder that holds them";
    let help = args.paths.is_empty().then_some(help);
    screen.note("there are no skills", help);
}

/// A path is one of the shell, which has put the home in place of `~` already.
fn source(path: &Path) -> Source {
    let plain = match path.starts_with("~") {
        true => Path::new(".").join(path),
        false => PathBuf::from(path),
    };
    Source::named(path.display().to_string(), plain).required()
}
