//! Messages about the paths of documents and folders.

use skill_manifest::DiagnosticCode;

pub(crate) fn path_first(is_folder: bool) -> String {
    if is_folder {
        "`include_skills!` takes the path of a folder in quotes first: `include_skills!(\"skills\")`".to_owned()
    } else {
        "`include_skill!` takes the path of a document in quotes first: `include_skill!(\"skills/review/SKILL.md\")`".to_owned()
    }
}

/// Returns the message for a macro in place of a path. rustc expands a macro inside `include_str!` first, but our macro cannot
/// see such an expansion.
pub(crate) fn macro_for_path(is_folder: bool) -> String {
    let name = if is_folder {
        "include_skills!"
    } else {
        "include_skill!"
    };
    format!("`{name}` takes the path itself in quotes: it is read before another macro is expanded")
}

pub(crate) fn comma_behind_path() -> String {
    "expected `,` between the path and the options".to_owned()
}

pub(crate) fn empty_path() -> String {
    "the path is empty; write it as seen from this file, `skills/review/SKILL.md`".to_owned()
}

pub(crate) fn source_unknown(path: &str) -> String {
    format!(
        "`{path}` is relative to the file in which it is written, and the compiler does not know that file here; write this in a file of its own, or write an absolute path"
    )
}

/// Describes a path without a file.
#[derive(Default)]
pub(crate) struct MissingPath {
    pub(crate) is_relative: bool,
    /// The path relative to the package root, or `None` if the path is outside the package.
    pub(crate) in_package: Option<String>,
    /// The path to write instead.
    pub(crate) suggestion: Option<String>,
}

pub(crate) fn no_document(path: &str, code: DiagnosticCode, missing_path: &MissingPath) -> String {
    let mut help = Vec::new();
    match (missing_path.is_relative, &missing_path.in_package) {
        (true, Some(target)) => help.push(format!(
            "paths are relative to this file: this one leads to `{target}` of the package"
        )),
        (true, None) => help.push("paths are relative to this file".to_owned()),
        (false, _) => {}
    }
    help.extend(
        missing_path
            .suggestion
            .iter()
            .map(|path| format!("did you mean `{path}`?")),
    );
    let mut text = format!("there is no `{path}` [{code}]");
    if !help.is_empty() {
        text += &format!("\n\n = help: {}", help.join("; "));
    }
    text
}

pub(crate) fn unreadable(path: &str, why: &dyn std::fmt::Display) -> String {
    let code = DiagnosticCode::Unreadable;
    format!("`{path}` cannot be read: {why} [{code}]")
}

pub(crate) fn link(path: &str, why: &str) -> String {
    let code = DiagnosticCode::LinkRefused;
    format!("`{path}` is a symbolic link, which {why} [{code}]")
}

pub(crate) fn folder_too_large(path: &str, most: usize) -> String {
    let code = DiagnosticCode::TooLarge;
    format!("`{path}` has more than {most} files and folders [{code}]")
}

pub(crate) fn name_of_no_document(path: &str, name: &std::ffi::OsStr) -> String {
    let code = DiagnosticCode::InvalidName;
    format!(
        "{name:?} in `{path}` cannot be the folder of a document; name the folder in UTF-8, without `\\` [{code}]"
    )
}

pub(crate) fn folder_for_file(path: &str, file: Option<&str>) -> String {
    let path = path.trim_end_matches('/');
    match file {
        Some(file) => format!("`{path}` is a folder; write `{path}/{file}`"),
        None => format!(
            "`{path}` is a folder, not a document; `include_skills!` takes a folder of documents"
        ),
    }
}

pub(crate) fn not_a_file(path: &str) -> String {
    let code = DiagnosticCode::Unreadable;
    format!("`{path}` is not a file [{code}]")
}

pub(crate) fn file_for_folder(path: &str) -> String {
    format!("`{path}` is not a folder; `include_skill!` takes a document")
}

pub(crate) fn pattern_for_folder(folder: &str) -> String {
    let folder = if folder.is_empty() { "." } else { folder };
    format!("`include_skills!` takes a folder, not a pattern: write `{folder}`")
}

pub(crate) fn folder_of_one(path: &str, file: &str) -> String {
    let path = path.trim_end_matches('/');
    format!(
        "`{path}` is the folder of one document, and `include_skills!` takes a folder of such folders; write `include_skill!(\"{path}/{file}\")`"
    )
}

pub(crate) fn folder_of_none(path: &str, file: &str) -> String {
    let path = path.trim_end_matches('/');
    let code = DiagnosticCode::MissingSkillMd;
    format!("no folder in `{path}` has a document; write one, `{path}/name/{file}` [{code}]")
}

pub(crate) fn misspelled_file(path: &str, file: &str) -> String {
    let code = DiagnosticCode::MissingSkillMd;
    format!("`{path}` is not read: a document is called `{file}` [{code}]")
}

pub(crate) fn same_id(id: &str, other: &str, first: &str, second: &str) -> String {
    let ids = if id == other {
        format!("two documents have the id `{id}`")
    } else {
        format!("the ids `{id}` and `{other}` of two documents differ only in case or Unicode form")
    };
    format!(
        "{ids}: `{first}` and `{second}`; give one of them another [{}]",
        DiagnosticCode::DuplicateId
    )
}
