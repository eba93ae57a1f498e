//! The scenarios of `loader_scenarios.json`: the specified behavior holds; if nothing is specified, the behavior of the first
//! implementation.

use crate::catalog::support::{Temp, TestHost, codes, ids};
use serde::Deserialize;
use skill_agent::manifest::{Catalog, Dialect, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[derive(Deserialize)]
struct Oracle {
    scenarios: Vec<Scenario>,
}

#[derive(Deserialize)]
struct Scenario {
    id: String,
    files: BTreeMap<String, String>,
    empty_dirs: Vec<String>,
    platform: String,
    env: BTreeMap<String, String>,
    available_tools: Option<Vec<String>>,
    reserved: Vec<String>,
    executed: Executed,
    #[serde(rename = "seed004_expects")]
    expected: String,
}

#[derive(Deserialize)]
struct Executed {
    #[serde(default)]
    skills: Vec<Skill>,
    #[serde(default)]
    diagnostics: Vec<Told>,
}

#[derive(Deserialize)]
struct Skill {
    name: String,
    source: String,
    summary: String,
    command: Option<String>,
}

#[derive(Deserialize)]
struct Told {
    code: String,
}

/// The expected result of a scenario: the sources and ids that are offered, and the codes. `None` for a load that fails.
type Expected = Option<(Vec<(String, String)>, BTreeSet<String>)>;

/// Returns the specified result, if the first implementation deviated from it.
fn specified(id: &str) -> Option<Expected> {
    let workspace = |id: &str| ("workspace".to_owned(), id.to_owned());
    let codes = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect();
    Some(match id {
        "missing-bundled-root" => None,
        "yaml-syntax-error-does-not-crash" => {
            Some((vec![workspace("ok")], codes(&["malformed_frontmatter"])))
        }
        // both load; the ambiguity of the command is already reported by the load
        "two-skills-same-command" => Some((
            vec![workspace("a"), workspace("b")],
            codes(&["command_alias_collision"]),
        )),
        "unknown-key-ignored" => Some((vec![workspace("a")], codes(&[]))),
        _ => return None,
    })
}

#[test]
fn every_scenario_behaves_as_specified() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/oracles/loader_scenarios.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: {} is absent", path.display());
        return;
    };
    let oracle: Oracle = serde_json::from_str(&text).unwrap();
    assert!(!oracle.scenarios.is_empty());
    for scenario in &oracle.scenarios {
        let expected = specified(&scenario.id).unwrap_or_else(|| Some(as_executed(scenario)));
        let described = &scenario.expected;
        assert_eq!(loaded(scenario), expected, "{}: {described}", scenario.id);
    }
}

fn as_executed(scenario: &Scenario) -> (Vec<(String, String)>, BTreeSet<String>) {
    let executed = &scenario.executed;
    let skills = executed.skills.iter();
    let codes = executed
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code.clone());
    (
        skills
            .map(|skill| (skill.source.clone(), skill.name.clone()))
            .collect(),
        codes.collect(),
    )
}

fn loaded(scenario: &Scenario) -> Expected {
    let temp = Temp::new();
    for (path, text) in &scenario.files {
        temp.write(path, text);
    }
    for folder in &scenario.empty_dirs {
        std::fs::create_dir_all(temp.at(folder)).unwrap();
    }
    let host = TestHost {
        os: scenario.platform.clone(),
        env: scenario.env.clone(),
        ..TestHost::default()
    };
    // the bundled source is required; a scenario without one gets an empty one
    if scenario.id != "missing-bundled-root" {
        std::fs::create_dir_all(temp.at("bundled")).unwrap();
    }
    let mut builder = Catalog::builder(Dialect::LILY)
        .source(Source::named("bundled", temp.at("bundled")).required())
        .source(Source::user(temp.at("user")))
        .source(Source::named("workspace", temp.at("workspace")))
        .reserved(scenario.reserved.clone())
        .host(host);
    if let Some(tools) = &scenario.available_tools {
        builder = builder.tools(tools.clone());
    }
    let catalog = builder.try_load().ok()?;
    for skill in &scenario.executed.skills {
        let entry = catalog.get(&skill.name).unwrap();
        assert_eq!(entry.doc().summary, skill.summary, "{}", scenario.id);
        assert_eq!(entry.doc().command.as_deref(), skill.command.as_deref());
    }
    let offered = catalog
        .skills()
        .map(|entry| (entry.source.to_string(), entry.id.to_string()));
    let offered: Vec<_> = offered.collect();
    assert_eq!(offered.len(), ids(&catalog).len());
    // user and workspace folders that a scenario leaves out are a warning here, and so is a document with an unused
    // `command_tool`
    let ours = ["missing_root", "unused_command_tool"];
    let codes = codes(&catalog)
        .into_iter()
        .filter(|code| !ours.contains(code));
    Some((offered, codes.map(str::to_owned).collect()))
}
