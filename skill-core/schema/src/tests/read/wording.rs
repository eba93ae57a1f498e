use crate::value::path::{Step, below, join};
use crate::{Problem, ReadError, StateError};
use skill_agent_grammar::nearest;

#[test]
fn the_nearest_name_is_offered_only_when_it_is_near() {
    let known = ["precision", "last_result", "mode"];
    assert_eq!(nearest("presicion", known), Some("precision"));
    assert_eq!(nearest("Mode", known), Some("mode"));
    assert_eq!(nearest("last-result", known), Some("last_result"));
    assert_eq!(nearest("nonsense", known), None);
    assert_eq!(nearest("", known), None);
    assert_eq!(nearest("ad", ["divide", "add"]), Some("add"));
    assert_eq!(nearest(&"a".repeat(1_000_000), ["a"]), None);
    assert_eq!(nearest("ab", ["abx", "aby"]), Some("abx"));
}

#[test]
fn a_path_is_written_as_in_code() {
    let path = [
        Step::Key("samples".into()),
        Step::Index(3),
        Step::Key("größe".into()),
    ];
    assert_eq!(below("", &path), "samples[3].größe");
    assert_eq!(below("stats", &path), "stats.samples[3].größe");
    assert_eq!(below("stats", &path[1..2]), "stats[3]");
    assert_eq!(join("", "mode"), "mode");
    assert_eq!(join("a", "b.c"), r#"a["b.c"]"#);
    assert_eq!(join("a", ""), r#"a[""]"#);
    assert_eq!(join("a", "x\n\"y"), r#"a["x\n\"y"]"#);
}

#[test]
fn an_unknown_field_is_reported_in_the_words_of_serde() {
    let message = |known: &[&str]| Problem::unknown_field("p", "p", known.iter().copied()).message;
    assert_eq!(message(&[]), "unknown field `p`, there are no fields");
    assert_eq!(message(&["a"]), "unknown field `p`, expected `a`");
    assert_eq!(
        message(&["a", "b"]),
        "unknown field `p`, expected `a` or `b`"
    );
    assert_eq!(
        message(&["a", "b", "c"]),
        "unknown field `p`, expected one of `a`, `b`, `c`"
    );
    let near = Problem::unknown_field("calc.presicion", "presicion", ["precision"]);
    assert_eq!(
        near.to_string(),
        "`calc.presicion`: unknown field `presicion`, expected `precision`; did you mean `precision`?"
    );
}

#[test]
fn one_problem_is_one_line_and_several_are_counted() {
    let one = StateError::from(Problem::new("a", "wrong"));
    assert_eq!(one.to_string(), "`a`: wrong");
    let two = StateError::from_problems(vec![Problem::new("a", "wrong"), Problem::new("", "odd")]);
    assert_eq!(
        two.unwrap().to_string(),
        "2 problems\n  `a`: wrong\n  at the top level: odd"
    );
    let large = StateError::from(ReadError::TooDeep { max: 128 });
    assert_eq!(large.problems()[0].path, "");
}
