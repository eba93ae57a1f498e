//! Documents found in the wild.

use crate::common::{documents, shared};
use skill_manifest::{DiagnosticCode, Dialect, SkillDoc, check_bytes};
use std::collections::BTreeMap;

#[test]
fn at_least_95_percent_of_the_corpus_loads() {
    let Some(folder) = shared("corpus") else {
        return;
    };
    let documents = documents(&folder);
    let mut codes = BTreeMap::<_, usize>::new();
    let mut loaded = 0;
    for (path, bytes) in &documents {
        let report = check_bytes(path, bytes, &Dialect::AGENT_SKILLS_LENIENT);
        loaded += usize::from(report.is_valid());
        assert!(report.is_valid() || report.errors().count() > 0, "{path}");
        for diagnostic in report.diagnostics() {
            *codes
                .entry((diagnostic.severity, diagnostic.code.as_str()))
                .or_default() += 1;
        }
        for diagnostic in report.errors() {
            println!("{diagnostic}");
        }
    }
    println!("{loaded} of {} load", documents.len());
    for ((severity, code), count) in codes {
        println!("    {severity} {code}: {count}");
    }
    assert!(
        loaded * 100 >= documents.len() * 95,
        "{loaded} of {}",
        documents.len()
    );
}

#[test]
fn the_strict_preset_agrees_with_the_reference_validator_on_the_corpus() {
    let Some(folder) = shared("corpus") else {
        return;
    };
    let verdicts = std::fs::read_to_string(folder.join("verdicts.jsonl")).unwrap();
    let (mut same, mut marks, mut others) = (0, 0, Vec::new());
    for line in verdicts.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| row[key].as_str().unwrap();
        let path = format!("{}/{}", text("repo").replace('/', "+"), text("path"));
        let Ok(bytes) = std::fs::read(folder.join(&path)) else {
            panic!("{path} is not there");
        };
        for (loader, dialect) in [
            ("skills-ref", Dialect::AGENT_SKILLS),
            ("agent-base", Dialect::TRIGGERED),
            ("pickle-bot", Dialect::NAMED),
        ] {
            let report = check_bytes(&path, &bytes, &dialect);
            match row["loaders"][loader]["loads"].as_bool() {
                // one byte order mark is removed
                Some(false) if report.is_valid() && bytes.starts_with(b"\xEF\xBB\xBF") => {
                    marks += 1
                }
                Some(theirs) if theirs != report.is_valid() => {
                    others.push(format!(
                        "{loader} {path}: {theirs} there, {:?}",
                        report.diagnostics()
                    ));
                }
                _ => same += 1,
            }
        }
    }
    println!("{same} verdicts are the same, {marks} differ by a byte order mark");
    assert!(others.is_empty(), "{}", others.join("\n"));
}

/// The parts that a manual fix may change only in quoting.
fn words(doc: &SkillDoc) -> (String, Vec<String>, String) {
    let description = doc.description.split_whitespace().map(str::to_owned);
    (
        doc.name.to_string(),
        description.collect(),
        doc.body.to_string(),
    )
}

#[test]
fn a_repaired_document_equals_the_one_a_person_fixed() {
    let Some(folder) = shared("corpus-broken") else {
        return;
    };
    let (mut valid, mut repaired, mut equal, mut bodies) = (0, 0, 0, 0);
    let documents = documents(&folder.join("before"));
    for (path, bytes) in &documents {
        let dialect = Dialect::AGENT_SKILLS_LENIENT;
        let before = check_bytes(path, bytes, &dialect);
        let fixed = std::fs::read(folder.join("after").join(path)).unwrap();
        let after = check_bytes(path, &fixed, &dialect);
        let was_repaired = before
            .diagnostics()
            .iter()
            .any(|diagnostic| diagnostic.code == DiagnosticCode::RepairedYaml);
        valid += usize::from(before.is_valid() && !was_repaired);
        repaired += usize::from(before.is_valid() && was_repaired);
        let (Some(before), Some(after)) = (before.doc(), after.doc()) else {
            println!("not repaired: {path}: {:?}", before.diagnostics());
            continue;
        };
        let (mine, theirs) = (words(before), words(after));
        bodies += usize::from(mine.2 == theirs.2);
        match (mine.0 == theirs.0, mine.1 == theirs.1) {
            (true, true) => equal += 1,
            // it parsed, and the fix put the `|` of a block scalar into the string
            _ => println!("the fix changed what was valid: {path}"),
        }
        if was_repaired {
            assert_eq!((mine.0, mine.1), (theirs.0, theirs.1), "{path}");
        }
    }
    println!(
        "of {}: {valid} are valid, {repaired} repaired, {equal} mean the same, {bodies} have the same body",
        documents.len()
    );
    assert_eq!(valid + repaired, documents.len());
}
