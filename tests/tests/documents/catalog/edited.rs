//! Documents that are edited or removed after they were loaded.

use crate::catalog::support::{Temp, ids, project};
use skill_agent::manifest::{Catalog, Dialect, DocumentReadError, Source};

const LENIENT: Dialect = Dialect::AGENT_SKILLS_LENIENT;

fn plan() -> (Temp, Catalog) {
    let temp = Temp::new();
    temp.standard("plan");
    let catalog = project(&temp, LENIENT).load();
    (temp, catalog)
}

#[test]
fn the_edited_document_of_a_named_source_is_read() {
    let (temp, mut catalog) = plan();
    let text = "---\nname: plan\ndescription: Better.\nallowed-tools: Read\n---\n# Edited\n";
    temp.write("plan/SKILL.md", text);
    // one version of the file: its metadata belong to its body
    let doc = catalog.read("plan").unwrap();
    assert_eq!((&*doc.body, &*doc.description), ("# Edited", "Better."));
    assert_eq!(doc.allowed_tools.as_deref(), Some(&["Read".into()][..]));
    // what is offered stays as it was loaded
    assert_eq!(catalog.get("plan").unwrap().doc().description, "Does plan.");
    let entry = catalog.get("plan").unwrap().clone();
    assert_eq!(catalog.read_listed(&entry).unwrap().body, "# Edited");
    assert_eq!(catalog.reload().changed, ["plan"]);
}

#[test]
fn an_edited_document_that_is_not_valid_is_refused_with_the_reason() {
    let (temp, catalog) = plan();
    for (text, why) in [
        (
            "---\nname: plan\n---\n# Edited\n",
            "`description` is missing",
        ),
        ("---\nname: plan\n", "the frontmatter is not closed"),
        ("# Edited\n", "there is no frontmatter"),
        (
            "---\nname: other\ndescription: d\n---\n",
            "its id is now `other`",
        ),
        (
            "---\nname: plan\ndescription: a: b\n  - 'Allowed_Tools': Read\n---\n",
            "mapping values",
        ),
    ] {
        temp.write("plan/SKILL.md", text);
        let error = catalog.read("plan").unwrap_err();
        assert!(
            matches!(error, DocumentReadError::Invalid { .. }),
            "{text:?}: {error}"
        );
        let shown = error.to_string();
        assert!(shown.contains("plan/SKILL.md"), "{shown}");
        assert!(shown.contains("is no longer valid"), "{shown}");
        assert!(shown.contains(why), "{shown}");
    }
    temp.write("plan/SKILL.md", " ".repeat(2 << 20));
    let error = catalog.read("plan").unwrap_err();
    assert!(
        matches!(error, DocumentReadError::Refused { .. }),
        "{error}"
    );
}

#[test]
fn the_edited_document_of_a_discovered_source_is_refused() {
    let temp = Temp::new();
    temp.standard("plan");
    let mut catalog = Catalog::builder(LENIENT)
        .source(Source::project(temp.path()).discovered())
        .load();
    let entry = catalog.listed().next().unwrap().clone();
    catalog.trust("plan", entry.hash).unwrap();
    assert_eq!(ids(&catalog), ["plan"]);
    temp.write(
        "plan/SKILL.md",
        "---\nname: plan\ndescription: Does plan.\n---\n# Edited\n",
    );
    for error in [catalog.read("plan"), catalog.read_listed(&entry)] {
        let error = error.unwrap_err();
        assert!(
            matches!(error, DocumentReadError::Changed { .. }),
            "{error}"
        );
    }
}

#[test]
fn a_removed_document_has_an_error_of_its_own() {
    for discovered in [false, true] {
        let temp = Temp::new();
        temp.standard("plan");
        let source = Source::project(temp.path());
        let source = if discovered {
            source.discovered()
        } else {
            source
        };
        let mut catalog = Catalog::builder(LENIENT).source(source).load();
        let entry = catalog.listed().next().unwrap().clone();
        catalog.trust("plan", entry.hash).unwrap();
        assert_eq!(catalog.read("plan").unwrap().body, "# plan");
        let removals: [fn(&Temp); 3] = [
            |temp| std::fs::remove_file(temp.at("plan/SKILL.md")).unwrap(),
            |temp| std::fs::remove_dir(temp.at("plan")).unwrap(),
            |temp| std::fs::remove_dir(temp.path()).unwrap(),
        ];
        for remove in removals {
            remove(&temp);
            let error = catalog.read("plan").unwrap_err();
            assert!(
                matches!(error, DocumentReadError::Removed { .. }),
                "{error}"
            );
            assert!(error.to_string().contains("plan/SKILL.md"), "{error}");
        }
    }
}
