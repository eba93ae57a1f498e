//! The text of a contract file, and when it is written.

use crate::common::aliased_calculators as aliased;
use crate::common::sample_agents::Notes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::contract::Contract;
use skill_agent::prelude::*;
use skill_agent::testing::assert_contract;
use std::env;
use std::process::{Command, Output};

/// Keeps a key.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "vault", config = VaultConfig, actions(Seal))]
pub struct Vault {
    #[skill(secret, default = "hush-state".to_owned())]
    pub key: String,
}

/// Forgets the key.
#[action(internal, on("vault.seal"))]
pub fn seal(vault: &mut Vault) {
    vault.key.clear();
}

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct VaultConfig {
    #[skill(secret, default = "hush-config".to_owned())]
    pub token: String,
}

agent! {
    pub struct Safe {
        name: "safe",
        skills: [Vault],
    }
}

agent! {
    /// Takes notes.
    pub struct Diary {
        name: "diary",
        version: "0.4.0",
        state: { owner: String },
        skills: [Notes, aliased::Calculator as left],
        mounted: [aliased::Calculator],
    }
}

#[test]
fn a_contract_file_is_read_back() {
    let contract = Contract::of::<Diary>();
    assert_eq!(Contract::parse(&contract.to_text()), Ok(contract));
}

#[test]
fn a_contract_has_the_names_of_instances_and_of_skills_that_may_be_mounted() {
    let contract = Contract::of::<Diary>();
    let tools: Vec<_> = contract.tool_names().collect();
    let expected = [
        "clear",
        "left_add",
        "left_announce",
        "left_who_am_i",
        "write",
    ];
    assert_eq!(tools, expected);
    let mountable: Vec<_> = contract.mountable_tool_names().collect();
    assert_eq!(mountable, ["add", "announce", "who_am_i"]);
}

#[test]
fn each_item_has_a_line_of_its_own() {
    let text = Contract::of::<Diary>().to_text();
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    for line in [
        r#""contract_format": 1,"#,
        r#""version": "0.4.0""#,
        r#""b": {"format": "double", "type": "number"}"#,
        r#""hints": ["destructive", "idempotent"],"#,
        r#""left_add": {"lenient": false, "priority": 7}"#,
        r#""instructions": "Write down what matters.","#,
        r#""owner": {"default": "", "type": "string"},"#,
    ] {
        assert!(lines.contains(&line), "{line} is not a line of\n{text}");
    }
    assert!(text.ends_with("}\n"));
}

#[test]
fn a_contract_has_no_secrets() {
    let text = Contract::of::<Safe>().to_text();
    assert!(
        text.contains(r#""key": {"#) && text.contains(r#""token": {"#),
        "{text}"
    );
    assert!(!text.contains("hush"), "{text}");
}

#[test]
fn the_route_of_an_internal_action_has_its_skill() {
    let text = Contract::of::<Safe>().to_text();
    let line = r#""seal": {"lenient": false, "priority": 0, "skill": "vault"}"#;
    assert!(text.contains(line), "{text}");
    assert_eq!(Contract::parse(&text), Ok(Contract::of::<Safe>()));
}

/// The file that the test below is run with.
const FILE: &str = "CONTRACT_FILE_OF_THE_TEST";

/// Runs the assertion in a process of its own, because the environment of this one is shared.
fn assert_in_process(file: &str, update: Option<&str>) -> Output {
    let mut program = Command::new(env::current_exe().expect("this program has a path"));
    program.args([
        "--exact",
        "files::the_assertion_in_a_process_of_its_own",
        "--nocapture",
    ]);
    program
        .env(FILE, file)
        .env("RUST_BACKTRACE", "0")
        .env_remove("UPDATE_CONTRACT");
    program.envs(update.map(|value| ("UPDATE_CONTRACT", value)));
    program.output().expect("it runs")
}

#[test]
fn the_assertion_in_a_process_of_its_own() {
    if let Some(file) = env::var_os(FILE) {
        assert_contract::<Diary>(file);
    }
}

#[test]
fn the_variable_lets_the_assertion_write_the_file() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let path = folder.path().join("contract.json");
    let file = path.to_str().expect("it is text");
    for update in [None, Some(""), Some("0")] {
        let output = assert_in_process(file, update);
        assert!(!output.status.success() && !path.exists(), "{update:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        let expected = format!(
            "the contract file `{file}` cannot be compared: it does not exist; write it with"
        );
        assert!(message.contains(&expected), "{message}");
        assert!(message.contains("contract_files/files.rs"), "{message}");
    }
    assert!(assert_in_process(file, Some("1")).status.success());
    assert!(assert_in_process(file, None).status.success());
    assert_eq!(Contract::read(&path), Ok(Contract::of::<Diary>()));
}
