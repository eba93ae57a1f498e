//! Documents found in the wild, if they are available.

use crate::support::{Run, program, shared};
use std::collections::BTreeMap;

#[test]
fn every_document_of_the_corpus_gets_a_verdict() {
    for (name, dialect) in [
        ("corpus", "agent_skills"),
        ("corpus", "agent_skills_lenient"),
        ("corpus-broken/before", "agent_skills_lenient"),
    ] {
        let Some(folder) = shared(name) else {
            return;
        };
        let run = Run::of(
            program()
                .args(["validate", "--json", "--dialect", dialect, "."])
                .current_dir(folder),
        );
        let (mut ok, mut codes) = (0, BTreeMap::<String, usize>::new());
        let lines = run.lines();
        for line in &lines {
            let valid = line["ok"].as_bool().unwrap();
            ok += usize::from(valid);
            let found = line["diagnostics"].as_array().unwrap();
            assert!(
                valid
                    || found
                        .iter()
                        .any(|diagnostic| diagnostic["severity"] == "error"),
                "{line}"
            );
            for diagnostic in found {
                let code = format!(
                    "{} {}",
                    diagnostic["severity"].as_str().unwrap(),
                    diagnostic["code"].as_str().unwrap()
                );
                *codes.entry(code).or_default() += 1;
            }
        }
        println!(
            "{name}, {dialect}: {ok} of {} are valid; {codes:?}",
            lines.len()
        );
        assert_eq!(run.code, i32::from(ok < lines.len()));
        assert!(!lines.is_empty());
    }
}
