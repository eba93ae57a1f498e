//! Compares the presets with the loaders they imitate, on identical bytes. Every deviation has a reason, and every reason a
//! deviation.

use crate::common::{oracle, rows, text};
use serde_json::Value;
use skill_manifest::{Dialect, Host, Report, SkillDoc, check_bytes, sanitize_name};
use std::collections::BTreeSet;

/// The loaders of the file, and our presets.
const LOADERS: &[(&str, Dialect)] = &[
    ("skills-ref", Dialect::AGENT_SKILLS),
    ("agent-base", Dialect::TRIGGERED),
    ("pickle-bot", Dialect::NAMED),
    ("lily-v0", Dialect::LILY),
];

/// The machine on which the loaders ran.
struct Recorded;

impl Host for Recorded {
    fn os(&self) -> &str {
        "linux"
    }

    fn has_env(&self, _: &str) -> bool {
        false
    }

    fn has_binary(&self, name: &str) -> bool {
        matches!(name, "sh" | "git" | "ls")
    }
}

fn report(probe: &Value, dialect: &Dialect) -> Report {
    let path = format!("/ws/{}/{}", text(&probe["dir"]), text(&probe["file"]));
    let content = match probe["encoding"].as_str() {
        None | Some("utf-8") => text(&probe["content"]).as_bytes().to_vec(),
        Some("latin-1") => text(&probe["content"]).chars().map(|c| c as u8).collect(),
        Some(other) => panic!("unknown encoding {other}"),
    };
    check_bytes(&path, &content, dialect)
}

/// Whether the document would be offered.
fn loads(probe: &Value, report: &Report, dialect: &Dialect) -> bool {
    let named = dialect.file_names.contains(&text(&probe["file"]));
    let eligible = |doc: &SkillDoc| doc.eligibility.unmet(&Recorded).is_empty();
    named && report.doc().is_some_and(eligible)
}

const BOM: &str = "one byte order mark is removed";
const CUT: &str =
    "a delimiter is a whole line; the reference splits at any `---`, which is a known fault";
const LAST_LINE: &str = "the last line of a file does not need a line ending";
const IGNORED: &str = "the dialect ignores other keys; its first implementation refused them";

/// Returns the reason why a preset deviates from its loader.
fn deviation(loader: &str, id: &str, probe: &Value) -> Option<&'static str> {
    match (loader, id) {
        ("skills-ref" | "agent-base" | "pickle-bot", "bom") => Some(BOM),
        ("skills-ref" | "pickle-bot", "close-no-newline") => Some(CUT),
        ("agent-base", "no-trailing-body") => Some(LAST_LINE),
        ("lily-v0", _) if only_strange_keys(probe) => Some(IGNORED),
        _ => None,
    }
}

/// Whether the first implementation refused a probe that has none of the specified keys.
fn only_strange_keys(probe: &Value) -> bool {
    let why = text(&probe["loaders"]["lily-v0"]["why"]);
    let known = [
        "summary:",
        "invocation_mode:",
        "command:",
        "command_tool:",
        "requires_tools:",
        "eligibility:",
    ];
    let content = text(&probe["content"]);
    why.contains("for SkillMetadata") && !known.iter().any(|key| content.contains(key))
}

#[test]
fn each_preset_agrees_with_its_loader_except_for_listed_deviations() {
    let Some(file) = oracle("dialect_probes") else {
        return;
    };
    let mut wrong = Vec::new();
    for (loader, dialect) in LOADERS {
        let (mut agree, mut reasons) = (0, Vec::<(&str, &str)>::new());
        for probe in rows(&file["probes"]) {
            let Some(theirs) = probe["loaders"][loader]["loads"].as_bool() else {
                continue;
            };
            let id = text(&probe["id"]);
            let report = report(probe, dialect);
            let ours = loads(probe, &report, dialect);
            match (ours == theirs, deviation(loader, id, probe)) {
                (true, None) => agree += 1,
                (false, Some(reason)) => reasons.push((reason, id)),
                (true, Some(reason)) => {
                    wrong.push(format!("{loader} {id}: needless reason: {reason}"))
                }
                (false, None) => wrong.push(format!(
                    "{loader} {id}: {ours}, not {theirs}: {:?}",
                    report.diagnostics()
                )),
            }
        }
        println!(
            "{:<14} agrees on {agree}, deviates on {}",
            dialect.name,
            reasons.len()
        );
        for reason in reasons
            .iter()
            .map(|(reason, _)| reason)
            .collect::<BTreeSet<_>>()
        {
            let ids = reasons
                .iter()
                .filter(|(other, _)| other == reason)
                .map(|(_, id)| *id);
            println!("    {reason}: {}", ids.collect::<Vec<_>>().join(", "));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_body_equals_that_of_the_loaders() {
    let Some(file) = oracle("dialect_probes") else {
        return;
    };
    let mut compared = 0;
    for (loader, dialect) in LOADERS {
        for probe in rows(&file["probes"]) {
            let theirs = probe["loaders"][loader]["fields"]["body"].as_str();
            let report = report(probe, dialect);
            let (Some(theirs), Some(doc)) = (theirs, report.doc()) else {
                continue;
            };
            compared += 1;
            // the reason is in the table above
            if probe["id"] != "close-no-newline" {
                assert_eq!(doc.body, theirs, "{loader} {}", probe["id"]);
            }
        }
    }
    println!("{compared} bodies compared");
    assert!(compared > 50);
}

#[test]
fn the_strict_preset_agrees_with_the_reference_validator() {
    let Some(file) = oracle("skills_ref_probes") else {
        return;
    };
    let (mut agree, mut deviate) = (0, 0);
    for probe in rows(&file["probes"]) {
        let id = text(&probe["id"]);
        let report = report(probe, &Dialect::AGENT_SKILLS);
        let theirs = probe["valid"].as_bool().unwrap();
        if deviation("skills-ref", id, &serde_json::json!({})).is_some() {
            deviate += 1;
            assert_ne!(report.is_valid(), theirs, "{id}: needless deviation");
            continue;
        }
        agree += 1;
        assert_eq!(
            report.is_valid(),
            theirs,
            "{id}: {:?}",
            report.diagnostics()
        );
        let Some(doc) = report.doc() else {
            continue;
        };
        let properties = &probe["properties"];
        assert_eq!(doc.name, text(&properties["name"]), "{id}");
        assert_eq!(doc.description, text(&properties["description"]), "{id}");
        assert_eq!(
            doc.license.as_deref(),
            properties["license"].as_str(),
            "{id}"
        );
        assert_eq!(
            doc.compatibility.as_deref(),
            properties["compatibility"].as_str(),
            "{id}"
        );
        let tools = &properties["allowed-tools"];
        assert_eq!(doc.allowed_tools.is_some(), !tools.is_null(), "{id}");
        if let Some(tools) = tools.as_array() {
            assert_eq!(
                serde_json::json!(doc.allowed_tools),
                Value::Array(tools.clone()),
                "{id}"
            );
        }
        // a nested value is JSON here, and Python there
        if id != "metadata-nested"
            && let Some(metadata) = properties["metadata"].as_object()
        {
            assert_eq!(
                serde_json::to_value(doc).unwrap()["metadata"],
                Value::Object(metadata.clone()),
                "{id}"
            );
        }
    }
    println!("AGENT_SKILLS agrees on {agree}, deviates on {deviate}");
}

#[test]
fn the_scenario_documents_load_as_specified() {
    let Some(file) = oracle("loader_scenarios") else {
        return;
    };
    let malformed = |code: &str| code == "malformed_frontmatter";
    for scenario in rows(&file["scenarios"]) {
        for (path, content) in scenario["files"].as_object().unwrap() {
            let report = skill_manifest::check_at(path, text(content), &Dialect::LILY);
            let bad = path.contains("/bad/")
                || (scenario["id"] == "no-fallback-when-malformed"
                    && path.starts_with("workspace"));
            assert_eq!(
                report.is_valid(),
                !bad,
                "{path}: {:?}",
                report.diagnostics()
            );
            if bad {
                assert!(
                    report
                        .errors()
                        .all(|diagnostic| malformed(diagnostic.code.as_str())),
                    "{path}"
                );
            }
        }
    }
}

#[test]
fn every_name_is_sanitized_like_the_oracle() {
    let Some(file) = oracle("sanitize_name") else {
        return;
    };
    for case in rows(&file["cases"]) {
        let input = text(&case["input"]);
        assert_eq!(sanitize_name(input), text(&case["output"]), "{input}");
    }
}
