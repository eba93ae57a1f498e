//! Precision and recall over questions that were written before the code.

use serde::Deserialize;
use skill_agent::manifest::selection::{Activations, Query, SelectionPolicy, Tier};
use skill_agent::manifest::selection::{Candidate, Selection, Selector};
use skill_agent::manifest::{Dialect, SkillDoc, check};
use std::fs;
use std::path::Path;

const QUESTIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/questions");
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus");

/// Questions that need one document.
#[derive(Deserialize)]
struct Expected {
    name: String,
    /// The path in the corpus.
    #[serde(default)]
    path: String,
    questions: Vec<String>,
}

#[derive(Deserialize)]
struct Triggered {
    expected: Vec<Expected>,
    none: Vec<String>,
}

fn read<T: for<'de> Deserialize<'de>>(name: &str) -> T {
    let text = fs::read_to_string(format!("{QUESTIONS}/{name}.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn doc(path: &Path, dialect: &Dialect) -> SkillDoc {
    let text = fs::read_to_string(path).unwrap();
    let report = check(&text, dialect);
    report
        .doc()
        .unwrap_or_else(|| panic!("{}: {:?}", path.display(), report.diagnostics()))
        .clone()
}

fn ids<'a>(selection: &Selection<'a>) -> Vec<&'a str> {
    let full = selection
        .items
        .iter()
        .filter(|item| item.tier == Tier::Full);
    full.map(|item| &*item.candidate.id).collect()
}

/// The number of questions whose document is selected, and those that select another number of documents than none.
struct Found {
    recalled: usize,
    asked: usize,
    missed: Vec<String>,
    wrong: Vec<String>,
}

fn ask(
    selector: &Selector,
    policy: &SelectionPolicy,
    expected: &[Expected],
    none: &[String],
) -> Found {
    let activations = Activations::default();
    let mut found = Found {
        recalled: 0,
        asked: 0,
        missed: Vec::new(),
        wrong: Vec::new(),
    };
    for Expected {
        name, questions, ..
    } in expected
    {
        for question in questions {
            found.asked += 1;
            let ids = ids(&selector.select(&Query::new(question), &activations, policy));
            if ids.contains(&&**name) {
                found.recalled += 1;
            } else {
                found
                    .missed
                    .push(format!("{name} by {question:?}: {ids:?}"));
            }
        }
    }
    for question in none {
        let ids = ids(&selector.select(&Query::new(question), &activations, policy));
        if !ids.is_empty() {
            found.wrong.push(format!("{ids:?} by {question:?}"));
        }
    }
    println!(
        "recall at 3: {} of {}; {} of {} others get one",
        found.recalled,
        found.asked,
        found.wrong.len(),
        none.len()
    );
    println!("missed: {:#?}\nwrong: {:#?}", found.missed, found.wrong);
    found
}

#[test]
fn descriptions_find_the_documents_of_a_question_and_no_others() {
    if !Path::new(CORPUS).exists() {
        eprintln!("skipped: {CORPUS} is not there");
        return;
    }
    let expected: Vec<Expected> = read("corpus_questions");
    let docs = expected.iter().map(|expected| {
        doc(
            &Path::new(CORPUS).join(&expected.path),
            &Dialect::AGENT_SKILLS_LENIENT,
        )
    });
    let selector = Selector::new(docs.map(|doc| Candidate::document(&doc, 0)));
    assert_eq!(selector.candidates().len(), 40);
    let policy = SelectionPolicy::TIERS.match_descriptions(true);
    let found = ask(
        &selector,
        &policy,
        &expected,
        &read::<Vec<String>>("unrelated_questions"),
    );
    assert!(
        found.recalled * 10 >= found.asked * 8,
        "{} of {}",
        found.recalled,
        found.asked
    );
    assert!(found.wrong.len() <= 5, "{}", found.wrong.len());
}

#[test]
fn triggers_find_the_documents_of_a_question_and_no_others() {
    let Triggered { expected, none } = read("triggered_questions");
    let docs = expected.iter().map(|expected| {
        let path = format!("{QUESTIONS}/triggered/{}/SKILL.md", expected.name);
        doc(Path::new(&path), &Dialect::TRIGGERED)
    });
    let selector = Selector::new(docs.map(|doc| Candidate::document(&doc, 0)));
    assert_eq!(selector.candidates().len(), 20);
    let found = ask(&selector, &SelectionPolicy::TIERS, &expected, &none);
    assert!(
        found.recalled * 10 >= found.asked * 8,
        "{} of {}",
        found.recalled,
        found.asked
    );
    assert!(found.wrong.len() <= 3, "{}", found.wrong.len());
}
