//! Compares verdicts with the reference validator of the open standard: PyPI `skills-ref` 0.1.1.
//!
//! ```sh
//! pip install skills-ref==0.1.1
//! cargo test -p skill-agent-cli --test cli reference -- --nocapture
//! ```

use crate::support::{Run, program, shared};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Validates every folder of a list in one process, and prints how long that took.
const REFERENCE: &str = "
import json, sys, time
from pathlib import Path
from skills_ref import validate
folders, said, start = json.loads(sys.argv[1]), [], time.perf_counter()
for folder in folders:
    try:
        said.append(validate(Path(folder)))
    except Exception as error:
        said.append(['it crashed: ' + repr(error)])
print(json.dumps({'said': said, 'seconds': time.perf_counter() - start}))
";

/// Intended differences, by the end of the path.
const DEVIATIONS: &[(&str, &str)] = &[(
    "verify-samples-tool/SKILL.md",
    "one byte order mark is skipped, which the reference takes for text before the frontmatter",
)];

#[test]
fn the_prompt_equals_that_of_the_reference_byte_for_byte() {
    let Some(folder) = reference().and_then(|()| shared("corpus/obra+superpowers")) else {
        return;
    };
    let ours = Run::of(program().args(["prompt", "skills"]).current_dir(&folder));
    let mut skills: Vec<_> = folder.join("skills").read_dir().unwrap().collect();
    skills.sort_by_key(|entry| entry.as_ref().unwrap().path());
    let skills = skills.into_iter().map(|entry| entry.unwrap().path());
    let theirs = Run::of(
        Command::new("python3")
            .args(["-c", "from skills_ref.cli import main; main()", "to-prompt"])
            .args(skills),
    );
    assert_eq!((ours.code, &*ours.err), (0, ""));
    assert_eq!(ours.out, theirs.out);
}

/// Whether the validator is installed; otherwise prints why the test is skipped.
fn reference() -> Option<()> {
    let found = Command::new("python3")
        .args(["-c", "import skills_ref"])
        .output();
    if found.is_ok_and(|output| output.status.success()) {
        return Some(());
    }
    eprintln!("skipped: python3 has no skills_ref; `pip install skills-ref==0.1.1` brings it");
    None
}

#[test]
fn verdicts_agree_with_the_reference_validator_except_for_listed_ones() {
    if reference().is_none() {
        return;
    }
    for name in ["corpus", "corpus-broken/before", "corpus-broken/after"] {
        let Some(folder) = shared(name) else {
            return;
        };
        compare(name, &folder);
    }
}

fn compare(name: &str, folder: &Path) {
    let start = Instant::now();
    let run = Run::of(program().args(["validate", "--json"]).arg(folder));
    let ours = start.elapsed();
    let lines = run.lines();
    let path = |line: &Value| line["path"].as_str().unwrap().to_owned();
    let folders: Vec<String> = lines
        .iter()
        .map(|name| {
            Path::new(&path(name))
                .parent()
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    let start = Instant::now();
    let python = Command::new("python3")
        .args(["-c", REFERENCE, &serde_json::to_string(&folders).unwrap()])
        .output()
        .unwrap();
    let theirs = start.elapsed();
    let python: Value = serde_json::from_slice(&python.stdout).unwrap();
    let mut same = 0;
    for (line, said) in lines.iter().zip(python["said"].as_array().unwrap()) {
        let valid = said.as_array().unwrap().is_empty();
        if line["ok"] == valid {
            same += 1;
            continue;
        }
        let path = path(line);
        let reason = DEVIATIONS.iter().find(|(end, _)| path.ends_with(end));
        let (_, reason) = reason.unwrap_or_else(|| panic!("{path}: {said} there, {line} here"));
        println!("    {path}: {reason}");
    }
    println!(
        "{name}: {same} of {} verdicts are the same; {ours:.1?} for `skills validate`, {theirs:.1?} for the reference in one \
         process, {:.3} s of it in `validate`",
        lines.len(),
        python["seconds"].as_f64().unwrap(),
    );
    assert_eq!(lines.len(), folders.len());
}
