//! Frontmatter that other loaders dropped or cut.

use skill_manifest::{DiagnosticCode, Dialect, Report, check};

fn checked(yaml: &str) -> Report {
    check(
        &format!("---\nname: x\n{yaml}\n---\n# Body\n"),
        &Dialect::AGENT_SKILLS_LENIENT,
    )
}

fn codes(report: &Report) -> Vec<DiagnosticCode> {
    let found = report.diagnostics().iter();
    found.map(|found| found.code).collect()
}

/// A second paragraph of a description that is not quoted, with a colon.
#[test]
fn keywords_below_a_blank_line_belong_to_the_description() {
    let report = checked(
        "description: Plans a garden. Use it for beds.\n\n  Keywords: garden, beds, seeds\nlicense: MIT",
    );
    assert_eq!(codes(&report), [DiagnosticCode::RepairedYaml]);
    let doc = report.into_doc().unwrap();
    assert_eq!(
        doc.description,
        "Plans a garden. Use it for beds.\nKeywords: garden, beds, seeds"
    );
    assert_eq!(doc.license.as_deref(), Some("MIT"));
}

/// YAML reads a comment behind ` #`, so that a description loses its end without an error.
#[test]
fn a_description_with_a_hash_is_not_cut_in_silence() {
    for yaml in [
        "description: Writes a note for the #garden channel when a bed is ready.",
        "description: Answers \"what about #12\" and reads the plan.",
        "description: Reads PR #7, then writes the plan\nlicense: MIT",
    ] {
        assert_eq!(
            codes(&checked(yaml)),
            [DiagnosticCode::CommentInText],
            "{yaml}"
        );
    }
    let report = checked("description: Reads the #garden channel.");
    assert_eq!(
        report.diagnostics()[0].to_string(),
        "3:24: warning[comment_in_text]: `description` ends before `#garden channel.`, which is a comment in YAML; if it belongs to the text, write `description: \"...\"`"
    );
    for yaml in [
        "description: \"Reads the #garden channel.\"",
        "description: 'Reads the #garden channel.'",
        "description: |\n  Reads the #garden channel.",
        "description: Reads C#, and issue#7.",
        "description: Reads.\n# a comment\nlicense: MIT # of the garden",
    ] {
        assert_eq!(codes(&checked(yaml)), [], "{yaml}");
    }
}

#[test]
fn an_item_that_begins_with_code_is_a_string() {
    let report = checked(
        "description: d\nsymptoms:\n  - \"The host is not found\"\n  - `plan --all` stops: a restart helps\n  - `plan` says nothing",
    );
    let said: Vec<_> = report
        .diagnostics()
        .iter()
        .map(|found| (found.code, &*found.message))
        .collect();
    let item = "an item of `symptoms` is not valid YAML and is read as a string";
    assert_eq!(
        said,
        [
            (DiagnosticCode::RepairedYaml, item),
            (DiagnosticCode::RepairedYaml, item)
        ]
    );
    assert_eq!(report.into_doc().unwrap().description, "d");
}
