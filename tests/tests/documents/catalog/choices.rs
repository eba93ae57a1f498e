//! Documents that a person enables, disables and trusts at run time, and how these choices are kept.

use crate::catalog::support::{Temp, codes, ids, project};
use skill_agent::manifest::{Catalog, CatalogChoices, CommandError, Dialect, EnableError, Source};

fn saved(catalog: &Catalog) -> CatalogChoices {
    let text = serde_json::to_string(catalog.choices()).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_disabled_document_is_not_offered_until_it_is_enabled() {
    let temp = Temp::new();
    temp.standard("a").standard("b");
    let mut catalog = project(&temp, Dialect::AGENT_SKILLS).load();
    let clone = catalog.clone();
    let hash = catalog.hash();
    assert_eq!(catalog.disable("b").unwrap().removed, ["b"]);
    assert_eq!(
        (ids(&catalog), codes(&catalog)),
        (vec!["a".to_owned()], vec!["disabled"])
    );
    assert_eq!((ids(&clone).len(), catalog.generation()), (2, 1));
    assert!(catalog.disable("b").unwrap().is_empty());

    temp.standard("c");
    assert_eq!(catalog.reload().added, ["c"]);
    assert_eq!(ids(&catalog), ["a", "c"]);
    assert_eq!(catalog.disable("c").unwrap().removed, ["c"]);

    assert_eq!(catalog.enable("b").unwrap().added, ["b"]);
    assert!(catalog.enable("b").unwrap().is_empty());
    assert_eq!(ids(&catalog), ["a", "b"]);
    assert_eq!(catalog.hash(), hash);
}

#[test]
fn a_disabled_document_is_not_found_by_a_model_and_named_to_a_person() {
    let temp = Temp::new();
    temp.standard("a");
    let text = "---\nname: b\ndescription: Does b.\ncommand: go\n---\n# b\n";
    temp.write("b/SKILL.md", text);
    let mut catalog = project(&temp, Dialect::AGENT_SKILLS_LENIENT).load();
    catalog.disable("b").unwrap();
    assert_eq!(
        catalog.call_skill_tool(r#"{"skill_name":"b"}"#),
        "Error: Skill 'b' not found. It may have been removed or is unavailable."
    );
    for line in ["/go", "/skill b", "/help b"] {
        let error = catalog.command(line).unwrap_err();
        assert!(
            matches!(&error, CommandError::Disabled { skill, .. } if skill == "b"),
            "{line}"
        );
        assert_eq!(
            error.to_string(),
            "Error: skill 'b' is disabled; enable it in the settings of this program."
        );
    }
    catalog.enable("b").unwrap();
    assert!(catalog.command("/go").is_ok());
    assert_eq!(catalog.call_skill_tool(r#"{"skill_name":"b"}"#), "# b");
}

#[test]
fn a_person_decides_before_the_program_and_the_program_before_the_document() {
    let temp = Temp::new();
    let off =
        |name: &str| format!("---\nname: {name}\ndescription: d\ndefault_enabled: false\n---\n");
    for name in ["by_default", "by_program", "by_person"] {
        temp.write(&format!("{name}/SKILL.md"), off(name));
    }
    temp.write("on/SKILL.md", "---\nname: on\ndescription: d\n---\n");
    let builder = || {
        Catalog::builder(Dialect::TRIGGERED)
            .source(Source::named("bundled", temp.path()))
            .enabled(["by_program"])
            .disabled(["on"])
    };
    let mut catalog = builder().load();
    assert_eq!(ids(&catalog), ["by_program"]);
    catalog.enable("by_person").unwrap();
    catalog.enable("on").unwrap();
    catalog.disable("by_program").unwrap();
    assert_eq!(ids(&catalog), ["by_person", "on"]);
    // the settings of the program are not among the choices of a person
    let choices = saved(&catalog);
    assert_eq!(choices.disabled.len() + choices.enabled.len(), 3);
    let restored = builder().choices(choices).load();
    assert_eq!(
        (ids(&restored), restored.hash()),
        (ids(&catalog), catalog.hash())
    );
}

#[test]
fn choices_are_kept_with_hashes_and_for_documents_that_are_away() {
    let temp = Temp::new();
    temp.standard("a").standard("b");
    let builder = || {
        let source = Source::project(temp.path()).discovered();
        Catalog::builder(Dialect::AGENT_SKILLS).source(source)
    };
    let mut catalog = builder().load();
    let listed: Vec<_> = catalog.listed().cloned().collect();
    for entry in &listed {
        catalog.trust(&entry.id, entry.hash).unwrap();
    }
    catalog.disable("a").unwrap();
    let choices = saved(&catalog);
    assert_eq!(&choices, catalog.choices());
    assert_eq!(ids(&builder().choices(choices.clone()).load()), ["b"]);

    std::fs::remove_dir_all(temp.at("a")).unwrap();
    temp.write("b/SKILL.md", "---\nname: b\ndescription: Other.\n---\n");
    let catalog = builder().choices(choices).load();
    assert_eq!(codes(&catalog), ["untrusted"]);
    let choices = saved(&catalog);
    temp.standard("a").standard("b");
    let mut catalog = builder().choices(choices).load();
    assert_eq!(ids(&catalog), ["b"]);
    assert_eq!(catalog.enable("a").unwrap().added, ["a"]);
}

#[test]
fn a_document_is_disabled_if_choices_name_it_twice() {
    let temp = Temp::new();
    temp.standard("a");
    let both = r#"{"enabled":["a"],"disabled":["a"]}"#;
    let choices: CatalogChoices = serde_json::from_str(both).unwrap();
    let catalog = project(&temp, Dialect::AGENT_SKILLS)
        .choices(choices)
        .load();
    assert_eq!(ids(&catalog), [""; 0]);
}

#[test]
fn an_unknown_id_is_an_error_and_changes_nothing() {
    let temp = Temp::new();
    temp.standard("review");
    let mut catalog = project(&temp, Dialect::AGENT_SKILLS).load();
    let error = catalog.disable("reveiw").unwrap_err();
    assert!(matches!(&error, EnableError::Unknown { id, .. } if id == "reveiw"));
    assert_eq!(
        error.to_string(),
        "no document has the id `reveiw`; did you mean `review`?"
    );
    let error = catalog.enable("x\u{202e}").unwrap_err();
    assert_eq!(error.to_string(), "no document has the id `x\\u{202e}`");
    assert_eq!(catalog.choices(), &CatalogChoices::default());
    assert_eq!(catalog.generation(), 0);
}
