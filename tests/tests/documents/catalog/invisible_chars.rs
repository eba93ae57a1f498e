//! Invisible characters in what documents and programs pass to a catalog.

use crate::catalog::support::{Temp, codes, ids, project};
use skill_agent::manifest::__private::is_visible;
use skill_agent::manifest::{Catalog, Dialect, LinkPolicy, Source, check};

/// A folder in which every name contains an invisible character.
fn hostile() -> Temp {
    let temp = Temp::new();
    let doc = |name: &str| format!("---\nname: \"{name}\"\ndescription: d\n---\n# It\n");
    let more = "version: \"\\e[31m\"\nrequires: [\"\\u202e@^1\"]\ncommand: \"\\e\"\nrequires_tools: [\"\\u3164\"]\ntoolsets: [\"x:\\u200b\"]\n";
    let keys = doc("keys").replace("---\n#", &format!("{more}---\n#"));
    temp.write("a\u{202e}b/SKILL.md", doc("a"))
        .write("c\u{1b}[31m/SKILL.md", doc("c\\e[31m"))
        .write("d/SKILL.md", doc("d\u{3164}"))
        .write("e\u{200b}/f/SKILL.md", "# It\n")
        .write("g\u{fe0f}/skill.MD", doc("g"))
        .write("h\u{2028}/notes.md", "")
        .write("keys/SKILL.md", keys)
        .write("plan/SKILL.md", doc("plan"))
        .write("q\u{200d}/SKILL.md", "no frontmatter");
    temp
}

#[test]
fn no_diagnostic_of_a_catalog_has_an_invisible_character() {
    let temp = hostile();
    for dialect in Dialect::PRESETS {
        let catalog = project(&temp, dialect.with_links(LinkPolicy::Inside))
            .source(Source::user(temp.path()))
            .source(Source::named("\u{1b}[31m", temp.at("gone\u{202e}")))
            .disabled(["no\u{3164}ne"])
            .load();
        assert!(!catalog.diagnostics().is_empty());
        for diagnostic in catalog.diagnostics() {
            let help = diagnostic.help.clone().unwrap_or_default();
            let text = format!("{diagnostic}{help}");
            assert!(text.chars().all(is_visible), "{text:?}");
        }
        for id in ids(&catalog) {
            assert!(id.chars().all(is_visible), "{id:?} of {}", dialect.name);
        }
    }
}

#[test]
fn an_id_created_by_a_program_is_checked_like_that_of_a_file() {
    let text = "---\nname: plan\ndescription: d\n---\n# It\n";
    let doc = check(text, &Dialect::AGENT_SKILLS).into_doc().unwrap();
    let docs = ["pl\u{200b}an", "plan", "", "a\nb"].map(|id| {
        let mut doc = doc.clone();
        doc.id = id.into();
        doc
    });
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS)
        .source(Source::bundled(Box::leak(Box::new(docs))))
        .load();
    assert_eq!(ids(&catalog), ["plan"]);
    assert_eq!(
        codes(&catalog),
        ["invalid_name", "invalid_name", "hidden_character"]
    );
}
