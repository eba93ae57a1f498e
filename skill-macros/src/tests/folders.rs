//! Tests that `include_skills!` reports the same errors as the loader.

use super::probes::errors_of;
use crate::parse::include::Kind;
use crate::pipeline;
use quote::{format_ident, quote};
use skill_manifest::__private::is_visible;
use skill_manifest::Dialect;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const STRICT: &Dialect = &Dialect::AGENT_SKILLS;
const LENIENT: &Dialect = &Dialect::AGENT_SKILLS_LENIENT;

/// A folder of documents. Each document is given by its folder, file and name.
fn folder(documents: &[(&str, &str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (inner, file, name) in documents {
        let inner = folder.path().join(inner);
        fs::create_dir_all(&inner).unwrap();
        let text = format!(
            "---\nname: {name}\ndescription: Do it in {}.\n---\n",
            inner.display()
        );
        fs::write(inner.join(file), text).unwrap();
    }
    folder
}

/// Returns the errors of `include_skills!`, with `X` for the folder's path.
fn errors_of_folder(folder: &Path, dialect: &Dialect) -> Vec<String> {
    let path = folder.to_str().unwrap();
    let errors = errors_of(path, dialect, Kind::Folder);
    errors
        .iter()
        .map(|error| error.replace(path, "X"))
        .collect()
}

/// Returns the expansion of `include_skills!`, with `X` for the folder's path.
fn code(folder: &Path, dialect: &Dialect) -> String {
    let (path, name) = (folder.to_str().unwrap(), format_ident!("{}", dialect.name));
    let code = pipeline::include(quote!(#path, dialect = #name), Kind::Folder);
    code.to_string().replace(path, "X")
}

#[test]
fn the_dialect_decides_about_the_case_of_file_names() {
    let folder = folder(&[("review", "Skill.md", "review")]);
    assert_eq!(
        errors_of_folder(folder.path(), STRICT),
        ["`X/review/Skill.md` is not read: a document is called `SKILL.md` [missing_skill_md]"]
    );
    assert_eq!(errors_of_folder(folder.path(), LENIENT), [""; 0]);
}

#[test]
fn the_dialect_decides_about_two_documents_with_one_id() {
    let folder = folder(&[("b", "SKILL.md", "plan"), ("a", "SKILL.md", "Plan")]);
    let code = code(folder.path(), LENIENT);
    assert!(
        code.contains("in X/a.") && !code.contains("in X/b."),
        "{code}"
    );
    assert_eq!(
        errors_of_folder(folder.path(), &Dialect::TRIGGERED),
        [
            "the ids `Plan` and `plan` of two documents differ only in case or Unicode form: `X/a/SKILL.md` and `X/b/SKILL.md`; give one of them another [duplicate_id]"
        ]
    );
}

#[test]
fn folders_of_tools_are_skipped() {
    let folder = folder(&[
        ("review", "SKILL.md", "review"),
        ("node_modules", "SKILL.md", "wrong"),
        (".git", "SKILL.md", "wrong"),
    ]);
    fs::create_dir(folder.path().join("notes")).unwrap();
    fs::write(folder.path().join("README.md"), "").unwrap();
    assert_eq!(errors_of_folder(folder.path(), STRICT), [""; 0]);
}

#[test]
fn a_broken_folder_has_a_stub_without_an_id() {
    let folder = folder(&[("review", "SKILL.md", "plan")]);
    let code = code(folder.path(), STRICT);
    assert!(code.contains("EMPTY . doc ()]"), "{code}");
}

#[test]
fn a_document_without_a_usable_id_is_refused() {
    let folder = folder(&[("review", "SKILL.md", "\"a\\tb\"")]);
    let errors = errors_of_folder(folder.path(), LENIENT);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(
        errors[0].lines().next(),
        Some(r"X/review/SKILL.md:2:7: the id `a\tb` has a control character [invalid_name]")
    );
}

#[test]
fn messages_show_invisible_characters_of_foreign_files() {
    let long = format!("requires: [\"{}@\"]", "\\e\u{202e}字".repeat(5_000));
    let folder = folder(&[
        ("a\u{202e}b", "SKILL.md", "a\u{3164}"),
        ("c\u{200b}\u{1b}[31m", "SKILL.md", "\"\\e[31m\\n\""),
        ("d\u{fe0f}", "skill.MD", "d"),
        ("e", "SKILL.md", &format!("e\n{long}")),
    ]);
    for dialect in Dialect::PRESETS {
        let errors = errors_of(folder.path().to_str().unwrap(), dialect, Kind::Folder);
        assert!(errors.len() >= 3, "{errors:?}");
        for line in errors.iter().flat_map(|error| error.split('\n')) {
            assert!(line.chars().all(is_visible), "{line:?}");
            assert!(line.chars().count() <= 1_024, "{line}");
        }
    }
}

#[cfg(unix)]
mod links {
    use super::*;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn links_are_refused_or_followed_within_the_folder() {
        let folder = folder(&[
            ("review", "SKILL.md", "review"),
            ("z/deep", "SKILL.md", "deep"),
        ]);
        let root = folder.path();
        symlink("z/deep", root.join("deep")).unwrap();
        symlink("review", root.join("same")).unwrap();
        symlink(".", root.join("self")).unwrap();
        assert_eq!(
            errors_of_folder(root, STRICT),
            ["deep", "same", "self"].map(|name| format!(
                "`X/{name}` is a symbolic link, which is not followed [link_refused]"
            ))
        );
        assert_eq!(errors_of_folder(root, LENIENT), [""; 0]);
        let code = code(root, LENIENT);
        assert_eq!(code.matches("Embedded {").count(), 2, "{code}");
    }

    #[test]
    fn a_link_to_elsewhere_and_a_document_that_is_a_link_are_refused() {
        let elsewhere = folder(&[("plan", "SKILL.md", "plan")]);
        let folder = folder(&[("review", "SKILL.md", "review")]);
        let root = folder.path();
        symlink(elsewhere.path().join("plan"), root.join("plan")).unwrap();
        fs::create_dir(root.join("quiz")).unwrap();
        symlink("../review/SKILL.md", root.join("quiz/SKILL.md")).unwrap();
        assert_eq!(
            errors_of_folder(root, LENIENT),
            [
                "`X/plan` is a symbolic link, which does not lead to a folder inside the folder of the documents [link_refused]",
                "`X/quiz/SKILL.md` is a symbolic link, which is not followed [link_refused]",
            ]
        );
    }

    #[test]
    fn every_unreadable_folder_is_reported() {
        let folder = folder(&[
            ("a", "SKILL.md", "a"),
            ("b", "SKILL.md", "x"),
            ("c", "SKILL.md", "c"),
        ]);
        let close = |name: &str, mode| {
            fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(mode))
                .unwrap();
        };
        close("a", 0);
        close("c", 0);
        let readable = fs::read_dir(folder.path().join("a")).is_ok();
        let errors = errors_of_folder(folder.path(), STRICT);
        close("a", 0o755);
        close("c", 0o755);
        if readable {
            eprintln!("skipped: the superuser reads every folder");
            return;
        }
        assert_eq!(errors.len(), 3, "{errors:?}");
        assert!(
            errors[0].starts_with("`X/a` cannot be read: ") && errors[0].ends_with(" [unreadable]")
        );
        assert!(errors[1].contains("[name_mismatch]"));
        assert!(errors[2].starts_with("`X/c` cannot be read: "));
    }

    #[test]
    fn a_folder_with_an_impossible_name_is_reported() {
        let folder = folder(&[("review", "SKILL.md", "review")]);
        let name = std::ffi::OsStr::from_bytes(b"a\xff");
        fs::create_dir(folder.path().join(name)).unwrap();
        let errors = errors_of_folder(folder.path(), STRICT);
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].ends_with(" [invalid_name]"), "{errors:?}");
    }
}
