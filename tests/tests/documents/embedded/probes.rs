//! The loader reaches the same verdict as the check. A test of `skill-macros` on the same files shows that the macros do too.

use serde_json::Value;
use skill_agent::manifest::{Catalog, Diagnostic, Dialect, Severity, Source, check_bytes};
use std::fs;
use std::path::Path;

/// Broken texts in a folder `review`, each with its code in `AGENT_SKILLS`.
const BROKEN: &[(&str, &str)] = &[
    ("no frontmatter", "missing_frontmatter"),
    ("---\nname: review\n", "malformed_frontmatter"),
    ("---\n- review\n---\n", "malformed_frontmatter"),
    ("---\nname: review\n---\n", "missing_field"),
    ("---\nname: plan\ndescription: d\n---\n", "name_mismatch"),
    ("---\nname: review\ndescription: ''\n---\n", "empty_field"),
    (
        "---\nname: review\ndescription: &a d\n---\n",
        "yaml_feature",
    ),
    (
        "---\nname: review\ndescription:\n  - d\n---\n",
        "wrong_type",
    ),
    (
        "---\nname: review\nname: review\ndescription: d\n---\n",
        "duplicate_key",
    ),
    (
        "---\nname: review\ndescription: d\nicon: i\n---\n",
        "unknown_field",
    ),
];

/// Folders and names that are not valid ids, or look like others; in YAML, between `"`.
const UNSEEN: &[(&str, &str)] = &[
    ("pl\u{202e}an", "plan"),
    ("plan", "pl\u{202e}an"),
    ("zw\u{200b}", "zw\u{200b}"),
    ("deploy\u{3164}", "deploy\u{3164}"),
    ("deploy", "deploy\u{3164}"),
    ("deploy\u{fe0f}", "deploy"),
    ("a\u{1b}[31m", "a"),
    ("a\nb", "a\\nb"),
    ("a", "a\\tb"),
    ("a", "a\\u2028b"),
    (" ", "a"),
    ("a", ""),
];

#[test]
fn an_id_that_looks_different_has_the_same_code_in_loader_and_check() {
    for (folder, name) in UNSEEN {
        let text = format!("---\nname: \"{name}\"\ndescription: d\n---\n");
        let refused = Dialect::PRESETS.iter().filter(|dialect| {
            let codes = compare(folder, "SKILL.md", text.as_bytes(), dialect);
            assert!(codes.len() <= 1, "{codes:?}");
            !codes.is_empty()
        });
        assert!(refused.count() >= 2, "{folder:?} {name:?}");
    }
}

#[test]
fn a_broken_text_has_the_same_code_in_loader_and_check() {
    for (text, code) in BROKEN {
        let codes = compare(
            "review",
            "SKILL.md",
            text.as_bytes(),
            &Dialect::AGENT_SKILLS,
        );
        assert_eq!(codes, [*code], "{text}");
        for dialect in Dialect::PRESETS {
            compare("review", "SKILL.md", text.as_bytes(), dialect);
        }
    }
}

#[test]
fn a_probe_has_the_same_codes_in_loader_and_check() {
    for oracle in ["dialect_probes", "skills_ref_probes"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../shared/oracles")
            .join(oracle)
            .with_extension("json");
        let Ok(text) = fs::read_to_string(&file) else {
            eprintln!("skipped: {} is not there", file.display());
            continue;
        };
        let file: Value = serde_json::from_str(&text).unwrap();
        let (mut refused, mut all) = (0, 0);
        for probe in file["probes"].as_array().unwrap() {
            let text = |key: &str| probe[key].as_str().unwrap();
            let content: Vec<u8> = match probe["encoding"].as_str() {
                Some("latin-1") => text("content").chars().map(|c| c as u8).collect(),
                _ => text("content").into(),
            };
            for dialect in Dialect::PRESETS {
                let is_named = dialect.file_names.contains(&text("file"));
                if is_named {
                    let codes = compare(text("dir"), text("file"), &content, dialect);
                    all += 1;
                    refused += usize::from(!codes.is_empty());
                }
            }
        }
        println!("{oracle}: {all} verdicts, {refused} of them refusals");
        assert!(refused > 0 && refused < all);
    }
}

/// Returns the codes of a document in a folder, which both must agree on.
fn compare(folder: &str, file: &str, content: &[u8], dialect: &Dialect) -> Vec<&'static str> {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join(folder).join(file);
    fs::create_dir(root.path().join(folder)).unwrap();
    fs::write(&path, content).unwrap();
    let report = check_bytes(path.to_str().unwrap(), content, dialect);
    let expected = codes(report.diagnostics());
    let catalog = Catalog::builder(*dialect)
        .source(Source::user(root.path()))
        .load();
    let found = codes(catalog.diagnostics());
    let text = String::from_utf8_lossy(content);
    assert_eq!(found, expected, "{} of {folder}:\n{text}", dialect.name);
    found
}

/// Returns the sorted codes of the errors.
fn codes(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    let errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error);
    let mut codes: Vec<&str> = errors.map(|diagnostic| diagnostic.code.as_str()).collect();
    codes.sort_unstable();
    codes
}
