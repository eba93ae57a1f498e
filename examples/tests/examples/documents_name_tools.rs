//! Words in the documents of others that are almost one of the 68 tools, and misspelled names among them.

use skill_agent::Agent;
use skill_agent::manifest::__private::words_in_backticks;
use skill_agent::manifest::misspelled_tools;
use skill_examples::Workbench;
use std::fs;
use std::path::{Path, PathBuf};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus");

/// Mistakes of typing and of memory: swapped, doubled, missing and wrong letters, the style of another
/// language, a plural, a word that is spelled by its sound.
const PLANTED: [(&str, &str); 20] = [
    ("maen", "mean"),
    ("gerp", "grep"),
    ("mkdr", "mkdir"),
    ("toucch", "touch"),
    ("serach_messages", "search_messages"),
    ("sqaure_root", "square_root"),
    ("devide", "divide"),
    ("subract", "subtract"),
    ("multipy", "multiply"),
    ("logaritm", "logarithm"),
    ("standart_deviation", "standard_deviation"),
    ("absolut_value", "absolute_value"),
    ("getTicket", "get_ticket"),
    ("round-number", "round_number"),
    ("list_user", "list_users"),
    ("post_tweets", "post_tweet"),
    ("unfolow_user", "unfollow_user"),
    ("retweat", "retweet"),
    ("message_log_in", "message_login"),
    ("autenticate_twitter", "authenticate_twitter"),
];

fn tools() -> Vec<&'static str> {
    let tools: Vec<_> = Workbench::tools().iter().map(|tool| tool.name).collect();
    assert_eq!(tools.len(), 68);
    tools
}

/// The texts of the documents of the corpus; `None` if it is not there.
fn corpus() -> Option<Vec<String>> {
    if !Path::new(CORPUS).exists() {
        eprintln!("skipped: {CORPUS} is not there");
        return None;
    }
    let (mut folders, mut files) = (vec![PathBuf::from(CORPUS)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "md" => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    let texts = files.iter().map(|file| fs::read(file).unwrap());
    Some(
        texts
            .map(|text| String::from_utf8_lossy(&text).into_owned())
            .collect(),
    )
}

#[test]
fn at_most_one_percent_of_the_words_of_other_documents_are_reported() {
    let Some(texts) = corpus() else { return };
    let tools = tools();
    let words: usize = texts
        .iter()
        .map(|text| words_in_backticks(text).count())
        .sum();
    let found: Vec<_> = texts
        .iter()
        .flat_map(|text| misspelled_tools(text, &tools, &[]))
        .collect();
    println!(
        "{} documents, {words} words in backticks, {} reported: {:.2} %",
        texts.len(),
        found.len(),
        100.0 * found.len() as f64 / words as f64
    );
    for found in &found {
        println!("  {}", found.message);
    }
    assert!(words > 1_000, "{words}");
    assert!(100 * found.len() <= words, "{} of {words}", found.len());
}

#[test]
fn every_planted_misspelling_is_found_with_the_name_that_was_meant() {
    let tools = tools();
    let documents = corpus().unwrap_or_else(|| vec![String::from("# Notes\n"); PLANTED.len()]);
    let mut found = 0;
    for (text, (planted, meant)) in documents.into_iter().zip(PLANTED) {
        let text = format!("{text}\n\nThen call `{planted}`, not `{meant}`.\n");
        let expected = format!("no tool has the name `{planted}`; did you mean `{meant}`?");
        let reported = misspelled_tools(&text, &tools, &[]);
        assert!(
            reported.iter().any(|reported| reported.message == expected),
            "{planted}: {reported:?}"
        );
        found += 1;
    }
    println!(
        "{found} of {} planted misspellings are found",
        PLANTED.len()
    );
    assert_eq!(found, PLANTED.len());
}
