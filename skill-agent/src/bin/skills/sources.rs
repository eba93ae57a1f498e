//! The catalog of the folders that a command names, or of the default folders.

use crate::args::SourceArgs;
use crate::failure::Failure;
use crate::screen::Screen;
use skill_agent::manifest::{Catalog, Diagnostic, DiagnosticCode, Dialect, Source, Sources};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Loads the documents below the given paths, which are trusted because the user names them. Without paths, loads the folders
/// in which agents keep skills, whose documents are only listed.
///
/// # Errors
/// Fails if a path is not a readable folder, or is that of a single skill.
pub(crate) fn load(args: &SourceArgs) -> Result<Catalog, Failure> {
    let mut builder = Catalog::builder(args.dialect);
    if args.paths.is_empty() {
        builder = builder.sources(Sources::discover("."));
    }
    for path in &args.paths {
        refuse_one_skill(path, &args.dialect)?;
        builder = builder.source(source(path));
    }
    Ok(builder.try_load()?)
}

/// Refuses the path of a single skill, or of its document.
fn refuse_one_skill(path: &Path, dialect: &Dialect) -> Result<(), Failure> {
    let has = |folder: &Path| {
        dialect
            .file_names
            .iter()
            .any(|name| folder.join(name).exists())
    };
    let is_named = |name: &OsStr| dialect.file_names.iter().any(|known| name == *known);
    let shown = |path: &Path| path.display().to_string();
    let skill = if path.is_file() {
        if !path.file_name().is_some_and(is_named) {
            return Err(Failure::AFile(shown(path)));
        }
        above(path)
    } else if has(path) {
        path.to_owned()
    } else {
        return Ok(());
    };
    Err(Failure::OneSkill {
        path: shown(path),
        above: shown(&above(&skill)),
    })
}

/// Returns the parent of a file or folder, as a person would write it.
fn above(path: &Path) -> PathBuf {
    match path.parent() {
        // `.` and `..` have no file name
        _ if path.file_name().is_none() => path.join(".."),
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Returns the diagnostics of the documents, except for missing trust, which is not a problem here.
pub(crate) fn diagnostics(catalog: &Catalog) -> impl Iterator<Item = &Diagnostic> {
    let all = catalog.diagnostics().iter();
    all.filter(|diagnostic| diagnostic.code != DiagnosticCode::Untrusted)
}

/// Prints a note that there are no skills, which is not an error.
pub(crate) fn note_no_skills(args: &SourceArgs, screen: &Screen) {
    let help = "name the folder that holds them";
    let help = args.paths.is_empty().then_some(help);
    screen.note("there are no skills", help);
}

/// Returns the source of a path. The shell has already expanded `~`, so a literal one is an ordinary name.
fn source(path: &Path) -> Source {
    let plain = if path.starts_with("~") {
        Path::new(".").join(path)
    } else {
        PathBuf::from(path)
    };
    Source::named(path.display().to_string(), plain).required()
}
