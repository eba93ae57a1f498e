//! Loads the catalog of the folders on the command line, or of the default folders.

use crate::args::SourceArgs;
use crate::failure::Failure;
use crate::output::escape::escape;
use crate::output::screen::Screen;
use crate::walk::is_missing;
use skill_agent_documents::{
    Catalog, CatalogEntry, Diagnostic, DiagnosticCode, Dialect, InvocationMode, LoadError, Source,
    Sources,
};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Loads the documents below the given paths, which are trusted because the user named them. If no paths are given, loads the
/// folders in which agents keep skills, whose documents are only listed.
///
/// # Errors
/// Returns an error if a path is a single skill or not a readable folder.
pub(crate) fn load(args: &SourceArgs) -> Result<Catalog, Failure> {
    for path in &args.paths {
        if let Some(skill) = single_skill(path, &args.dialect)? {
            return Err(Failure::OneSkill {
                path: path.display().to_string(),
                above: above(&skill).display().to_string(),
            });
        }
    }
    load_with(args, |path| Ok(source(path)))
}

/// Like [`load`], but a path may also name a single skill or its document.
///
/// # Errors
/// Returns an error if a path is neither a readable folder nor a skill.
pub(crate) fn load_single_too(args: &SourceArgs) -> Result<Catalog, Failure> {
    load_with(args, |path| match single_skill(path, &args.dialect)? {
        Some(skill) => single_source(path, &skill),
        None => Ok(source(path)),
    })
}

fn load_with(
    args: &SourceArgs,
    source: impl Fn(&Path) -> Result<Source, Failure>,
) -> Result<Catalog, Failure> {
    let mut builder = Catalog::builder(args.dialect);
    if args.paths.is_empty() {
        builder = builder.sources(Sources::discover("."));
    }
    for path in &args.paths {
        let source = source(path)?;
        builder = builder.source(if args.follow_links {
            source.follow_links()
        } else {
            source
        });
    }
    builder.try_load().map_err(|error| match error {
        LoadError::Required { path, .. } if is_missing(Path::new(&path)) => Failure::Missing(path),
        LoadError::Required { path, why, .. } => Failure::Unreadable { path, why },
        error => Failure::Load(error),
    })
}

/// Returns the source for a single skill: the parent of the skill's folder, limited to that folder.
fn single_source(path: &Path, folder: &Path) -> Result<Source, Failure> {
    // use the real name, because `.` has no name, and because a source does not follow links although the user may name one
    let real = fs::canonicalize(folder).map_err(|error| Failure::Unresolved {
        path: path.display().to_string(),
        error,
    })?;
    let is_plain = folder.file_name() == real.file_name();
    let folder = if is_plain { folder } else { &real };
    let named = Source::named(path.display().to_string(), plain(&above(folder)));
    Ok(named
        .required()
        .only(folder.file_name().unwrap_or_default()))
}

/// Returns the folder of a single skill if the path is that folder or its document.
fn single_skill(path: &Path, dialect: &Dialect) -> Result<Option<PathBuf>, Failure> {
    let has = |folder: &Path| {
        dialect
            .file_names
            .iter()
            .any(|name| folder.join(name).exists())
    };
    let is_named = |name: &OsStr| dialect.file_names.iter().any(|known| name == *known);
    if path.is_file() {
        if !path.file_name().is_some_and(is_named) {
            return Err(Failure::AFile(path.display().to_string()));
        }
        return Ok(Some(above(path)));
    }
    Ok(has(path).then(|| path.to_owned()))
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

/// Returns the diagnostics of the documents, except those about missing trust, which is not a problem here.
pub(crate) fn diagnostics(catalog: &Catalog) -> impl Iterator<Item = &Diagnostic> {
    let all = catalog.diagnostics().iter();
    all.filter(|diagnostic| diagnostic.code != DiagnosticCode::Untrusted)
}

/// The note if no skill of a catalog is meant for a model.
pub(crate) const ONLY_COMMANDS: &str = "no skill is meant for a model: each has the mode `tool_dispatch`, which calls its tool without a model";

/// Returns whether a skill calls a tool without a model.
pub(crate) fn is_command(entry: &CatalogEntry) -> bool {
    entry.doc().invocation_mode == InvocationMode::ToolDispatch
}

/// Prints a note that there are no skills, which is not an error.
pub(crate) fn note_no_skills(args: &SourceArgs, screen: &Screen) {
    let Some(first) = args.paths.first() else {
        let help = "name the folder that holds them";
        return screen.note("there are no skills", Some(help));
    };
    let paths = args.paths.iter();
    let paths: Vec<String> = paths.map(|path| path.display().to_string()).collect();
    let message = format!("there are no skills in `{}`", paths.join("`, `"));
    // a path that is a skill, but a broken one, has been reported
    let is_folder = matches!(single_skill(first, &args.dialect), Ok(None));
    let help = is_folder.then(|| {
        let file = first.join("NAME").join(args.dialect.file_names[0]);
        format!("a skill is a file such as `{}`", file.display())
    });
    screen.note(&escape(&message), help.as_deref());
}

/// Returns the source for a path. The shell has already expanded `~`, so a remaining `~` is part of a name.
fn source(path: &Path) -> Source {
    Source::named(path.display().to_string(), plain(path)).required()
}

fn plain(path: &Path) -> PathBuf {
    if path.starts_with("~") {
        Path::new(".").join(path)
    } else {
        PathBuf::from(path)
    }
}
