//! The cases of an implementation of tiers by others.

use crate::common::oracle::{oracle, rows, text};
use serde_json::Value;
use skill_agent::manifest::selection::{
    Activations, Candidate, CandidateKind, Query, SelectionPolicy, Selector, Tier,
};

/// A row that is decided otherwise, by its skill set and query, with the reason.
const DEVIATIONS: [(&str, &str, &str); 2] = [
    // a document with an invalid pattern does not load in the dialect of these documents, so there is nothing to select from
    ("bad", "test message", "the document is left out"),
    // the list, as for `show skills`
    ("base", "list skills", "the registry"),
];

fn selector(set: &Value) -> Selector {
    Selector::new(set.as_array().unwrap().iter().map(|skill| {
        let name = text(&skill["name"]).to_owned();
        let description = text(&skill["description"]).to_owned();
        let mut candidate = Candidate::new(CandidateKind::Document, name, description);
        let list = |key: &str| {
            let list = skill["triggers"][key]
                .as_array()
                .cloned()
                .unwrap_or_default();
            list.iter()
                .map(|item| text(item).to_owned().into())
                .collect()
        };
        candidate.triggers.keywords = list("keywords");
        candidate.triggers.verbs = list("verbs");
        candidate.triggers.patterns = list("patterns");
        candidate
    }))
}

#[test]
fn every_asserted_case_gets_the_same_tier_and_documents() {
    let Some(cases) = oracle("disclosure_cases") else {
        return;
    };
    let activations = Activations::default();
    let (mut equal, mut deviations, mut skipped) = (0, Vec::new(), Vec::new());
    for case in rows(&cases["cases"]) {
        let (set, query) = (text(&case["skill_set"]), text(&case["query"]));
        let Some(skills) = cases["skill_sets"].get(set) else {
            skipped.push(set);
            continue;
        };
        let selector = selector(skills);
        let selection = selector.select(&Query::new(query), &activations, &SelectionPolicy::TIERS);
        let full = selection
            .items
            .iter()
            .filter(|item| item.tier == Tier::Full);
        let ids: Vec<&str> = full.map(|item| &*item.candidate.id).collect();
        let expected: Vec<&str> = case["docs"].as_array().unwrap().iter().map(text).collect();
        let same =
            (u64::from(selection.tier.number()), ids) == (case["tier"].as_u64().unwrap(), expected);
        if same {
            equal += 1;
        } else {
            deviations.push((set, query));
        }
    }
    println!(
        "{equal} cases equal, decided otherwise: {deviations:?}; sets that the file lacks: {skipped:?}"
    );
    for deviation in deviations {
        let known = DEVIATIONS
            .iter()
            .any(|(set, query, _)| (*set, *query) == deviation);
        assert!(known, "{deviation:?}");
    }
    assert!(equal > 0);
}
