//! Tests the errors of `include_skill!` for files that cannot be kept in the repository.

use super::probes::errors_of_file;
use skill_manifest::Dialect;
use std::fs::{self, File};

const DIALECT: &Dialect = &Dialect::AGENT_SKILLS;

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("SKILL.md");
    // a sparse file: larger than any memory, but without blocks on disk
    File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(
        errors_of_file(path, DIALECT),
        [format!(
            "{path}: the file has 1099511627776 bytes; at most 1048576 are allowed [too_large]"
        )]
    );
}

#[cfg(unix)]
#[test]
fn what_is_neither_a_file_nor_a_folder_is_not_read() {
    assert_eq!(
        errors_of_file("/dev/zero", DIALECT),
        ["`/dev/zero` is not a file [unreadable]"]
    );
}

#[test]
fn a_relative_path_needs_the_compiler() {
    let errors = errors_of_file("skills/review/SKILL.md", DIALECT);
    assert!(
        errors[0].contains("is relative to the file in which it is written"),
        "{errors:?}"
    );
}

#[test]
fn a_path_with_dots_has_the_name_of_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let review = folder.path().join("review");
    fs::create_dir_all(review.join("notes")).unwrap();
    let text = "---\nname: review\ndescription: Review a change.\n---\n";
    fs::write(review.join("SKILL.md"), text).unwrap();
    let path = review.join("notes/../SKILL.md");
    assert_eq!(errors_of_file(path.to_str().unwrap(), DIALECT), [""; 0]);
}
