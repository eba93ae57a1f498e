//! The files of a new crate.

use super::checkout::Dependencies;
use super::write::NewFile;
use crate::args::CrateKind;

/// The types that are in scope for the skill or its tests. The skill's type cannot have one of these names.
const TAKEN: &[&str] = &[
    "Action",
    "Agent",
    "AgentServer",
    "CallError",
    "Caller",
    "ChildContext",
    "ChildSpec",
    "Config",
    "Context",
    "Directive",
    "Documents",
    "ForeignCaller",
    "Forget",
    "Handled",
    "HasSkill",
    "HookError",
    "Hooks",
    "Instruction",
    "Latest",
    "MountError",
    "Mounted",
    "NoConfig",
    "Outcome",
    "Provide",
    "PureAction",
    "Record",
    "Resources",
    "ServeError",
    "Signal",
    "Skill",
    "SkillConfig",
    "Stamp",
    "Subscription",
    "TestAgent",
    "Tool",
    "BTreeMap",
    "Clone",
    "Default",
    "Deserialize",
    "JsonSchema",
    "Option",
    "Result",
    "Serialize",
    "String",
];

/// The names and paths to insert into the files.
#[derive(Debug)]
pub(super) struct Placeholders<'a> {
    pub(super) name: &'a str,
    pub(super) dependencies: &'a Dependencies,
    pub(super) has_workspace_above: bool,
}

/// The files of a skill crate.
const SKILL: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("template/skill/manifest.toml")),
    ("src/lib.rs", include_str!("template/skill/lib.rs")),
    ("tests/skill.rs", include_str!("template/skill/tests.rs")),
    (
        "contract.json",
        include_str!("template/skill/contract.json"),
    ),
    ("README.md", include_str!("template/skill/README.md")),
    (
        ".github/workflows/ci.yml",
        include_str!("template/skill/ci.yml"),
    ),
    (".gitignore", include_str!("template/skill/gitignore")),
    ("CHANGELOG.md", include_str!("template/skill/CHANGELOG.md")),
];

/// The files of a program with an agent.
const AGENT: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("template/agent/manifest.toml")),
    ("src/main.rs", include_str!("template/agent/main.rs")),
    ("src/tests.rs", include_str!("template/agent/tests.rs")),
    (
        "src/skills/mod.rs",
        include_str!("template/agent/skills_mod.rs"),
    ),
    (
        "src/skills/notes.rs",
        include_str!("template/agent/notes.rs"),
    ),
    (
        "src/skills/tasks.rs",
        include_str!("template/agent/tasks.rs"),
    ),
    ("README.md", include_str!("template/agent/README.md")),
    (".gitignore", include_str!("template/agent/gitignore")),
];

/// Returns the files and their paths.
pub(super) fn files(kind: CrateKind, of: &Placeholders<'_>) -> Vec<NewFile> {
    let workspace = if of.has_workspace_above {
        "\n# not a member of the workspace above it\n[workspace]\n"
    } else {
        ""
    };
    let values = [
        ("{name}", of.name),
        ("{library}", &of.name.replace('-', "_")),
        ("{Type}", &type_name(of.name)),
        ("{core}", &of.dependencies.core),
        ("{agent}", &of.dependencies.agent),
        ("{rust_version}", env!("CARGO_PKG_RUST_VERSION")),
        ("{workspace}\n", workspace),
    ];
    let fill = |text: &str| {
        values.iter().fold(text.to_owned(), |text, (key, value)| {
            text.replace(key, value)
        })
    };
    let files = match kind {
        CrateKind::Skill => SKILL,
        CrateKind::Agent => AGENT,
    };
    files
        .iter()
        .map(|(path, text)| (*path, fill(text)))
        .collect()
}

/// Returns the name of the skill's type, such as `WebSearch` for `web-search`.
fn type_name(name: &str) -> String {
    let words = name.split(['-', '_']);
    let capitalized = words.map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    });
    let name: String = capitalized.collect();
    if TAKEN.contains(&&*name) {
        name + "Skill"
    } else {
        name
    }
}
