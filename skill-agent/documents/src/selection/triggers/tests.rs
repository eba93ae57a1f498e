//! Compares the index with a loop over all triggers.

use super::*;
use crate::selection::CandidateKind;
use proptest::prelude::*;
use skill_manifest::__private::{compile_glob, compile_pattern};

/// Returns the matches found by a loop over every trigger of a candidate.
fn by_loop<'a>(candidate: &'a Candidate, query: &Query<'_>) -> Vec<TriggerMatch<'a>> {
    let text = normalize(query.used_text());
    let folded = fold_case(&text);
    let occurs = |word: &str, boundary| {
        let word = fold_case(&normalize(word.trim()));
        let mut starts = folded.char_indices().map(|(at, _)| at);
        starts.any(|at| {
            folded[at..].starts_with(&word) && is_delimited(&folded, at, at + word.len(), boundary)
        })
    };
    let triggers = &candidate.triggers;
    let mut found = Vec::new();
    let spaced = candidate.id.replace(['-', '_'], " ");
    if occurs(&candidate.id, Boundary::Id) || occurs(&spaced, Boundary::Id) {
        found.push(TriggerMatch::Mention);
    }
    for (at, word) in (0..).zip(triggers.keywords.iter()) {
        found.extend(occurs(word, Boundary::Word).then(|| word_match(triggers, Word::Keyword(at))));
    }
    for (at, word) in (0..).zip(triggers.verbs.iter()) {
        found.extend(occurs(word, Boundary::Word).then(|| word_match(triggers, Word::Verb(at))));
    }
    for pattern in triggers.patterns.iter() {
        let is_match = compile_pattern(pattern).is_ok_and(|regex| regex.is_match(&text));
        found.extend(is_match.then_some(TriggerMatch::Pattern(pattern)));
    }
    for glob in triggers.paths.iter() {
        let regex = compile_glob(glob).unwrap();
        let path = query
            .paths
            .iter()
            .find(|path| regex.is_match(&normalize(path)));
        found.extend(path.map(|path| TriggerMatch::Path {
            glob,
            path: normalize(path),
        }));
    }
    found.sort();
    found.dedup();
    found
}

fn words(pattern: &'static str) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(pattern, 0..4)
}

fn candidate() -> impl Strategy<Value = Candidate> {
    let patterns = prop::sample::subsequence(
        vec![
            "a.*b",
            "(?:ab|é)",
            r"\bb+\b",
            "[ab]{2}",
            "A",
            "a|",
            "字+",
            "(?-i)B",
        ],
        0..4,
    );
    let globs = prop::sample::subsequence(vec!["*.rs", "src/**", "**/b?", "{a,b}/*", "é/**"], 0..3);
    let id = "[ab]{1,2}(-[ab]{1,2})?";
    (
        id,
        words("[abAé+ ]{1,3}|字|c\\+\\+|e\u{301}"),
        words("[ab]{1,2}"),
        patterns,
        globs,
    )
        .prop_map(|(id, keywords, verbs, patterns, globs)| {
            let list = |list: Vec<String>| list.into_iter().map(Into::into).collect();
            let fixed = |list: Vec<&'static str>| list.into_iter().map(Into::into).collect();
            let mut candidate = Candidate::new(CandidateKind::Document, id, "d");
            candidate.triggers.keywords = list(
                keywords
                    .into_iter()
                    .filter(|word| !word.trim().is_empty())
                    .collect(),
            );
            candidate.triggers.verbs = list(verbs);
            candidate.triggers.patterns = fixed(patterns);
            candidate.triggers.paths = fixed(globs);
            candidate
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn the_index_finds_what_a_loop_over_all_triggers_finds(
        candidates in prop::collection::vec(candidate(), 0..6),
        text in "[abABcé+ 字\u{301}-]{0,16}",
        paths in prop::collection::vec("(src/)?[abé]{1,2}(/[ab]{1,2}|\\.rs)?", 0..3),
    ) {
        let index = TriggerIndex::new(&candidates);
        let query = Query::new(&text).paths(paths.iter().map(String::as_str));
        let matches = index.matches(&candidates, &query);
        for (at, candidate) in (0..).zip(&candidates) {
            let found = matches.get(&at).cloned().unwrap_or_default();
            prop_assert_eq!(found, by_loop(candidate, &query), "{:?}", candidate);
        }
    }
}
