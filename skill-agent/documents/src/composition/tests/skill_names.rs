//! Tests that a document does not take a skill's name.

use super::*;

#[test]
fn the_name_of_a_skill_is_taken_ignoring_case() {
    let found = both! {
        id: "Desk";
        id: "SHELF";
        id: "desks";
        id: "des";
    };
    let expected: [&[&str]; 4] = [&["reserved_id"], &["reserved_id"], &[], &[]];
    assert_eq!(found, expected);
}

#[test]
fn the_name_of_a_skill_is_taken_in_any_unicode_form() {
    let docs = docs(
        &["\u{ff24}esk", "\u{17f}helf", "d\u{e9}sk", "Desk"],
        |_, _| {},
    );
    let input = CheckInput {
        skills: SKILLS,
        ..CheckInput::EMPTY
    };
    let found = found(&docs, input);
    let expected: [&[&str]; 4] = [&["reserved_id"], &["reserved_id"], &[], &["reserved_id"]];
    assert_eq!(codes(&found), expected);
    assert_eq!(
        found[0][0].message,
        "the document `\u{ff24}esk` has the name of the skill `office::Desk`, except for its Unicode form: `desk`"
    );
    assert_eq!(
        found[3][0].message,
        "the document `Desk` has the name of the skill `office::Desk`, except for case: `desk`"
    );
}

#[test]
fn a_skill_shares_its_name_only_with_the_document_it_is_generated_from() {
    static SKILLS: &[SkillSpec] = &[SkillSpec::new("desk")
        .version("0.1.0")
        .description("Reads.")
        .type_path("office::Desk")
        .__joined()];
    static DOCS: &[SkillDoc] = &[
        both!(doc { id: "desk" }),
        both!(doc {
            id: "desk",
            description: "Reads.\n",
            version: Some("0.1.0")
        }),
        both!(doc {
            id: "desk",
            summary: "Reads."
        }),
        both!(doc {
            id: "desk",
            description: "Writes."
        }),
        both!(doc {
            id: "desk",
            version: Some("0.2.0")
        }),
        both!(doc {
            id: "Desk",
            description: "Reads."
        }),
    ];
    let input = CheckInput {
        skills: SKILLS,
        ..CheckInput::EMPTY
    };
    let one = |doc| found(std::slice::from_ref(doc), input).remove(0);
    let found: Vec<_> = DOCS.iter().map(one).collect();
    let expected: [&[&str]; 6] = [
        &[],
        &[],
        &[],
        &["reserved_id"],
        &["reserved_id"],
        &["reserved_id"],
    ];
    assert_eq!(codes(&found), expected);
    assert_eq!(
        found[3][0].message,
        "the document `desk` has the name of the skill `office::Desk`, which is generated from another document"
    );
}
