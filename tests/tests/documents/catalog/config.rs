//! Sources that are read from the configuration files of a program.

use crate::catalog::support::{Temp, TestHost, codes, ids};
use skill_agent::manifest::{Catalog, DiagnosticCode, Dialect, Severity, Source, Sources};

#[test]
fn the_user_configuration_overrides_the_system_configuration() {
    let temp = Temp::new();
    for id in ["a", "b", "c", "d"] {
        temp.write(&format!("mine/{id}/SKILL.md"), "# It\n");
    }
    let system = "default_agent: general\nskills_path: /nowhere\nmax_skills: 2\ndisabled: [c]\n";
    let user = format!(
        "skills_path: {}\ndisabled:\n- a\n",
        temp.at("mine").display()
    );
    let sources = Sources::from_config(system, &user).unwrap();
    assert_eq!(
        (sources.max_skills(), sources.disabled()),
        (Some(2), &["a".into()][..])
    );
    let catalog = Catalog::builder(Dialect::LILY).sources(sources).load();
    // `max_skills` limits a request, not the catalog
    assert_eq!(ids(&catalog), ["b", "c", "d"]);
    assert_eq!(codes(&catalog), ["disabled"]);
    let sources = Sources::from_config(system, &user).unwrap();
    let catalog = Catalog::builder(Dialect::LILY)
        .sources(sources)
        .at_most(2)
        .load();
    assert_eq!(ids(&catalog), ["b", "c"]);
    assert_eq!(codes(&catalog), ["disabled", "too_many_skills"]);
}

#[test]
fn a_name_that_matches_nothing_is_reported_once_with_a_suggestion() {
    let temp = Temp::new();
    temp.write("mine/review/SKILL.md", "# It\n");
    // a document that exists but is left out for another reason is not a misspelling
    temp.write("mine/broken/SKILL.md", "---\nsummary: x\n");
    temp.write("found/seen/SKILL.md", "# It\n");
    let user = format!(
        "skills_path: {}\ndisabled: [reviw, broken, seen]\n",
        temp.at("mine").display()
    );
    let sources = Sources::from_config("disabled: [other]\n", &user).unwrap();
    let mut catalog = Catalog::builder(Dialect::LILY)
        .sources(sources.source(Source::named("found", temp.at("found")).discovered()))
        .disabled(["reviw"])
        .enabled(["Review", "a\nb"])
        .order(["usr", "found", "zzz"])
        .load();
    let reported = |catalog: &Catalog| {
        let all = catalog.diagnostics().iter();
        let names = all.filter(|diagnostic| diagnostic.code == DiagnosticCode::UnknownName);
        let reported: Vec<_> = names
            .map(|diagnostic| {
                assert_eq!(
                    (diagnostic.severity, diagnostic.path.as_deref()),
                    (Severity::Warning, None)
                );
                (
                    diagnostic.message.clone(),
                    diagnostic.help.clone().unwrap_or_default(),
                )
            })
            .collect();
        reported
    };
    let first = reported(&catalog);
    let first: Vec<(&str, &str)> = first.iter().map(|(a, b)| (&**a, &**b)).collect();
    assert_eq!(
        first,
        [
            (
                "`disabled` names `reviw`, but no document has that id",
                "did you mean `review`?"
            ),
            (
                "`enabled` names `Review`, but no document has that id",
                "did you mean `review`?"
            ),
            ("`enabled` names `a\\nb`, but no document has that id", ""),
            (
                "`order` names `usr`, but no source has that name",
                "did you mean `user`?"
            ),
            ("`order` names `zzz`, but no source has that name", ""),
        ]
    );
    // a disabled document is a known name too
    assert_eq!(ids(&catalog), ["review"]);
    temp.write("mine/reviw/SKILL.md", "# It\n");
    assert!(catalog.reload().is_empty());
    assert_eq!(reported(&catalog).len(), 4);
}

#[test]
fn an_empty_configuration_uses_the_home_folder() {
    let temp = Temp::new();
    temp.write(".agent/skills/plan/SKILL.md", "# Plan\n");
    for text in ["", "\n# nothing\n", "skills_path:\nother: {a: [1, 2]}\n"] {
        let sources = Sources::from_config(text, text).unwrap();
        let host = TestHost {
            home: Some(temp.path().to_owned()),
            ..TestHost::default()
        };
        let catalog = Catalog::builder(Dialect::LILY)
            .sources(sources)
            .host(host)
            .load();
        assert_eq!(ids(&catalog), ["plan"], "{text:?}");
    }
}

#[test]
fn every_problem_is_reported_with_its_file_and_position() {
    let system = "max_skills: -1\nskills_path: [a]\n";
    let user = "x: 1\ndisabled: plan\nmax_skills: 1.5\nskills_path: ''\n";
    let error = Sources::from_config(system, user).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the configuration of documents is wrong\n\
         config.system.yaml:1:13: error[wrong_type]: `max_skills` must be a non-negative integer, not `-1`\n\
         config.system.yaml:2:14: error[wrong_type]: `skills_path` must be the path of a folder, not a list\n\
         config.user.yaml:2:11: error[wrong_type]: `disabled` must be a list of ids, not a string\n\
         config.user.yaml:3:13: error[wrong_type]: `max_skills` must be a non-negative integer, not `1.5`\n\
         config.user.yaml:4:14: error[wrong_type]: `skills_path` must be the path of a folder, not an empty string"
    );
    for text in [
        "- a",
        "text",
        "a: [",
        "max_skills: 1\nmax_skills: 2\n",
        "disabled: [[a]]\n",
        "a: &b c\n",
    ] {
        let error = Sources::from_config("", text).unwrap_err();
        assert_eq!(error.diagnostics().len(), 1, "{text:?}: {error}");
    }
}
