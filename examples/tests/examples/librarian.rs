//! The reports of the example `librarian`, as the guide shows them.

use skill_examples::librarian::report;
use std::path::Path;

const GUIDE: &str = include_str!("../../../docs/selection.md");

fn documents() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/documents"))
}

#[test]
fn the_guide_shows_the_report_of_a_question() {
    let report = report(documents(), "What can you do?", &[]).unwrap();
    assert!(
        GUIDE.contains(&format!("```text\n{report}```\n")),
        "{report}"
    );
}

#[test]
fn a_file_at_hand_selects_a_document() {
    let report = report(documents(), "Why does this fail?", &["src/net/socket.cpp"]).unwrap();
    assert!(
        report.contains("+ cpp-build: matched (path `src/net/socket.cpp` by `**/*.{cpp,hpp}`)"),
        "{report}"
    );
}

#[test]
fn a_missing_folder_is_an_error() {
    assert!(report(&documents().join("missing"), "anything", &[]).is_err());
}
