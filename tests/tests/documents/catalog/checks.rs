//! The conditions under which a document is offered.

use crate::catalog::support::{Temp, TestHost, codes, ids, project};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::manifest::{DiagnosticCode, Dialect};
use skill_agent::prelude::*;

/// Every key of every dialect, and no rules for names.
const ALL: Dialect = Dialect::AGENT_SKILLS_LENIENT;

/// Adds.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "calculator", version = "1.2.0", actions(Add))]
pub struct Calculator {
    sum: i64,
}

/// Add.
#[action]
pub fn add(calculator: &mut Calculator, by: i64) -> i64 {
    calculator.sum += by;
    calculator.sum
}

agent! {
    /// Counts.
    pub struct Clerk {
        name: "clerk",
        skills: [Calculator],
        allow_skills: true,
    }
}

fn write(temp: &Temp, id: &str, keys: &str) {
    let text = format!("---\nname: {id}\ndescription: d\n{keys}---\n# It\n");
    temp.write(&format!("{id}/SKILL.md"), text);
}

agent! {
    /// Says nothing of documents.
    pub struct Porter {
        name: "porter",
        skills: [Calculator],
    }
}

#[test]
fn documents_that_no_model_gets_because_of_the_agent_are_a_warning() {
    let temp = Temp::new();
    write(&temp, "plan", "");
    let catalog = project(&temp, ALL).agent::<Porter>().load();
    assert!(catalog.skill_tool().is_none());
    let [why] = catalog.diagnostics() else {
        panic!("{:?}", catalog.diagnostics());
    };
    assert_eq!(
        why.message,
        "no document is offered to a model, because the agent `porter` does not have `allow_skills: true`"
    );
    assert_eq!(
        why.help.as_deref(),
        Some(
            "write `allow_skills: true` in `agent!`, or `.allow_skills(true)` where the catalog is built; \
             `.allow_skills(false)` is for documents that only people use"
        )
    );
    for (catalog, is_offered) in [
        (
            project(&temp, ALL).agent::<Porter>().allow_skills(true),
            true,
        ),
        (
            project(&temp, ALL).agent::<Porter>().allow_skills(false),
            false,
        ),
        (project(&temp, ALL).agent::<Clerk>(), true),
        (project(&temp, ALL), true),
    ] {
        let catalog = catalog.load();
        assert!(codes(&catalog).is_empty());
        assert_eq!(catalog.skill_tool().is_some(), is_offered);
    }
    let temp = Temp::new();
    write(&temp, "plan", "disable-model-invocation: true\n");
    assert!(codes(&project(&temp, ALL).agent::<Porter>().load()).is_empty());
}

#[test]
fn eligibility_is_checked_against_the_host_and_each_failure_is_named() {
    let temp = Temp::new();
    write(&temp, "mac", "eligibility:\n  os: [darwin]\n");
    write(&temp, "both", "eligibility:\n  os: [macos, linux]\n");
    write(&temp, "odd", "eligibility:\n  os: [Linux]\n");
    write(&temp, "env", "eligibility:\n  env: [SET, EMPTY, UNSET]\n");
    write(&temp, "git", "eligibility:\n  binaries: [git, hg]\n");
    let host = TestHost {
        os: "linux".to_owned(),
        env: [("SET", "1"), ("EMPTY", "")]
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .into(),
        binaries: vec!["git".to_owned()],
        ..TestHost::default()
    };
    let catalog = project(&temp, ALL).host(host.clone()).load();
    assert_eq!(ids(&catalog), ["both"]);
    let reported = catalog
        .diagnostics()
        .iter()
        .filter(|diagnostic| diagnostic.code == DiagnosticCode::Ineligible);
    let reported: Vec<_> = reported.map(|diagnostic| &*diagnostic.message).collect();
    assert_eq!(
        reported,
        [
            "`env` is not eligible: the environment variable `EMPTY` is not set",
            "`env` is not eligible: the environment variable `UNSET` is not set",
            "`git` is not eligible: the program `hg` is not on `PATH`",
            "`mac` is not eligible: it is for `darwin`, and this is `linux`",
            "`odd` is not eligible: it is for `Linux`, and this is `linux`",
        ]
    );
    let host = TestHost {
        os: "plan9".to_owned(),
        ..host
    };
    assert_eq!(ids(&project(&temp, ALL).host(host).load()).len(), 0);
}

#[test]
fn tools_are_checked_only_if_they_are_known() {
    let temp = Temp::new();
    write(&temp, "reads", "requires_tools: [read]\n");
    write(&temp, "writes", "requires_tools: [read, write]\n");
    write(
        &temp,
        "runs",
        "invocation_mode: tool_dispatch\ncommand_tool: run\n",
    );
    assert_eq!(ids(&project(&temp, ALL).load()).len(), 3);
    let catalog = project(&temp, ALL).tools(["read"]).load();
    assert_eq!(ids(&catalog), ["reads"]);
    assert_eq!(
        codes(&catalog),
        ["missing_command_tool", "missing_required_tools"]
    );
    let none: [&str; 0] = [];
    assert_eq!(ids(&project(&temp, ALL).tools(none).load()).len(), 0);
    assert_eq!(
        ids(&project(&temp, ALL).tools(["read", "write", "run"]).load()).len(),
        3
    );
}

#[test]
fn a_reserved_command_excludes_a_document_and_a_shared_one_is_a_warning() {
    let temp = Temp::new();
    for taken in ["skills", "skill", "help", "reload_skills", "quit"] {
        write(
            &temp,
            &format!("a-{}", taken.replace('_', "-")),
            &format!("command: {taken}\n"),
        );
    }
    write(&temp, "b", "command: go\n");
    write(&temp, "c", "command: go\n");
    let catalog = project(&temp, ALL).reserved(["quit"]).load();
    assert_eq!(ids(&catalog), ["b", "c"]);
    assert_eq!(codes(&catalog), ["command_alias_collision"; 6]);
    let last = catalog.diagnostics().last().unwrap();
    assert!(
        last.message.contains("`go`") || last.message.contains("`/go`"),
        "{last}"
    );
    assert_eq!(ids(&project(&temp, ALL).load()), ["a-quit", "b", "c"]);
}

#[test]
fn an_agent_provides_names_tools_toolsets_and_requirements() {
    let temp = Temp::new();
    write(&temp, "calculator", "");
    write(
        &temp,
        "uses",
        "requires_tools: [add]\ntoolsets: [\"toolsets/index:Calculator\"]\n",
    );
    write(&temp, "unbound", "toolsets: [\"toolsets/index:Other\"]\n");
    write(&temp, "needs", "requires: [\"calculator@^1.0\", uses]\n");
    write(&temp, "newer", "requires: [\"calculator@^2.0\"]\n");
    let catalog = project(&temp, ALL).agent::<Clerk>().load();
    assert_eq!(ids(&catalog), ["needs", "uses"]);
    assert_eq!(
        codes(&catalog),
        ["reserved_id", "missing_requirement", "unbound_toolset"]
    );
    // without an agent, no toolset is bound and no Rust skill exists
    let catalog = project(&temp, ALL).load();
    assert_eq!(ids(&catalog), ["calculator"]);
}

#[test]
fn a_document_that_requires_an_excluded_one_is_excluded() {
    let temp = Temp::new();
    write(&temp, "a", "requires: [b]\n");
    write(&temp, "b", "requires: [c]\n");
    write(&temp, "c", "eligibility:\n  env: [NO_SUCH_VARIABLE_HERE]\n");
    write(&temp, "d", "requires: [e]\n");
    write(&temp, "e", "requires: [d]\n");
    let catalog = project(&temp, ALL).load();
    assert_eq!(ids(&catalog), ["d", "e"]);
    assert_eq!(
        codes(&catalog),
        ["ineligible", "missing_requirement", "missing_requirement"]
    );
    let catalog = project(&temp, ALL).disabled(["e"]).load();
    assert_eq!(ids(&catalog).len(), 0);
}

#[test]
fn disabled_documents_and_those_over_the_limit_are_reported() {
    let temp = Temp::new();
    for id in ["a", "b", "c", "d"] {
        write(&temp, id, "default_enabled: false\n");
    }
    write(&temp, "aa", "requires: [c]\n");
    let catalog = project(&temp, ALL).disabled(["b"]).at_most(3).load();
    // `default_enabled` concerns bundled documents; without `c`, a requirement of `aa` is missing
    assert_eq!(ids(&project(&temp, ALL).load()), ["a", "aa", "b", "c", "d"]);
    assert_eq!(ids(&catalog), ["a", "aa", "c"]);
    assert_eq!(codes(&catalog), ["disabled", "too_many_skills"]);
    let catalog = project(&temp, ALL).at_most(2).load();
    assert_eq!(ids(&catalog), ["a"]);
    assert_eq!(codes(&catalog).last(), Some(&"missing_requirement"));
}
