//! `skills new`: creates a valid document to fill in.

use crate::args::NewArgs;
use crate::failure::Failure;
use crate::output::escape::escape;
use crate::output::screen::Screen;
use crate::walk::is_missing;
use skill_agent_documents::{Dialect, FrontmatterField, check_at};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path};
use std::process::ExitCode;

/// Writes `NAME/SKILL.md` and prints its path. On standard error, reports the parent folders that it had to create. Never
/// overwrites a file.
///
/// # Errors
/// Returns an error if the name is invalid, before writing anything. Also returns an error if the document already exists or
/// cannot be written.
pub(crate) fn new(args: &NewArgs, screen: &mut Screen) -> Result<ExitCode, Failure> {
    let NewArgs { name, dialect, .. } = args;
    if !is_folder_name(name) {
        return Err(Failure::NotAFolderName(name.clone()));
    }
    let text = template(name, dialect);
    let folder = args.folder().join(name);
    let path = folder.join(dialect.file_names[0]);
    let report = check_at(&format!("{name}/SKILL.md"), &text, dialect);
    if let Some(why) = report.diagnostics().first() {
        return Err(Failure::NotAName {
            dialect: dialect.name,
            why: Box::new(why.clone()),
        });
    }
    for path in dialect.file_names.iter().map(|name| folder.join(name)) {
        if fs::symlink_metadata(&path).is_ok() {
            return Err(Failure::Exists(path.display().to_string()));
        }
    }
    let shown_path = path.display().to_string();
    let made: Vec<_> = missing_folders(&folder)
        .map(|path| path.display().to_string())
        .collect();
    write(&folder, &path, &text).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::Exists(shown_path.clone()),
        _ => Failure::Write {
            path: shown_path.clone(),
            error,
        },
    })?;
    screen.print(&format!("{}\n", escape(&shown_path)))?;
    if !made.is_empty() {
        let noun = if made.len() == 1 { "folder" } else { "folders" };
        screen.note(
            &escape(&format!("created the {noun} `{}`", made.join("`, `"))),
            None,
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the folders that do not exist among a folder and its parents, from the top down.
pub(crate) fn missing_folders(folder: &Path) -> impl Iterator<Item = &Path> {
    let missing = folder
        .ancestors()
        .take_while(|path| !path.as_os_str().is_empty() && is_missing(path));
    let missing: Vec<_> = missing.collect();
    missing.into_iter().rev()
}

fn write(folder: &Path, path: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    File::create_new(path)?.write_all(text.as_bytes())
}

/// Returns whether the name is the name of a single folder, rather than a path, `.` or `..`.
fn is_folder_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let one = matches!(
        (parts.next(), parts.next()),
        (Some(Component::Normal(_)), None)
    );
    one && !name.contains(['/', '\\', '\0'])
}

/// Returns a document with the keys that the dialect requires, and with typical ones.
fn template(name: &str, dialect: &Dialect) -> String {
    let knows = |field| dialect.fields.contains(&field);
    let mut keys = String::new();
    if knows(FrontmatterField::Name) {
        keys.push_str(&format!("name: {}\n", scalar(name)));
    }
    if knows(FrontmatterField::Description) {
        keys.push_str("description: Says what this skill does, and when to use it.\n");
    } else if knows(FrontmatterField::Summary) {
        keys.push_str("summary: Says what this skill does.\n");
    }
    let title = name.replace(['-', '_'], " ");
    format!("---\n{keys}---\n\n# {title}\n\nSay step by step what to do.\n")
}

/// Formats a name as a YAML scalar. It is plain if it starts with a letter and is not a YAML keyword, and quoted if not.
fn scalar(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let word = name.starts_with(char::is_alphabetic) && name.chars().all(plain);
    let means = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    if word
        && !means
            .iter()
            .any(|keyword| keyword.eq_ignore_ascii_case(name))
    {
        return name.to_owned();
    }
    let mut quoted = String::from('"');
    for c in name.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\x{:02x}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
