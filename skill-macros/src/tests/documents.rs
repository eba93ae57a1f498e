//! What `include_skill!` says of files that no test should have to keep.

use super::probes::told;
use skill_manifest::Dialect;
use std::fs::{self, File};

const DIALECT: &Dialect = &Dialect::AGENT_SKILLS;

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("SKILL.md");
    // as long as no machine has memory for, and it takes no room on the disk
    File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(
        told(path, DIALECT),
        [format!(
            "{path}: the file has 1099511627776 bytes; at most 1048576 are allowed [too_large]"
        )]
    );
}

#[cfg(unix)]
#[test]
fn what_is_neither_a_file_nor_a_folder_is_not_read() {
    assert_eq!(
        told("/dev/zero", DIALECT),
        ["`/dev/zero` is no file [unreadable]"]
    );
}

#[test]
fn a_relative_path_outside_of_the_compiler_leads_nowhere() {
    let told = told("skills/review/SKILL.md", DIALECT);
    assert!(
        told[0].contains("is relative to the file that it stands in"),
        "{told:?}"
    );
}

#[test]
fn a_folder_behind_dots_has_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let review = folder.path().join("review");
    fs::create_dir_all(review.join("notes")).unwrap();
    let text = "---\nname: review\ndescription: Review a change.\n---\n";
    fs::write(review.join("SKILL.md"), text).unwrap();
    let path = review.join("notes/../SKILL.md");
    assert_eq!(told(path.to_str().unwrap(), DIALECT), [""; 0]);
}
