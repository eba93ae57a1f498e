//! Sources from the configuration of a program.

use crate::common::{Box, Temp, codes, ids};
use skill_agent::manifest::{Catalog, Dialect, Sources};

#[test]
fn the_users_configuration_holds_over_the_systems() {
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
    assert_eq!(ids(&catalog), ["b", "c"]);
    assert_eq!(codes(&catalog), ["disabled", "too_many_skills"]);
}

#[test]
fn an_empty_configuration_is_the_home_of_the_user() {
    let temp = Temp::new();
    temp.write(".agent/skills/plan/SKILL.md", "# Plan\n");
    for text in ["", "\n# nothing\n", "skills_path:\nother: {a: [1, 2]}\n"] {
        let sources = Sources::from_config(text, text).unwrap();
        let host = Box {
            home: Some(temp.path().to_owned()),
            ..Box::default()
        };
        let catalog = Catalog::builder(Dialect::LILY)
            .sources(sources)
            .host(host)
            .load();
        assert_eq!(ids(&catalog), ["plan"], "{text:?}");
    }
}

#[test]
fn everything_that_is_wrong_is_told_with_its_file_and_place() {
    let system = "max_skills: -1\nskills_path: [a]\n";
    let user = "x: 1\ndisabled: plan\nmax_skills: 1.5\nskills_path: ''\n";
    let error = Sources::from_config(system, user).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the configuration of skills is wrong\n\
         config.system.yaml:1:13: error[wrong_type]: `max_skills` is a number from 0, not `-1`\n\
         config.system.yaml:2:14: error[wrong_type]: `skills_path` is the path of a folder, not a list\n\
         config.user.yaml:2:11: error[wrong_type]: `disabled` is a list of ids, not a text\n\
         config.user.yaml:3:13: error[wrong_type]: `max_skills` is a number from 0, not `1.5`\n\
         config.user.yaml:4:14: error[wrong_type]: `skills_path` is the path of a folder, not an empty text"
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
