//! The differences in `docs/deviations.md` that other tests do not show.

use crate::catalog::support::{Temp, codes, ids, project};
use skill_agent::manifest::selection::{Activations, Query, SelectionPolicy, Tier};
use skill_agent::manifest::{Dialect, check};

#[test]
fn a_delimiter_is_a_whole_line() {
    for text in [
        "--- name: a\ndescription: d\n---\n# A\n",
        "---\nname: a\ndescription: d --- e\n--- # A\n",
    ] {
        for dialect in Dialect::PRESETS {
            let report = check(text, dialect);
            let codes: Vec<_> = report.errors().map(|found| found.code.as_str()).collect();
            assert_eq!(codes, ["malformed_frontmatter"], "{} {text}", dialect.name);
        }
    }
}

#[test]
fn folders_that_differ_only_in_case_exclude_each_other() {
    let temp = Temp::new();
    let text = |name: &str| format!("---\nname: {name}\ndescription: d\n---\n");
    temp.write("A/SKILL.md", text("A"))
        .write("a/SKILL.md", text("a"));
    if std::fs::read_dir(temp.path()).unwrap().count() < 2 {
        println!("skipped: this file system does not know case");
        return;
    }
    let named = project(&temp, Dialect::NAMED).load();
    assert_eq!(
        (ids(&named).len(), codes(&named)),
        (0, vec!["duplicate_id"; 2])
    );
    let lenient = project(&temp, Dialect::AGENT_SKILLS_LENIENT).load();
    assert_eq!(ids(&lenient).len(), 1, "{:?}", lenient.diagnostics());
}

#[test]
fn show_all_gives_ten_documents_in_the_order_of_the_catalog() {
    let temp = Temp::new();
    let names: Vec<String> = ('a'..='l')
        .map(|letter| format!("skill-{letter}"))
        .collect();
    for name in names.iter().rev() {
        temp.standard(name);
    }
    let catalog = project(&temp, Dialect::AGENT_SKILLS).load();
    let (activations, policy) = (Activations::default(), SelectionPolicy::TIERS);
    let selector = catalog.selector();
    let selection = selector.select(&Query::new("show all skills"), &activations, &policy);
    let shown: Vec<_> = selection
        .items
        .iter()
        .map(|item| &*item.candidate.id)
        .collect();
    assert_eq!(
        (selection.tier, shown),
        (Tier::Full, names[..10].iter().map(String::as_str).collect())
    );
}
