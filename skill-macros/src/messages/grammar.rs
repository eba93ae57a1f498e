//! Messages about names, versions, patterns and lists.

use std::fmt::Display;

pub(crate) fn empty(what: &str) -> String {
    format!("{what} is empty; write some text, or leave it out")
}

pub(crate) fn empty_name(what: &str) -> String {
    format!("the name of {what} is empty; write one")
}

pub(crate) fn bad_name(what: &str, name: &str) -> String {
    format!(
        "`{name}` cannot be the name of {what}: it begins with a lower-case letter and goes on with at most 63 of `a-z`, `0-9`, `_`, `-`"
    )
}

pub(crate) fn bad_state_key(key: &str) -> String {
    format!(
        "`{key}` cannot be a state key: it is a Rust identifier of ASCII letters, digits and `_`, at most 64 of them"
    )
}

pub(crate) fn reserved_state_key(key: &str) -> String {
    format!("`{key}` cannot be a state key: it is reserved; take another one")
}

pub(crate) fn bad_tool_name(name: &str) -> String {
    format!(
        "`{name}` cannot be the name of a tool: model providers take 1 to 64 of `a-z`, `A-Z`, `0-9`, `_`, `-`"
    )
}

pub(crate) fn bad_argument_name(name: &str) -> String {
    format!(
        "`{name}` cannot be the name of an argument: model providers take 1 to 64 of `a-z`, `A-Z`, `0-9`, `_`, `.`, `-`"
    )
}

pub(crate) fn bad_version(version: &str, why: &dyn Display) -> String {
    format!("`{version}` is not a semantic version ({why}); write it like `1.2.0`")
}

pub(crate) fn bad_requirement(requirement: &str, why: &dyn Display) -> String {
    format!(
        "`{requirement}` is not a requirement: {why}; write the name of a skill, or its name and versions: `name@^1.2`"
    )
}

pub(crate) fn bad_pattern(pattern: &str, why: &str) -> String {
    format!(
        "`{pattern}` is not a signal pattern: {why}; write it like `order.*.paid` or `order.**`"
    )
}

pub(crate) fn bad_regex(why: &dyn Display) -> String {
    format!("this regular expression does not compile: {why}")
}

pub(crate) fn bad_priority() -> String {
    "a priority is a whole number from -100 to 100".to_owned()
}

pub(crate) fn route_twice(pattern: &str) -> String {
    format!("the route `{pattern}` is listed twice with one priority; remove one of them")
}

pub(crate) fn bad_signal_type(text: &str) -> String {
    format!(
        "`{text}` is not the type of a signal; write it like `order.paid`: names of letters, digits, `_` and `-`, separated by `.`"
    )
}

pub(crate) fn listed_twice(what: &str, name: &str) -> String {
    format!("{what} `{name}` is listed twice; remove one of them")
}

pub(crate) fn on_twice(option: &str) -> String {
    format!("`{option}` is given twice; it holds for every signal type of this `on(...)`")
}

pub(crate) fn listed_here(name: &str) -> String {
    format!("`{name}` is listed here first")
}
