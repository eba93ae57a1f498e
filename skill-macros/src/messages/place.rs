//! Of the paths of documents and their folders.

use skill_manifest::DiagnosticCode;

pub(crate) fn path_first(is_folder: bool) -> String {
    match is_folder {
        true => "`include_skills!` takes the path of a folder in quotes first: `include_skills!(\"skills\")`".to_owned(),
        false => "`include_skill!` takes the path of a document in quotes first: `include_skill!(\"skills/review/SKILL.md\")`".to_owned(),
    }
}

/// Unlike `include_str!`, which rustc gives what the macro within has made.
pub(crate) fn macro_for_path(is_folder: bool) -> String {
    let name = match is_folder {
        true => "include_skills!",
        false => "include_skill!",
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
        "`{path}` is relative to the file that it stands in, and the compiler does not say which file that is; write this in a file of its own, or the whole path"
    )
}

/// Where a path leads, for one that leads nowhere.
#[derive(Default)]
pub(crate) struct Nowhere {
    pub(crate) is_relative: bool,
    /// From the root of the package, where it is within.
    pub(crate) place: Option<String>,
    /// What was meant, as it would be written.
    pub(crate) near: Option<String>,
}

pub(crate) fn no_document(path: &str, code: DiagnosticCode, nowhere: &Nowhere) -> String {
    let mut help = Vec::new();
    match (nowhere.is_relative, &nowhere.place) {
        (true, Some(place)) => help.push(format!(
            "paths are relative to this file: this one leads to `{place}` of the package"
        )),
        (true, None) => help.push("paths are relative to this file".to_owned()),
        (false, _) => {}
    }
    help.extend(
        nowhere
            .near
            .iter()
            .map(|it| format!("did you mean `{it}`?")),
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
        "{name:?} in `{path}` is no name of a document; name the folder in UTF-8, without `\\` [{code}]"
    )
}

pub(crate) fn folder_for_file(path: &str, file: Option<&str>) -> String {
    let path = path.trim_end_matches('/');
    match file {
        Some(file) => format!("`{path}` is a folder; write `{path}/{file}`"),
        None => format!(
            "`{path}` is a folder, and a document is wanted; `include_skills!` takes a folder of documents"
        ),
    }
}

pub(crate) fn not_a_file(path: &str) -> String {
    let code = DiagnosticCode::Unreadable;
    format!("`{path}` is no file [{code}]")
}

pub(crate) fn file_for_folder(path: &str) -> String {
    format!("`{path}` is no folder; `include_skill!` takes a document")
}

pub(crate) fn folder_of_one(path: &str, file: &str) -> String {
    let path = path.trim_end_matches('/');
    format!(
        "`{path}` is the folder of one document, and a folder of such folders is wanted; write `include_skill!(\"{path}/{file}\")`"
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
    let ids = match id == other {
        true => format!("two documents have the id `{id}`"),
        false => format!(
            "the ids `{id}` and `{other}` of two documents differ only in case or Unicode form"
        ),
    };
    format!(
        "{ids}: `{first}` and `{second}`; give one of them another [{}]",
        DiagnosticCode::DuplicateId
    )
}
