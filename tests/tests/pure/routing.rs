//! Patterns and the router, compared with the tests and documents of Jido in `../shared/oracles/signal_*.json`.

use crate::common::oracle::*;
use serde_json::Value;
use skill_agent::core::routing::{PatternFault, RouteError};
use skill_agent::core::{Pattern, Route, Router, Signal};

fn matches(pattern: &str, ty: &str) -> bool {
    Pattern::parse(pattern).is_ok_and(|pattern| pattern.matches(ty))
}

/// Builds a router from rows of `[pattern, target, priority]`. A target marked as a function gets a predicate that is true.
fn router(routes: &Value) -> Router<&str> {
    let mut router = Router::new();
    for route in rows(routes) {
        let (target, priority) = (text(&route[1]), route[2].as_i64().unwrap());
        let parsed = Route::parse(text(&route[0]), priority).unwrap();
        match target.strip_suffix(" (fn true)") {
            Some(target) => router.insert_when(parsed, target, |_| true),
            None => router.insert(parsed, target),
        };
    }
    router
}

fn targets<'a>(router: &Router<&'a str>, ty: &str) -> Vec<&'a str> {
    let signal = Signal::new(ty.to_owned(), Value::Null);
    let found = router.matches(&signal);
    found.iter().map(|found| *found.target).collect()
}

#[test]
fn patterns_match_as_in_jido() {
    for row in oracle("signal_match").iter().flat_map(rows) {
        let found = matches(text(&row["pattern"]), text(&row["type"]));
        assert_eq!(found, row["matches"], "{row}");
    }
}

#[test]
fn every_pair_of_pattern_and_type_matches_as_documented() {
    let Some(grid) = oracle("signal_grid") else {
        return;
    };
    let mut all = Router::new();
    for row in rows(&grid) {
        let (pattern, ty) = (text(&row["pattern"]), text(&row["type"]));
        let parsed = Pattern::parse(pattern);
        assert_eq!(parsed.is_ok(), row["valid"], "{row}");
        assert_eq!(matches(pattern, ty), row["matches"], "{row}");
        if parsed.is_ok() && !all.has_route(pattern) {
            all.insert(Route::parse(pattern, 0).unwrap(), pattern);
        }
    }
    // a router with all patterns agrees
    for row in rows(&grid) {
        let found = targets(&all, text(&row["type"])).contains(&text(&row["pattern"]));
        assert_eq!(found, row["matches"], "{row}");
    }
}

#[test]
fn matches_come_in_the_documented_order() {
    for row in rules("ordering") {
        let mut found = targets(&router(&row["routes"]), text(&row["type"]));
        if row["expect_set"].is_null() {
            assert_eq!(found, texts(&row["expect"]), "{row}");
        } else {
            found.sort_unstable();
            assert_eq!(found, texts(&row["expect_set"]), "{row}");
        }
    }
}

#[test]
fn known_defects_of_jido_are_not_copied() {
    for row in rules("upstream_defects_executed") {
        let ty = text(&row["type"]);
        if row["routes"].is_null() {
            // Jido has three matchers; these rows test the other two
            assert_eq!(
                matches(text(&row["pattern"]), ty),
                row["documented"],
                "{row}"
            );
            continue;
        }
        let found = targets(&router(&row["routes"]), ty);
        if row["documented"] == "no handlers" {
            assert!(found.is_empty(), "{row}");
        } else {
            assert_eq!(found, texts(&row["documented"]), "{row}");
        }
    }
}

#[test]
fn patterns_are_refused_for_the_recorded_reason() {
    for row in rules("paths") {
        let parsed = Pattern::parse(text(&row["path"]));
        assert_eq!(parsed.is_ok(), row["ok"], "{row}");
        let Err(error) = parsed else {
            continue;
        };
        let faults: &[PatternFault] = match text(&row["error"]) {
            "Path cannot contain consecutive dots" => &[PatternFault::Empty],
            "Path cannot contain '**' sequence" | "Path cannot contain '*' within a segment" => {
                &[PatternFault::PartOfSegment]
            }
            "Path cannot contain multiple wildcards" => &[PatternFault::ManyTwice],
            // Jido reports an empty segment as invalid characters too
            "Path contains invalid characters" => &[PatternFault::Character, PatternFault::Empty],
            other => panic!("unknown error: {other}"),
        };
        assert!(faults.contains(&error.fault), "{row}: {error}");
    }
}

#[test]
fn priorities_have_the_recorded_range() {
    for row in rules("priority") {
        // without a priority, the default of `Route::new`
        let route = match row["value"].as_i64() {
            Some(priority) => Route::parse("a", priority),
            None => Ok(Route::new("a")),
        };
        match route {
            Ok(route) => assert_eq!(
                i64::from(route.priority),
                row["value"].as_i64().unwrap_or(0)
            ),
            Err(error) => assert!(matches!(error, RouteError::Priority { .. }), "{error}"),
        }
        assert_eq!(
            row["value"]
                .as_i64()
                .is_none_or(|priority| priority.abs() <= 100),
            row["ok"]
        );
    }
    for beyond in [101, -101, 128, -129, i64::MAX, i64::MIN] {
        assert!(Route::parse("a", beyond).is_err(), "{beyond}");
    }
}

#[test]
fn predicates_decide_as_recorded() {
    for row in rules("match_fn") {
        match text(&row["case"]) {
            // does not compile in Rust
            "returns non-boolean" | "not a function/1" => {}
            // predicates are not called on insertion
            "raises during validation call with probe signal" => {}
            // reading missing data gives `null` and does not panic
            "raises at route time (e.g. nil data)" => {
                let mut router = Router::new();
                router.insert_when(Route::new("a"), (), |signal| {
                    signal.data()["deep"]["within"] == 1
                });
                assert!(router.matches(&Signal::without_data("a")).is_empty());
            }
            "match returns false" => {
                let mut router = Router::new();
                router.insert_when(Route::new("a"), 1, |_| false);
                router.insert(Route::new("a"), 2);
                let found = router.matches(&Signal::without_data("a"));
                assert_eq!(
                    found.iter().map(|found| *found.target).collect::<Vec<_>>(),
                    [2]
                );
            }
            other => panic!("unknown case: {other}"),
        }
    }
}

#[test]
fn a_panicking_predicate_leaves_the_router_unchanged() {
    let mut router = Router::new();
    router.insert(Route::new("a.**"), "all");
    router.insert_when(Route::new("a.b"), "none", |_| panic!("no"));
    let matches = std::panic::AssertUnwindSafe(|| targets(&router, "a.b"));
    assert!(std::panic::catch_unwind(matches).is_err());
    assert_eq!(targets(&router, "a.c"), ["all"]);
    assert_eq!(router.len(), 2);
}

#[test]
fn has_route_compares_the_exact_pattern() {
    for row in rules("has_route") {
        let mut router = Router::new();
        for pattern in texts(&row["routes"]) {
            router.insert(Route::parse(pattern, 0).unwrap(), ());
        }
        assert_eq!(router.has_route(text(&row["q"])), row["r"], "{row}");
    }
}

#[test]
fn len_counts_every_registration() {
    for row in rules("route_count") {
        // a row without routes records that removing an unknown route keeps the count
        let mut router = Router::new();
        let mut ids = Vec::new();
        for route in row["routes"].as_array().into_iter().flatten() {
            // a route of Jido can have several targets; here each is a registration
            for target in 0..route[1].as_u64().unwrap() {
                let parsed = Route::parse(text(&route[0]), 0).unwrap();
                ids.push(router.insert(parsed, target));
            }
        }
        assert_eq!(
            router.len() as u64,
            row["count"].as_u64().unwrap_or(0),
            "{row}"
        );
        let one = router.insert(Route::new("one.more"), 0);
        assert_eq!((router.remove(one), router.remove(one)), (Some(0), None));
        assert_eq!(router.len(), ids.len());
    }
}

#[test]
fn the_complexity_of_a_pattern_has_the_recorded_value() {
    let Some(rules) = oracle("signal_router_rules") else {
        return;
    };
    let values = rules["complexity"].as_object().unwrap();
    assert!(!values.is_empty());
    for (pattern, value) in values {
        let complexity = Pattern::parse(pattern).unwrap().complexity();
        assert_eq!(complexity, *value, "{pattern}");
    }
}
