//! `explain`.

use crate::support::{Folder, REVIEW, valid};

const GUIDE: &str = include_str!("../../../../docs/selection.md");
const DOCUMENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/documents");

#[test]
fn the_guide_shows_the_explanation_of_a_question() {
    let question = "Please review this pull request, and fix the dates in orders.csv";
    let run = Folder::of(&[]).run(&["explain", question, DOCUMENTS]);
    assert_eq!((run.code, &*run.err), (0, ""));
    let shown = format!(
        "```text\n$ skills explain \"{question}\" documents\n{}```\n",
        run.out
    );
    assert!(GUIDE.contains(&shown), "{shown}");
}

#[test]
fn explain_prints_a_line_for_each_skill_and_the_text_for_a_model() {
    let folder = Folder::of(&[
        ("skills/review/SKILL.md", REVIEW),
        ("skills/plan/SKILL.md", &valid("plan")),
    ]);
    let run = folder.run(&["explain", "use review", "skills", "--text"]);
    assert_eq!((run.code, &*run.err), (0, ""));
    assert_eq!(
        run.out,
        "tier 3: full texts\n+ review: matched (named by the request), 14 tokens\n- plan: no match\n\n\
         <skill name=\"review\">\n# Review\n\n\\tRead it.\\u{1b}[2J\n</skill>\n"
    );
    let run = folder.run(&["explain", "use review", "skills", "--policy", "index"]);
    assert_eq!(
        run.out,
        "tier 2: names and brief descriptions\n+ plan: listed\n+ review: listed\n"
    );
    let run = folder.run(&["explain", "use review", "skills", "--budget", "3"]);
    assert!(run.out.starts_with("tier 2: "), "{}", run.out);
}

#[test]
fn explain_says_when_there_is_nothing_to_select() {
    let folder = Folder::of(&[("skills/notes.txt", "")]);
    let run = folder.run(&["explain", "anything", "skills"]);
    assert_eq!(
        (run.code, &*run.out),
        (0, "tier 0: nothing to select from\n")
    );
    assert!(run.err.contains("there are no skills"), "{}", run.err);
    let run = folder.run(&["explain", "anything", "missing"]);
    assert_eq!(run.code, 2, "{}", run.err);
    let untrusted = Folder::of(&[(".agents/skills/plan/SKILL.md", &valid("plan"))]);
    let run = untrusted.run(&["explain", "plan"]);
    assert_eq!(run.code, 1, "{}", run.out);
}

#[test]
fn a_path_before_the_request_is_an_error_of_usage() {
    let folder = Folder::of(&[("skills/review/SKILL.md", REVIEW)]);
    let run = folder.run(&["explain", "skills", "use review"]);
    assert_eq!((run.code, &*run.out), (2, ""));
    let expected = "error: there is no folder `use review`, and the request `skills` is a path\n |\n = help: the request comes first: \
                    `skills explain QUERY [PATH]...`\n";
    assert_eq!(run.err, expected);
}
