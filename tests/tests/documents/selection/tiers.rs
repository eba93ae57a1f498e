//! The tiers of a selection, its ranking, its budget and its reasons.

use skill_agent::manifest::selection::{
    ActivationPeriod, Activations, Candidate, CandidateKind, Exposure, LeftOutReason, Query,
    Selection, SelectionPolicy, SelectionReason, Selector, Tier, TriggerMatch,
};

fn candidate(id: &'static str, keywords: &[&'static str]) -> Candidate {
    let mut candidate = Candidate::new(
        CandidateKind::Document,
        id,
        format!("About {id} matters. More."),
    );
    candidate.triggers.keywords = keywords.iter().map(|keyword| (*keyword).into()).collect();
    candidate.text_bytes = 400;
    candidate
}

fn select<'a>(
    selector: &'a Selector,
    text: &str,
    activations: &'a Activations,
    policy: &SelectionPolicy,
) -> Selection<'a> {
    selector.select(&Query::new(text), activations, policy)
}

fn ids<'a>(selection: &Selection<'a>) -> Vec<&'a str> {
    selection
        .items
        .iter()
        .map(|item| &*item.candidate.id)
        .collect()
}

fn left_out<'a>(selection: &Selection<'a>, id: &str) -> LeftOutReason<'a> {
    let found = selection
        .left_out
        .iter()
        .find(|item| item.candidate.id == id);
    found
        .unwrap_or_else(|| panic!("{id} is selected"))
        .reason
        .clone()
}

#[test]
fn a_mention_ranks_above_a_phrase_a_recent_use_and_the_order_of_declaration() {
    let docs = [
        candidate("first", &["ship"]),
        candidate("second", &["ship"]),
        candidate("recent", &["ship"]),
        candidate("phrase", &["ship it"]),
        candidate("named", &[]),
    ];
    let selector = Selector::new(docs);
    let policy = SelectionPolicy::TIERS.max_skills(10);
    let mut activations = Activations::default();
    activations.activate("recent", &policy).unwrap();
    activations.start_turn();
    let selection = select(&selector, "Ship it now, named!", &activations, &policy);
    assert_eq!(
        ids(&selection),
        ["named", "phrase", "recent", "first", "second"]
    );
    assert_eq!(selection.items[0].matches, [TriggerMatch::Mention]);
    assert_eq!(
        selection.items[1].matches,
        [TriggerMatch::Phrase("ship it")]
    );
    assert!(
        selection
            .items
            .iter()
            .all(|item| item.reason == SelectionReason::Matched)
    );
    assert_eq!(
        selection,
        select(&selector, "Ship it now, named!", &activations, &policy)
    );
}

#[test]
fn the_most_matches_and_the_budget_are_kept_and_the_others_named() {
    let mut docs = vec![
        candidate("a", &["x"]),
        candidate("b", &["x"]),
        candidate("c", &["x"]),
        candidate("d", &["x"]),
    ];
    docs[1].text_bytes = 4_000;
    let selector = Selector::new(docs);
    let none = Activations::default();
    let (small, large) = (
        selector.candidates()[0].tokens(),
        selector.candidates()[1].tokens(),
    );
    assert_eq!((small, large), (107, 1_007)); // with the element around the text
    let policy = SelectionPolicy::TIERS.budget(large - 1);
    let selection = select(&selector, "x", &none, &policy);
    assert_eq!(
        (selection.tier, ids(&selection)),
        (Tier::Full, vec!["a", "c", "d"])
    );
    assert_eq!(
        left_out(&selection, "b"),
        LeftOutReason::OverBudget {
            tokens: large,
            left: large - 1 - small
        }
    );
    let selection = select(
        &selector,
        "x",
        &none,
        &SelectionPolicy::TIERS.budget(small + large),
    );
    assert_eq!(ids(&selection), ["a", "b"]);
    assert_eq!(
        left_out(&selection, "c"),
        LeftOutReason::OverBudget {
            tokens: small,
            left: 0
        }
    );
    let selection = select(&selector, "x", &none, &SelectionPolicy::TIERS);
    assert_eq!(ids(&selection), ["a", "b", "c"]);
    assert_eq!(
        left_out(&selection, "d"),
        LeftOutReason::OverCount { max: 3 }
    );
    // nothing fits: the list tells that they are there
    let selection = select(&selector, "x", &none, &SelectionPolicy::TIERS.budget(80));
    assert_eq!(
        (selection.tier, ids(&selection)),
        (Tier::Registry, vec!["a", "b", "c", "d"])
    );
}

#[test]
fn the_tier_depends_on_what_is_there_and_what_is_asked() {
    let none = Activations::default();
    let tier = |selector: &Selector, text: &str| {
        select(selector, text, &none, &SelectionPolicy::TIERS).tier
    };
    let empty = Selector::new([]);
    let plain = Selector::new([candidate("plain", &[])]);
    let with_triggers = Selector::new([candidate("plain", &[]), candidate("a", &["x"])]);
    for (text, expected) in [
        (
            "What can you do?",
            [Tier::Nothing, Tier::Registry, Tier::Registry],
        ),
        ("list all skills", [Tier::Nothing, Tier::Full, Tier::Full]),
        ("an x", [Tier::Nothing, Tier::Registry, Tier::Full]),
        ("other", [Tier::Nothing, Tier::Registry, Tier::Breadcrumb]),
        ("plain", [Tier::Nothing, Tier::Full, Tier::Full]),
    ] {
        let found = [&empty, &plain, &with_triggers].map(|selector| tier(selector, text));
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn a_program_gives_the_questions_of_its_language() {
    let selector = Selector::new([candidate("a", &["x"])]);
    let none = Activations::default();
    let german = SelectionPolicy::TIERS.questions(["was kannst du", "welche f\u{e4}higkeiten"]);
    for (text, expected) in [
        ("Was kannst Du?", Tier::Registry),
        ("Welche Fa\u{308}higkeiten hast du?", Tier::Registry), // decomposed
        ("What can you do?", Tier::Registry),
        ("etwas kannst du", Tier::Breadcrumb),
        ("Was kannst du mit x?", Tier::Registry),
        ("x", Tier::Full),
    ] {
        let selection = select(&selector, text, &none, &german);
        assert_eq!(selection.tier, expected, "{text}");
    }
    let stored = serde_json::to_string(&german).unwrap();
    assert_eq!(
        serde_json::from_str::<SelectionPolicy>(&stored).unwrap(),
        german
    );
    let earlier = serde_json::to_string(&SelectionPolicy::TIERS).unwrap();
    assert!(!earlier.contains("questions"));
}

#[test]
fn a_request_for_all_gets_ten_full_texts() {
    let names: Vec<String> = (0..15).map(|number| format!("skill-{number}")).collect();
    let selector = Selector::new(
        names
            .iter()
            .map(|name| Candidate::new(CandidateKind::Document, name.clone(), "d")),
    );
    let none = Activations::default();
    let selection = select(&selector, "Show all skills", &none, &SelectionPolicy::TIERS);
    assert_eq!((selection.items.len(), selection.total), (10, 15));
    assert_eq!(
        left_out(&selection, "skill-10"),
        LeftOutReason::OverCount { max: 10 }
    );
}

#[test]
fn pinned_manual_and_name_only_candidates_are_shown_as_they_say() {
    let selector = Selector::new([
        candidate("pinned", &[]).exposure(Exposure::Pinned),
        candidate("manual", &["x"]).exposure(Exposure::Manual),
        candidate("brief", &[]).exposure(Exposure::NameOnly),
        candidate("a", &["y"]),
    ]);
    let none = Activations::default();
    let selection = select(&selector, "x", &none, &SelectionPolicy::TIERS);
    assert_eq!(
        (selection.tier, ids(&selection), selection.total),
        (Tier::Breadcrumb, vec!["pinned"], 3)
    );
    assert_eq!(selection.items[0].reason, SelectionReason::Pinned);
    assert_eq!(left_out(&selection, "manual"), LeftOutReason::Manual);
    let selection = select(
        &selector,
        "use manual for x and y",
        &none,
        &SelectionPolicy::TIERS.max_skills(2),
    );
    assert_eq!(ids(&selection), ["pinned", "manual", "a"]);
    let selection = select(&selector, "what can you do", &none, &SelectionPolicy::TIERS);
    let listed: Vec<_> = selection
        .items
        .iter()
        .map(|item| (&*item.candidate.id, item.tier, item.has_description))
        .collect();
    assert_eq!(
        listed,
        [
            ("pinned", Tier::Full, true),
            ("brief", Tier::Registry, false),
            ("a", Tier::Registry, true)
        ]
    );
}

#[test]
fn an_active_document_stays_until_its_activation_ends() {
    let selector = Selector::new([candidate("a", &["x"]), candidate("b", &["y"])]);
    let policy = SelectionPolicy::TIERS.period(ActivationPeriod::Turns(2));
    let mut activations = Activations::default();
    activations.activate("b", &policy).unwrap();
    activations.start_turn();
    let selection = select(&selector, "x", &activations, &policy);
    assert_eq!(ids(&selection), ["b", "a"]);
    assert_eq!(selection.items[0].reason, SelectionReason::Active);
    activations.start_turn();
    assert_eq!(ids(&select(&selector, "x", &activations, &policy)), ["a"]);
    let gone = Selector::new([candidate("a", &["x"])]);
    activations.activate("b", &policy).unwrap();
    assert_eq!(ids(&select(&gone, "x", &activations, &policy)), ["a"]);
}

#[test]
fn an_index_gives_one_document_by_its_exact_name_and_no_second_one() {
    let selector = Selector::new([candidate("plan", &["x"]), candidate("review", &[])]);
    let policy = SelectionPolicy::INDEX;
    let mut activations = Activations::default();
    for text in ["x", "Plan", "plan it", "review the plan"] {
        let selection = select(&selector, text, &activations, &policy);
        assert_eq!(
            (selection.tier, ids(&selection)),
            (Tier::Registry, vec!["plan", "review"]),
            "{text}"
        );
    }
    for text in ["plan", "  plan\n"] {
        let selection = select(&selector, text, &activations, &policy);
        assert_eq!(
            (selection.tier, ids(&selection)),
            (Tier::Full, vec!["plan"]),
            "{text}"
        );
        assert_eq!(selection.items[0].reason, SelectionReason::Requested);
    }
    activations.activate("plan", &policy).unwrap();
    let selection = select(&selector, "review", &activations, &policy);
    assert_eq!(ids(&selection), [] as [&str; 0]);
    assert_eq!(
        left_out(&selection, "review"),
        LeftOutReason::OtherActive { active: "plan" }
    );
    let error = activations.clone().activate("review", &policy).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`review` is not activated: `plan` is active, and one is allowed for each request"
    );
    assert_eq!(
        ids(&select(&selector, "plan", &activations, &policy)),
        ["plan"]
    );
    activations.start_turn();
    assert_eq!(
        ids(&select(&selector, "review", &activations, &policy)),
        ["review"]
    );
}

#[test]
fn the_lazy_tool_lists_the_same_for_every_request() {
    let selector = Selector::new([candidate("a", &["x"]), candidate("b", &[])]);
    let none = Activations::default();
    let policy = SelectionPolicy::LAZY_TOOL;
    let selection = select(&selector, "x", &none, &policy);
    assert_eq!(
        (selection.tier, ids(&selection)),
        (Tier::Registry, vec!["a", "b"])
    );
    assert_eq!(
        selection,
        select(&selector, "list all skills", &none, &policy)
    );
}

#[test]
fn tools_of_another_list_are_ranked_by_name_and_description() {
    let tool = |name: &'static str, description: &'static str| {
        Candidate::new(CandidateKind::Tool, name, description)
    };
    let selector = Selector::new([
        tool(
            "get_weather_forecast",
            "Returns the weather forecast of a city.",
        ),
        tool("send_mail", "Sends a mail to an address."),
        tool(
            "search_mail",
            "Searches the mails of a mailbox by sender and subject.",
        ),
        tool("help", "Explains the program.").exposure(Exposure::Pinned),
    ]);
    let none = Activations::default();
    let policy = SelectionPolicy::TIERS
        .match_descriptions(true)
        .max_skills(1);
    let selection = select(
        &selector,
        "Will the weather in the city be fine? I need a forecast.",
        &none,
        &policy,
    );
    assert_eq!(ids(&selection), ["help", "get_weather_forecast"]);
    assert!(matches!(
        selection.items[1].reason,
        SelectionReason::Described { .. }
    ));
    let found = selector.search("a mail by its subject and sender").next();
    assert_eq!(found.unwrap().id, "search_mail");
}

#[test]
fn one_word_of_a_description_is_not_enough_and_two_are() {
    let docs = ["expense-report", "tax-return", "garden-plan"].map(|id| candidate(id, &[]));
    let selector = Selector::new(docs);
    let none = Activations::default();
    let policy = SelectionPolicy::TIERS.match_descriptions(true);
    let selected = |text: &str| {
        let selection = select(&selector, text, &none, &policy);
        let items = selection.items.iter();
        let described =
            items.filter(|item| matches!(item.reason, SelectionReason::Described { .. }));
        let ids = described.map(|item| item.candidate.id.to_string());
        ids.collect::<Vec<_>>()
    };
    // a word of the id, which weighs twice as much as one of the description
    assert_eq!(selected("Read a report, please."), [] as [&str; 0]);
    assert_eq!(selected("Reports of a report in reports."), [] as [&str; 0]);
    assert_eq!(
        selected("Write the report of an expense."),
        ["expense-report"]
    );
}

#[test]
fn long_requests_and_long_patterns_are_bounded() {
    let mut hostile = candidate("hostile", &[]);
    hostile.triggers.patterns = vec!["(x+x+)+y".into(), "(a?){30}a{30}".into()].into();
    let selector = Selector::new([hostile, candidate("end", &["end"])]);
    let none = Activations::default();
    let text = format!("{}{} end", "x".repeat(10_000), "a".repeat(10_000_000));
    let selection = select(&selector, &text, &none, &SelectionPolicy::TIERS);
    assert_eq!(ids(&selection), ["hostile"]);
    assert_eq!(left_out(&selection, "end"), LeftOutReason::NoMatch); // it is after the first 16 KiB
}

#[test]
fn paths_at_hand_select_by_globs() {
    let mut cpp = candidate("cpp", &[]);
    cpp.triggers.paths = vec!["src/**/*.{cpp,h}".into()].into();
    let selector = Selector::new([cpp, candidate("other", &["x"])]);
    let none = Activations::default();
    let select = |paths: &[&'static str]| {
        let query = Query::new("Why does this fail?").paths(paths.iter().copied());
        selector.select(&query, &none, &SelectionPolicy::TIERS)
    };
    let selection = select(&["README.md", "src\\net\\a.cpp", "src/b.h"]);
    assert_eq!(ids(&selection), ["cpp"]);
    assert_eq!(
        selection.items[0].matches[0].to_string(),
        "path `src/net/a.cpp` by `src/**/*.{cpp,h}`"
    );
    assert_eq!(ids(&select(&["lib/a.cpp", "src/a.cc"])), [] as [&str; 0]);
}

#[test]
fn a_manual_candidate_says_nothing_about_the_tier() {
    let none = Activations::default();
    let manual = || candidate("manual", &["x"]).exposure(Exposure::Manual);
    let only = Selector::new([manual()]);
    let selection = select(&only, "anything", &none, &SelectionPolicy::TIERS);
    assert_eq!((selection.tier, selection.total), (Tier::Nothing, 0));
    let with_plain = Selector::new([manual(), candidate("plain", &[])]);
    let selection = select(&with_plain, "anything", &none, &SelectionPolicy::TIERS);
    assert_eq!(
        (selection.tier, ids(&selection)),
        (Tier::Registry, vec!["plain"])
    );
}

#[test]
fn a_request_for_all_that_does_not_fit_gets_the_list() {
    let selector = Selector::new([candidate("a", &[]), candidate("b", &[])]);
    let none = Activations::default();
    let policy = SelectionPolicy::TIERS.budget(100);
    let selection = select(&selector, "list all skills", &none, &policy);
    assert_eq!(
        (selection.tier, ids(&selection)),
        (Tier::Registry, vec!["a", "b"])
    );
    for policy in [
        SelectionPolicy::TIERS,
        SelectionPolicy::INDEX,
        SelectionPolicy::LAZY_TOOL,
    ] {
        let selection = select(&selector, "a", &none, &policy.budget(0));
        assert_eq!((selection.items.len(), selection.left_out.len()), (0, 2));
    }
}

#[test]
fn pinned_candidates_are_first_and_do_not_count() {
    let selector = Selector::new([
        candidate("a", &[]),
        candidate("pinned", &[]).exposure(Exposure::Pinned),
        candidate("manual", &[]).exposure(Exposure::Manual),
    ]);
    let none = Activations::default();
    let policy = SelectionPolicy::TIERS.max_all(1);
    let selection = select(&selector, "list all skills", &none, &policy);
    assert_eq!(ids(&selection), ["pinned", "a"]);
    for policy in [SelectionPolicy::INDEX, SelectionPolicy::LAZY_TOOL] {
        let selection = select(&selector, "anything", &none, &policy);
        assert_eq!(ids(&selection), ["pinned", "a"]);
        assert_eq!(left_out(&selection, "manual"), LeftOutReason::Manual);
    }
}

#[test]
fn a_candidate_with_triggers_is_not_selected_by_its_description() {
    let mut triggered = candidate("tables", &["zzz"]);
    triggered.description = "Converts parquet files to arrow columns.".into();
    let mut plain = candidate("plain", &[]);
    let others = ["one", "two", "three", "four", "five", "six"].map(|id| candidate(id, &[]));
    plain.description = "Converts parquet files to arrow columns.".into();
    let selector = Selector::new([triggered, plain].into_iter().chain(others));
    let none = Activations::default();
    let policy = SelectionPolicy::TIERS.match_descriptions(true);
    let selection = select(
        &selector,
        "convert these parquet files to arrow",
        &none,
        &policy,
    );
    assert_eq!(ids(&selection), ["plain"]);
    let found: Vec<&str> = selector.search("parquet").map(|found| &*found.id).collect();
    assert_eq!(found, ["tables", "plain"]); // a search finds both
}

#[test]
fn what_is_active_and_gone_keeps_nothing_from_being_requested() {
    let selector = Selector::new([candidate("b", &[])]);
    let mut activations = Activations::default();
    activations
        .activate("gone", &SelectionPolicy::INDEX)
        .unwrap();
    let selection = select(&selector, "b", &activations, &SelectionPolicy::INDEX);
    assert_eq!(ids(&selection), ["b"]);
}

#[test]
fn many_hostile_patterns_are_bounded_together() {
    let hostile = (0..2_000).map(|number| {
        let mut hostile = Candidate::new(CandidateKind::Document, format!("h{number}"), "d");
        hostile.triggers.patterns =
            vec![format!("[a-z]{{1,20}}[0-9]{{{}}}[^a]!", number % 30 + 1).into()].into();
        hostile.triggers.paths = vec![format!("**/[a-z]*{number}?").into()].into();
        hostile
    });
    let selector = Selector::new(hostile);
    let none = Activations::default();
    let (text, path) = ("a".repeat(1 << 20), "b/".repeat(1 << 20));
    let paths = std::iter::repeat_n(path.as_str(), 10_000);
    let query = Query::new(&text).paths(paths);
    // a bound on the work, which the time limit of the suite would show: 2,000 patterns of 16 KiB each, and 10,000 paths of 2 MiB
    let selection = selector.select(&query, &none, &SelectionPolicy::TIERS);
    assert_eq!(selection.tier, Tier::Breadcrumb);
}
