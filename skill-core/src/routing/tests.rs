//! Compares the router with a plain list.

use super::{Pattern, Router};
use crate::{Route, Signal};
use proptest::prelude::*;
use serde_json::json;
use std::cmp::Reverse;

/// Generates patterns from few segments, so that they share prefixes, match, and contain each other.
fn pattern() -> impl Strategy<Value = String> {
    let segment = prop_oneof![Just("a"), Just("b"), Just("c"), Just("*"), Just("**")];
    proptest::collection::vec(segment, 1..7)
        .prop_map(|segments| segments.join("."))
        .prop_filter("two `**` in a row", |text| Pattern::parse(text).is_ok())
}

fn ty() -> impl Strategy<Value = String> {
    let segment = prop_oneof![6 => Just("a"), 6 => Just("b"), 3 => Just("c"), 1 => Just("new"), 1 => Just("")];
    proptest::collection::vec(segment, 1..9).prop_map(|segments| segments.join("."))
}

#[derive(Clone, Debug)]
enum Step {
    Insert(String, i8),
    InsertWhen(String, i8, i64),
    Remove(prop::sample::Index),
    Ask(String, i64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (pattern(), -2..3i8).prop_map(|(pattern, priority)| Step::Insert(pattern, priority)),
        1 => (pattern(), -2..3i8, 0..4i64).prop_map(|(pattern, priority, least)| Step::InsertWhen(pattern, priority, least)),
        2 => any::<prop::sample::Index>().prop_map(Step::Remove),
        3 => (ty(), 0..4i64).prop_map(|(ty, data)| Step::Ask(ty, data)),
    ]
}

/// A model of the router: a list that is compared one route at a time.
#[derive(Default)]
struct Model {
    /// The routes in registration order. Each has the minimum that a signal's data must reach, and a number.
    routes: Vec<(Route, Option<i64>, usize)>,
}

impl Model {
    fn matches(&self, ty: &str, data: Option<i64>) -> Vec<usize> {
        let fits = |(route, least, _): &&(Route, Option<i64>, usize)| {
            let pattern = Pattern::parse(&route.pattern).unwrap();
            pattern.matches(ty) && least.is_none_or(|least| data >= Some(least))
        };
        let mut found: Vec<_> = self.routes.iter().filter(fits).collect();
        found.sort_by_key(|(route, ..)| {
            let complexity = Pattern::parse(&route.pattern).unwrap().complexity();
            Reverse((complexity, route.priority))
        });
        found.iter().map(|(.., number)| *number).collect()
    }
}

proptest! {
    #[test]
    fn a_router_is_like_a_list(steps in proptest::collection::vec(step(), 1..60)) {
        let (mut router, mut model) = (Router::new(), Model::default());
        let mut ids = Vec::new();
        for (number, step) in steps.into_iter().enumerate() {
            match step {
                Step::Insert(pattern, priority) => {
                    let route = Route::parse(&pattern, priority).unwrap();
                    ids.push(router.insert(route.clone(), number));
                    model.routes.push((route, None, number));
                }
                Step::InsertWhen(pattern, priority, least) => {
                    let route = Route::parse(&pattern, priority).unwrap();
                    let when = move |signal: &Signal| signal.data().as_i64() >= Some(least);
                    ids.push(router.insert_when(route.clone(), number, when));
                    model.routes.push((route, Some(least), number));
                }
                Step::Remove(_) if ids.is_empty() => {}
                Step::Remove(index) => {
                    let place = index.index(ids.len());
                    let (.., number) = model.routes.remove(place);
                    let id = ids.remove(place);
                    prop_assert_eq!(router.remove(id), Some(number));
                    prop_assert_eq!(router.remove(id), None);
                }
                Step::Ask(ty, data) => {
                    let signal = Signal::new(ty.clone(), json!(data));
                    let found: Vec<usize> = router.matches(&signal).iter().map(|found| *found.target).collect();
                    prop_assert_eq!(found, model.matches(&ty, Some(data)), "{}", ty);
                    let found: Vec<usize> = router.matches_type(&ty).iter().map(|found| *found.target).collect();
                    prop_assert_eq!(found, model.matches(&ty, None), "{}", ty);
                }
            }
            prop_assert_eq!(router.len(), model.routes.len());
            prop_assert_eq!(router.is_empty(), model.routes.is_empty());
            for (listed, (route, _, number)) in router.iter().zip(&model.routes) {
                prop_assert_eq!((listed.route, listed.target), (route, number));
                prop_assert!(router.has_route(&route.pattern));
            }
        }
        for id in ids {
            router.remove(id);
        }
        prop_assert!(router.trie_is_bare(), "something is left behind");
    }

    #[test]
    fn a_pattern_matches_what_its_meaning_says(pattern in pattern(), ty in ty()) {
        fn means(pattern: &[&str], ty: &[&str]) -> bool {
            match (pattern, ty) {
                ([], []) => true,
                (["**", rest @ ..], _) => (0..=ty.len()).any(|taken| means(rest, &ty[taken..])),
                ([wanted, rest @ ..], [found, others @ ..]) => {
                    (*wanted == "*" || wanted == found) && means(rest, others)
                }
                _ => false,
            }
        }
        let meaning = means(&pattern.split('.').collect::<Vec<_>>(), &ty.split('.').collect::<Vec<_>>());
        prop_assert_eq!(Pattern::parse(&pattern).unwrap().matches(&ty), meaning);
    }
}

/// A matcher that backtracks to every `**` in turn would not finish.
#[test]
fn nothing_backtracks() {
    let many = |count| vec!["**.a"; count].join(".");
    let ty = format!("{}.b", vec!["a"; 125].join("."));
    let pattern = Pattern::parse(&many(60)).unwrap();
    assert!(!pattern.matches(&ty) && pattern.matches(ty.trim_end_matches(".b")));

    let mut router = Router::new();
    for count in 1..=60 {
        router.insert(Route::parse(&many(count), 0).unwrap(), count);
    }
    assert!(router.matches_type(&ty).is_empty());
    let found = router.matches_type(ty.trim_end_matches(".b"));
    assert_eq!(found.len(), 60, "every route once");
}

#[test]
fn types_of_any_length_are_routed() {
    let mut router = Router::new();
    router.insert(Route::new("**.z"), "end");
    router.insert(Route::new("a.**"), "beginning");
    router.insert(Route::new("**.a.**"), "within");
    router.insert(Route::new("a.z"), "whole");
    for length in [1, 2, 126, 127, 128, 1000] {
        let ty = format!("{}z", "a.".repeat(length - 1));
        let mut expected = vec!["end"];
        if length > 1 {
            expected = vec!["beginning", "end", "within"];
        }
        if length == 2 {
            expected.insert(0, "whole");
        }
        let mut found: Vec<_> = router
            .matches_type(&ty)
            .iter()
            .map(|found| *found.target)
            .collect();
        found[usize::from(length == 2)..].sort_unstable();
        assert_eq!(found, expected, "{length} segments");
    }
}

/// A route's fields are public, so an invalid route can be created. It is used as written.
#[test]
fn an_invalid_route_does_no_harm() {
    let mut router = Router::new();
    let mut route = Route::new("a");
    route.pattern = vec!["**"; 100_000].join(".").into();
    let id = router.insert(route.clone(), ());
    assert_eq!(router.matches_type("a.b").len(), 1);
    assert!(!router.has_route(&route.pattern) && !router.has_route("**.**"));
    router.remove(id);
    assert!(router.trie_is_bare());
}

#[test]
fn errors_name_the_position_and_what_to_write() {
    let cases = [
        ("", 0, "at byte 0, it is empty; write `**` for every signal"),
        (
            "a..b",
            2,
            "at byte 2, a segment is empty; write a name, `*` or `**` there",
        ),
        (
            "a.",
            2,
            "at byte 2, a segment is empty; write a name, `*` or `**` there",
        ),
        (
            "a b",
            1,
            "at byte 1, ' ' cannot be in a segment; write letters, digits, `_` and `-`",
        ),
        (
            "a.dé.c",
            3,
            "at byte 3, 'é' cannot be in a segment; write letters, digits, `_` and `-`",
        ),
        (
            "a.b*.c",
            2,
            "at byte 2, `b*` mixes `*` with other characters; write `*` or `**` for whole segments",
        ),
        (
            "a.***",
            2,
            "at byte 2, `***` mixes `*` with other characters; write `*` or `**` for whole segments",
        ),
        (
            "a.**.**",
            5,
            "at byte 5, `**` follows another `**` and adds nothing to it; leave it out",
        ),
    ];
    for (text, at, said) in cases {
        let error = Pattern::parse(text).unwrap_err();
        assert_eq!(error.at, at, "{text}");
        let whole = format!("`{text}` is not a signal pattern: {said}");
        assert_eq!(error.to_string(), whole);
        let error = serde_json::from_value::<Pattern>(json!(text)).unwrap_err();
        assert_eq!(error.to_string(), whole);
    }
    let long = Pattern::parse(&format!("a.{}", "é".repeat(1 << 20))).unwrap_err();
    assert!(long.to_string().len() < 300);
    let json = serde_json::to_value(Pattern::new("a.*")).unwrap();
    assert_eq!(
        serde_json::from_value::<Pattern>(json).unwrap(),
        Pattern::new("a.*")
    );
    assert_eq!("a.*".parse(), Ok(Pattern::new("a.*")));
}
