//! Keys of other clients, in the dialects that do not know them: their verdict is the one of any other unknown key.

use skill_manifest::{Dialect, check_at};

/// Values of the right type and others, repetitions and misspellings.
const YAML: &[&str] = &[
    "paths: src/**",
    "paths: [1, 2]\npaths: '['",
    "argument-hint: '[issue]'",
    "argument-hint: {a: b}",
    "user-invocable: false",
    "user-invocable: [no]\nuser-invocable: 1",
    "user_invocable: false",
    "disable-model-invocation: true",
    "disable-model-invocation: maybe",
    "disable-model-invocation: true\ndisable-model-invocation: false",
    "disable_model_invocation: true",
];

#[test]
fn other_dialects_do_not_know_the_keys_of_other_clients() {
    let mut table = String::new();
    for dialect in Dialect::PRESETS.iter().filter(|dialect| !dialect.repair) {
        for yaml in YAML {
            let base = match dialect.name {
                "LILY" => "",
                _ => "name: a\ndescription: d\n",
            };
            let report = check_at("a/SKILL.md", &format!("---\n{base}{yaml}\n---\n"), dialect);
            for it in report.diagnostics() {
                table.push_str(&format!("{} | {yaml:?} | {it}\n", dialect.name));
            }
        }
    }
    assert_eq!(table, include_str!("foreign_keys.txt"));
}
