//! The verdicts of `tests/grammar/cases.txt`, which the tests of skill-core and of skill-macros read as well.

use skill_agent_grammar::{
    is_argument_name, is_name, is_pattern, is_reserved_state_key, is_signal_type, is_state_key,
    is_tool_name, is_version,
};

const CASES: &str = include_str!("../../../tests/grammar/cases.txt");

#[test]
fn every_case_has_its_verdict() {
    for line in CASES.lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.splitn(3, ' ');
        let (rule, verdict) = (parts.next().unwrap(), parts.next().unwrap());
        let text = parts.next().unwrap();
        let is_valid = match rule {
            "name" => is_name(text),
            "state_key" => is_state_key(text),
            "tool_name" => is_tool_name(text),
            "pattern" => is_pattern(text),
            "version" => is_version(text),
            other => panic!("no such rule: {other}"),
        };
        assert_eq!(is_valid, verdict == "ok", "{line}");
    }
}

#[test]
fn an_argument_name_is_a_tool_name_that_may_have_dots() {
    assert!(is_argument_name("a.b-c_D9") && is_argument_name("."));
    for text in ["", "a b", "ä", &"a".repeat(65)] {
        assert!(!is_argument_name(text), "{text}");
    }
}

#[test]
fn a_signal_type_is_a_pattern_of_names() {
    assert!(is_signal_type("order.paid"));
    for text in ["", "order.*", "order.**", "order..paid"] {
        assert!(!is_signal_type(text), "{text}");
    }
}

#[test]
fn keywords_and_the_key_of_mounted_skills_are_reserved() {
    for key in ["skills", "type", "Self", "_", "yield"] {
        assert!(is_state_key(key) && is_reserved_state_key(key), "{key}");
    }
    for key in ["calculator", "gen", "union", "Type"] {
        assert!(!is_reserved_state_key(key), "{key}");
    }
}
