//! The `<available_skills>` block of Agent Skills.

use crate::catalog_surface::support::agent_skills_catalog;

#[test]
fn a_prompt_within_a_budget_names_the_documents_that_it_leaves_out() {
    let (_folder, catalog) = agent_skills_catalog(&[
        ("a", "---\nname: a\ndescription: short\n---\n"),
        (
            "b",
            &format!("---\nname: b\ndescription: {}\n---\n", "long ".repeat(100)),
        ),
        ("c", "---\nname: c\ndescription: short\n---\n"),
    ]);
    let all = catalog.prompt().unwrap();
    let tokens = all.len().div_ceil(4);
    let full = catalog.prompt_within(tokens).unwrap();
    assert_eq!((full.text, full.left_out.len()), (all.clone(), 0));
    // a part of the description of `b` fits, of one length for all
    let cut = catalog.prompt_within(tokens - 75).unwrap();
    assert_eq!(cut.left_out, [] as [&str; 0]);
    assert!(cut.text.contains("…\n</description>") && cut.text.contains("\nshort\n"));
    assert!(cut.text.ends_with("</available_skills>") && cut.text.len() <= (tokens - 75) * 4);
    // not even all names fit
    let partial = catalog.prompt_within(55).unwrap();
    assert_eq!(partial.left_out, ["b", "c"]);
    assert!(
        partial
            .text
            .ends_with("</available_skills>\nShowing 1 of 3 skills."),
        "{}",
        partial.text
    );
    assert!(partial.text.len() <= 55 * 4);
    assert_eq!(catalog.prompt_within(10).unwrap().left_out, ["a", "b", "c"]);
}

#[test]
fn the_prompt_equals_the_output_of_the_reference_implementation() {
    let (folder, catalog) = agent_skills_catalog(&[
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
