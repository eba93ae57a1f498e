//! The block of the open standard.

use crate::support::standard;

#[test]
fn a_prompt_within_a_budget_reports_what_it_leaves_out() {
    let (_folder, catalog) = standard(&[
        ("a", "---\nname: a\ndescription: short\n---\n"),
        (
            "b",
            &format!("---\nname: b\ndescription: {}\n---\n", "long ".repeat(100)),
        ),
        ("c", "---\nname: c\ndescription: short\n---\n"),
    ]);
    let all = catalog.prompt().unwrap();
    let whole = catalog.prompt_within(all.chars().count()).unwrap();
    assert_eq!((whole.text, whole.left_out.len()), (all.clone(), 0));
    // the long one does not fit, but the next one does
    let less = catalog.prompt_within(all.chars().count() - 300).unwrap();
    assert_eq!(less.left_out, ["b"]);
    assert!(
        less.text
            .ends_with("</available_skills>\nShowing 2 of 3 skills."),
        "{}",
        less.text
    );
    assert_eq!(catalog.prompt_within(10).unwrap().left_out, ["a", "b", "c"]);
}

#[test]
fn the_prompt_equals_that_of_the_reference_implementation() {
    let (folder, catalog) = standard(&[
        (
            "code-review",
            "---\nname: code-review\ndescription: Review a <change> & \"say\" what's wrong.\n---\n# Review\n",
        ),
        (
            "pdf",
            "---\nname: pdf\ndescription: |\n  Read PDF files.\n\n  Use it for é and 字.\n---\n# PDF\n",
        ),
    ]);
    let output = std::process::Command::new("python3")
        .args(["-m", "skills_ref.cli", "to-prompt"])
        .args(["code-review", "pdf"].map(|name| folder.path().join(name)))
        .output();
    match output {
        Ok(output) if output.status.success() => {
            let expected = String::from_utf8(output.stdout).unwrap();
            assert_eq!(catalog.prompt().unwrap(), expected.trim_end());
        }
        _ => eprintln!("skipped: python3 has no package `skills_ref`"),
    }
}
